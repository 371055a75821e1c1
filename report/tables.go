package report

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/sentence"
)

// The columns of the tables of members, of evidence and of lists, which text and
// page share.
var (
	memberColumns   = []string{"component", "server", "peer group", "role", "since (UTC)", "times slower", "at its peak"}
	evidenceColumns = []string{"metric", "component", "own", "peers", "score", "threshold", "seen (UTC)", "role in the verdict"}
	listColumns     = []string{"value", "component", "peer group", "metric", "suspect since (UTC)", "last suspect time window", "incident"}
)

// memberLines is how many components of an incident a page shows; text shows all to
// whoever asks why.
const memberLines = 20

// memberRows are the first components of an incident, at most so many, the worst first.
func (b *base) memberRows(in *incident.Incident, most int) [][]string {
	var rows [][]string
	for _, m := range in.Members[:min(len(in.Members), most)] {
		c := &b.s.System.Components[m.Component]
		slower, peak := "", ""
		if in.HasTimeRatio() {
			peak = fmt.Sprintf("%.3g", m.Worst)
		}
		if in.HasTimeRatio() && m.Effect.Times > 0 {
			slower = fmt.Sprintf("%.3g", m.Effect.Times)
		}
		rows = append(rows, []string{c.Name, c.Server, b.s.System.Groups[c.Group-1].Name, sentence.RoleName(m.Role), b.at(in.SinceOf(&m)), slower, peak})
	}
	return rows
}

// evidenceRows are the metrics in which an incident shows. What decides comes
// first.
func (b *base) evidenceRows(in *incident.Incident) [][]string {
	var rows [][]string
	if in.Class == finding.Past {
		return nil // its evidence compares requests with earlier requests, and has no scores
	}
	for i := range in.Evidence {
		e := &in.Evidence[i]
		speaks := "also differs"
		if e.Decides {
			speaks = "decides"
		}
		score, threshold := sentence.Score(e)
		rows = append(rows, []string{
			e.Metric, b.s.System.Components[e.Component].Name, english.Quantity(e.Own, e.Unit), english.Quantity(e.Peers, e.Unit),
			score, threshold, b.at(e.From) + " to " + b.at(e.To), speaks,
		})
	}
	return rows
}

// listRows are the lines of a list. A list compares a component with its peers window by window, so
// it suspects a component later than the onset of its incident, and has the ratio of one window. The
// last column has the incident that is open at the component, with the onset and the ratio that the
// incident has everywhere.
func (b *base) listRows(top []persistence.Entry, all []incident.Incident) [][]string {
	var rows [][]string
	for _, e := range top {
		c := &b.s.System.Components[e.Component]
		rows = append(rows, []string{
			fmt.Sprint(e.Value), c.Name, b.s.System.Groups[c.Group-1].Name, b.s.Schema.Metrics[e.Metric].Name,
			b.at(e.Since), b.sentences.Entry(e, b.s.Trained), b.listedIn(e.Component, all),
		})
	}
	return rows
}

// listedIn names the open incident that a component is a member of: its ID, its onset and the
// component's ratio since then. It is empty if there is none.
func (b *base) listedIn(component int, all []incident.Incident) string {
	for i := range all {
		in := &all[i]
		at := slices.IndexFunc(in.Members, func(m finding.Member) bool { return m.Component == component })
		if at < 0 || in.Phase == incident.Cleared {
			continue
		}
		text := fmt.Sprintf("%s, since %s", in.ID, b.at(in.Onset.At))
		switch m := &in.Members[at]; {
		case m.Role == finding.TookOver:
			text = fmt.Sprintf("%s, has taken over the load of lost paths", in.ID)
		case in.HasTimeRatio() && m.Effect.Times > 0:
			text += fmt.Sprintf(", %s slower", english.Times(m.Effect.Times))
		}
		return text
	}
	return ""
}
