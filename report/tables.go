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

// The columns of the tables of members, evidence and lists. Text and page use the same columns.
var (
	memberColumns   = []string{"component", "server", "peer group", "role", "since (UTC)", "times slower", "at its peak"}
	evidenceColumns = []string{"metric", "component", "own", "peers", "score", "threshold", "seen (UTC)", "role in the verdict"}
	listColumns     = []string{"persistence", "component", "peer group", "metric", "listed since (UTC)", "last suspect time window", "incident"}
)

// memberLines is the largest number of components of an incident on a page. Text shows all
// components if [Subject].Why is set.
const memberLines = 20

// memberRows returns the rows of the worst components of an incident, at most the given number, the
// worst first.
func (b *base) memberRows(in *incident.Incident, most int) [][]string {
	var rows [][]string
	for _, m := range in.Members[:min(len(in.Members), most)] {
		c := &b.s.System.Components[m.Component]
		name, group := c.Name, b.s.System.Groups[c.Group-1].Name
		if finding.StandsForServer(in.Class, in.Place.Name, name) {
			name, group = in.Place.Name, "" // the server pauses, and not this drive
		}
		slower, peak := "", ""
		if in.HasTimeRatio() {
			peak = fmt.Sprintf("%.3g", m.Worst)
		}
		if in.HasTimeRatio() && m.Effect.Times > 0 {
			slower = fmt.Sprintf("%.3g", m.Effect.Times)
		}
		rows = append(rows, []string{name, c.Server, group, sentence.RoleName(m.Role), b.at(in.SinceOf(&m)), slower, peak})
	}
	return rows
}

// evidenceRows returns a row for each metric of the evidence. Metrics that decide come first.
func (b *base) evidenceRows(in *incident.Incident) [][]string {
	var rows [][]string
	if in.Class == finding.Past {
		return nil // evidence of this class compares requests with earlier requests, and has no scores
	}
	for i := range in.Evidence {
		e := &in.Evidence[i]
		speaks := "also differs"
		if e.Decides {
			speaks = "decides"
		}
		score, threshold := sentence.Score(e)
		name := b.s.System.Components[e.Component].Name
		if finding.StandsForServer(in.Class, in.Place.Name, name) {
			name = in.Place.Name
		}
		rows = append(rows, []string{
			e.Metric, name, english.Quantity(e.Own, e.Unit), english.Quantity(e.Peers, e.Unit),
			score, threshold, b.at(e.From) + " to " + b.at(e.To), speaks,
		})
	}
	return rows
}

// listRows returns the rows of a list. A list compares a component with its peers window by window.
// Therefore it suspects a component later than the onset of its incident, and shows the ratio of
// one window. The last column shows the component's open incident, with the same onset and ratio as
// in the rest of the report.
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

// listedIn returns the ID and the onset of a component's open incident, and the component's ratio
// since the onset. It is empty if there is no open incident.
func (b *base) listedIn(component int, all []incident.Incident) string {
	for i := range all {
		in := &all[i]
		at := slices.IndexFunc(in.Members, func(m finding.Member) bool { return m.Component == component })
		if at < 0 || in.Phase == incident.Cleared {
			continue
		}
		text := fmt.Sprintf("%s, since %s", in.ID, b.at(in.PresentOnset().At))
		switch m := &in.Members[at]; {
		case m.Role == finding.TookOver:
			text = fmt.Sprintf("%s (took over the load of lost paths)", in.ID)
		case in.HasTimeRatio() && m.Effect.Times > 0:
			text += fmt.Sprintf(", %s slower", english.Times(m.Effect.Times))
		}
		return text
	}
	return ""
}
