package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/page"
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/report/internal/history"
	"github.com/limpet-storage/limpet/state"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/words"
)

// Evidence keeps what a page shows: the series of every component, and the scores
// of every window.
type Evidence struct {
	base
	tracks map[int]*track           // by metric of the schema
	boards map[boardKey]*scoreBoard // by metric and group
	marks  []Mark
}

// Mark is a stretch of time that plots point at: a fault that is known.
type Mark struct {
	Label    string
	From, To int64
	Names    []string // of the components that it touches
}

// track keeps one metric of the components that it is measured on.
type track struct {
	*history.History
	metric  int   // of the schema
	members []int // components, by place in a row
	place   []int // by component, -1 where the metric is not measured
}

type boardKey struct{ metric, group int }

// scoreBoard keeps the scores and thresholds of one group and metric.
type scoreBoard struct {
	members            []int
	scores, thresholds *history.History
	ratios             *history.History // how many times what its peers have
}

// The bounds of what is kept: rows that are enough for any screen, and values
// that take 128 MB over all metrics of rows. A score board holds five days of
// windows before they are averaged, and all groups of Intrepid take 100 MB.
const (
	trackRows  = 8192
	trackCells = 32 << 20
	boardRows  = 1024
	boardCells = 16 << 20
)

// NewEvidence returns evidence of nothing yet.
func NewEvidence(s Subject) *Evidence {
	e := &Evidence{base: newBase(s), tracks: map[int]*track{}, boards: map[boardKey]*scoreBoard{}}
	for m := range s.Schema.Metrics {
		if name := s.Schema.Metrics[m].Name; slices.Contains(s.Options.Metrics, name) || slices.Contains(ofServers, name) && s.Options.Method != "l13" {
			e.tracks[m] = nil
		}
	}
	for m := range e.tracks {
		e.tracks[m] = newTrack(&s, m, len(e.tracks))
	}
	return e
}

// ofServers are the metrics that may speak for a resource of a server. Segments
// that arrived are what those sent again are a share of.
var ofServers = []string{
	metric.RdSec.Name, metric.WrSec.Name, metric.Await.Name, metric.RxByt.Name, metric.TxByt.Name,
	metric.RetrOut.Name, metric.RetrIn.Name, metric.DlvOut.Name, metric.DlvIn.Name,
}

// newTrack returns one of so many tracks.
func newTrack(s *Subject, m, tracks int) *track {
	subjects := map[topology.Kind]metric.Subject{topology.Interface: metric.OfInterface, topology.Host: metric.OfHost}
	t := &track{metric: m, place: make([]int, len(s.System.Components))}
	for c := range s.System.Components {
		t.place[c] = -1
		if subjects[s.System.Components[c].Kind] == s.Schema.Metrics[m].Subject {
			t.place[c] = len(t.members)
			t.members = append(t.members, c)
		}
	}
	t.History = history.New(len(t.members), s.Schema.StepSeconds, trackRows, trackCells/tracks)
	return t
}

// of are the values of one component, missing where it has none.
func (t *track) of(component int) []float64 { return t.Series(t.place[component]) }

// Mark adds a stretch of time to point at.
func (e *Evidence) Mark(m ...Mark) { e.marks = append(e.marks, m...) }

// watched passes rows on and keeps their values.
type watched struct {
	table.Stream
	e *Evidence
}

// Watch returns the stream with its rows kept as evidence.
func (e *Evidence) Watch(s table.Stream) table.Stream { return watched{s, e} }

func (w watched) Next() (*table.Row, error) {
	row, err := w.Stream.Next()
	if err == nil {
		w.e.Row(row)
	}
	return row, err
}

// Row keeps the values of a row.
func (e *Evidence) Row(row *table.Row) {
	for m, t := range e.tracks {
		t.Push(row.End, func(i int) float64 { return row.Values[m][t.members[i]] })
	}
}

// Window keeps the scores of a window.
func (e *Evidence) Window(w *detect.Window) {
	e.Judge(w)
	judged := func(v *detect.Verdict, value float64) float64 {
		if v.State == detect.Unjudged || v.Reason == detect.Gone {
			return table.Missing
		}
		return value
	}
	b := e.board(boardKey{w.Metric, w.Group})
	b.scores.Push(w.End, func(i int) float64 { return judged(&w.Verdicts[i], w.Verdicts[i].Score) })
	b.thresholds.Push(w.End, func(i int) float64 { return judged(&w.Verdicts[i], w.Verdicts[i].Threshold) })
	b.ratios.Push(w.End, func(i int) float64 { return judged(&w.Verdicts[i], ratio(&w.Verdicts[i])) })
}

// List has nothing to keep.
func (e *Evidence) List(*diagnose.List) {}

// State writes or reads all that the page will show. Marks are not part of it.
func (e *Evidence) State(c *state.Codec, axes *place.Axes) {
	e.Ledger.State(c, axes)
	for _, m := range slices.Sorted(maps.Keys(e.tracks)) {
		e.tracks[m].State(c, c.Sub(axes.Components, e.tracks[m].members))
	}
	keys := slices.SortedFunc(maps.Keys(e.boards), func(a, b boardKey) int {
		return slices.Compare([]int{a.metric, a.group}, []int{b.metric, b.group})
	})
	state.List(c, &keys, func(c *state.Codec, k *boardKey) {
		state.Int(c, &k.metric)
		axes.Groups.Index(c, &k.group)
		e.board(*k).state(c, axes)
	})
	maps.DeleteFunc(e.boards, func(k boardKey, _ *scoreBoard) bool { return k.group < 0 })
}

// board finds the one of a key, or makes it. One of a group that is no more has
// no members.
func (e *Evidence) board(k boardKey) *scoreBoard {
	if b := e.boards[k]; b != nil {
		return b
	}
	var members []int
	if k.group >= 0 && k.group < len(e.s.System.Groups) {
		members = e.s.System.Groups[k.group].Members
	}
	shift := int64(e.s.Options.Detect.WinShift) * e.s.Options.Detect.StepSeconds
	kept := func() *history.History { return history.New(len(members), shift, boardRows, boardCells) }
	e.boards[k] = &scoreBoard{members, kept(), kept(), kept()}
	return e.boards[k]
}

func (b *scoreBoard) state(c *state.Codec, axes *place.Axes) {
	members := c.Sub(axes.Components, b.members)
	b.scores.State(c, members)
	b.thresholds.State(c, members)
	b.ratios.State(c, members)
}

// Write writes the page of a diagnosis: what limps, each with its evidence, then
// when and where, and what the diagnosis is weaker for.
func (e *Evidence) Write(w io.Writer, s Summary) error {
	p := page.New(e.options("What limps", "limpet diagnose", s.From, s.To))
	if err := e.incidents(p, &s); err != nil {
		return err
	}
	var limits []page.Block
	for _, text := range slices.Concat(e.voice.Remarks(&s.Summary), s.Warnings) {
		limits = append(limits, page.Warning(text))
	}
	if len(limits) > 0 {
		p.Section("What limits this diagnosis", limits...)
	}
	if e.s.Lists && len(s.Top) > 0 {
		d := &e.s.Options.Detect
		p.Section("Most persistent", page.Text(fmt.Sprintf("Every %s each component is compared with its peers; its value goes up while it is suspect and down while it is not.",
			words.Seconds(int64(d.WinShift)*d.StepSeconds))), tabled("", listColumns, e.listRows(s.Top)))
	}
	return p.Write(w)
}

// options name a page: what it is of, where, when and how that was judged, and what
// made it.
func (e *Evidence) options(title, command string, from, to int64) page.Options {
	o, at := &e.s.Options, ""
	if e.s.System.Name != "" {
		at = " at " + e.s.System.Name
	}
	return page.Options{
		Title: title + at, Footer: strings.TrimSpace(command+" "+e.s.Version) + read(e.s.Inputs),
		Subtitle: fmt.Sprintf("%s, %d components of %d servers in %d peer groups, method %s by %s, steps of %s, times in UTC", e.voice.Span(from, to),
			len(e.s.System.Components), len(e.s.System.Servers), len(e.s.System.Groups), o.Method, strings.Join(o.Metrics, ", "), words.Seconds(o.Detect.StepSeconds)),
	}
}

// read says what was read.
func read(inputs []string) string {
	if len(inputs) == 0 {
		return ""
	}
	return ", read from " + strings.Join(inputs, ", ")
}
