package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/report/sentence"
)

// csvReport writes one table. Its first column is the kind of a line:
//   - incident, or a member or evidence of the incident;
//   - suspect;
//   - if lists were asked for, window (the verdict on one component) or list (an entry of a
//     list).
//
// A cell is empty if its column does not apply to the line.
type csvReport struct {
	base
	w     *csv.Writer
	begun bool // the header is written
}

// csvHeader names the columns. Later versions add columns at the end only.
var csvHeader = []string{
	"record", "time", "end", "group", "component", "server", "metric", "rank", "value", "score", "threshold",
	"state", "reason", "own", "peers", "unit", "suspect", "bins", "width",
	"incident", "class", "kind", "tier", "harmless", "muted", "confirmed", "becomes", "decides",
	"times_slower", "worst_times_slower", "amount", "text", "joined", "peak_times_slower", "diagnosis",
}

// fields holds the cells of a line, by column.
type fields map[string]string

func newCSV(w io.Writer, s Subject) *csvReport {
	return &csvReport{base: newBase(s), w: csv.NewWriter(w)}
}

// line writes a line; csv.Writer keeps the first error for Finish.
func (c *csvReport) line(record string, f fields) {
	if !c.begun {
		_ = c.w.Write(csvHeader)
		c.begun = true
	}
	if record == "" {
		return
	}
	cells := make([]string, len(csvHeader))
	for i, column := range csvHeader {
		cells[i] = f[column]
	}
	cells[0], cells[len(cells)-1] = record, c.s.Diagnosis
	_ = c.w.Write(cells)
}

// component adds to f the cells that name a component.
func (c *csvReport) component(at int, f fields) fields {
	of := &c.s.System.Components[at]
	f["group"], f["component"], f["server"] = strconv.Itoa(of.Group), of.Name, of.Server
	return f
}

func (c *csvReport) verdict(v *persistence.Verdict, metric int, f fields) fields {
	m := &c.s.Schema.Metrics[metric]
	f["metric"], f["unit"], f["score"], f["threshold"] = m.Name, m.Unit, number(v.Score), number(v.Threshold)
	f["state"], f["reason"], f["own"], f["peers"] = v.State.String(), sentence.Reason(v.Reason), number(v.Median), number(v.Peers)
	return c.component(v.Component, f)
}

func (c *csvReport) Window(w *persistence.Window) {
	if !c.s.Lists {
		return
	}
	bins, width := "", ""
	if w.Bins.Count > 0 {
		bins, width = strconv.Itoa(w.Bins.Count), number(w.Bins.Width)
	}
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		c.line("window", c.verdict(v, w.Metric, fields{
			"time": rfc3339(w.Start), "end": rfc3339(w.End), "suspect": strconv.FormatBool(v.Suspect), "bins": bins, "width": width,
		}))
	}
}

func (c *csvReport) List(l *engine.List) {
	if !c.s.Lists {
		return
	}
	for i, e := range l.Entries {
		e.Last.Component = e.Component
		c.line("list", c.verdict(&e.Last, e.Metric, fields{
			"time": rfc3339(l.Hour), "rank": strconv.Itoa(i + 1), "value": strconv.Itoa(e.Value), "text": c.sentences.Entry(e, c.s.Trained),
		}))
	}
}

// number formats a value; empty: it was not measured.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// State writes or reads the memory of the table. Lines in the buffer are flushed first.
func (c *csvReport) State(codec *state.Codec, axes *blame.Axes) {
	c.w.Flush()
	c.incidentArchive.State(codec, axes)
	codec.Bool(&c.begun)
}

// Finish writes incidents and suspects.
func (c *csvReport) Finish(s Summary) error {
	c.line("", nil)
	all := c.chosen(&s)
	for i := range all {
		c.incident("incident", &all[i], 0)
	}
	for i := range s.Suspects {
		c.incident("suspect", &s.Suspects[i].Incident, s.Suspects[i].ByTime)
	}
	c.w.Flush()
	return c.w.Error()
}

// incident writes a line for an incident, one line for each of its members, and one line for each
// metric of its evidence.
func (c *csvReport) incident(record string, in *incident.Incident, becomes int64) {
	f := fields{
		"time": rfc3339(in.PresentOnset().At), "end": rfc3339(in.Cleared), "component": in.Place.Name, "tier": string(in.Place.Tier),
		"value": strconv.Itoa(in.Windows), "amount": number(in.Amount), "state": string(in.Phase), "incident": in.ID,
		"class": string(in.Class), "kind": string(in.Kind), "harmless": strconv.FormatBool(in.Harmless()), "muted": strconv.FormatBool(in.Muted),
		"confirmed": rfc3339(in.Confirmed), "becomes": rfc3339(becomes), "text": c.sentences.Headline(in), "joined": joinedPlaces(in),
	}
	if in.HasTimeRatio() {
		f["times_slower"], f["worst_times_slower"], f["peak_times_slower"] = number(in.Effect().Times), number(in.WorstEffect()), number(in.Worst)
	}
	c.line(record, f)
	for _, part := range in.Parts() {
		c.parts(part, fields{"incident": in.ID, "class": string(part.Class), "kind": string(part.Kind)})
	}
}

// joinedPlaces lists the joined places of an incident, each with its tier: "position disk2; model X".
func joinedPlaces(in *incident.Incident) string {
	var list []string
	for _, p := range in.Joined {
		list = append(list, fmt.Sprintf("%s %s", p.Tier, p.Name))
	}
	return strings.Join(list, "; ")
}

// parts writes the members and the evidence of an incident. All lines have the common cells.
func (c *csvReport) parts(in *incident.Incident, common fields) {
	for _, m := range in.Members {
		f := maps.Clone(common)
		f["time"], f["value"], f["state"], f["suspect"] = rfc3339(in.SinceOf(&m)), strconv.Itoa(m.Windows), string(m.Role), strconv.FormatBool(m.Odd)
		if in.HasTimeRatio() {
			f["times_slower"], f["peak_times_slower"] = number(cmp.Or(m.Effect.Times, m.Worst)), number(m.Worst)
			f["own"], f["peers"], f["metric"], f["unit"] = number(m.Own), number(m.Peers), c.sentences.Lead.Name, c.sentences.Lead.Unit
		}
		c.line("member", c.component(m.Component, f))
	}
	for _, e := range in.Evidence {
		f := maps.Clone(common)
		f["time"], f["end"], f["metric"], f["decides"], f["text"] = rfc3339(e.From), rfc3339(e.To), e.Metric, strconv.FormatBool(e.Decides), sentence.Measure(e.Scale)
		f["own"], f["peers"], f["unit"], f["score"], f["threshold"] = number(e.Own), number(e.Peers), e.Unit, number(e.Score), number(e.Threshold)
		c.line("evidence", c.component(e.Component, f))
	}
}
