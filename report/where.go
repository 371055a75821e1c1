// This file draws when and where components limped: a timeline, and a map of the system.

package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/page"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// add adds a section with a timeline of incidents and a map of the system. Both link to the
// sections of the incidents. slowest has, by component, how many times slower than its peers the
// component was.
func add(p *page.Page, system *topology.System, s *engine.Summary, all []incident.Incident, to []*page.Section, slowest []float64) {
	section := p.Section("When and where", timeline(s, all, to))
	if m := chart(system, all, to, slowest); len(m.Rows) > 1 || len(m.Rows) == 1 && len(m.Rows[0].Tiles) > 1 {
		section.Add(m)
	}
}

// roleOf returns the role that decides the colour of an incident: an incident that goes on stands
// out.
func roleOf(in *incident.Incident) page.Role {
	if sentence.SectionOf(in) == sentence.Now {
		return page.Suspect
	}
	return page.Peer
}

// timeline shows the time spans of each incident.
func timeline(s *engine.Summary, all []incident.Incident, to []*page.Section) page.Timeline {
	t := page.Timeline{Title: "When", Begin: float64(s.From), End: float64(s.To)}
	clip := func(at int64) float64 { return float64(min(max(at, s.From), s.To)) }
	for i := range all {
		in := &all[i]
		lane := page.Lane{Name: sentence.PlaceNames(in), To: to[i]}
		for n, span := range in.Spans {
			x := page.Interval{Label: sentence.KindOf(in), Role: roleOf(in), Begin: clip(span.From), End: clip(span.To), Open: span.To == 0}
			if o, ok := onsetOf(in, n); ok && !o.Earlier && o.Early <= span.From && span.From <= o.Late {
				x.Early, x.Late = clip(o.Early), clip(o.Late)
			}
			lane.Intervals = append(lane.Intervals, x)
		}
		if in.Confirmed > 0 {
			lane.Moments = []page.Moment{{Label: "confirmed", Role: page.Confirmation, At: clip(in.Confirmed)}}
		}
		t.Lanes = append(t.Lanes, lane)
	}
	return t
}

// onsetOf returns the onset of a span of an incident. Only those of the first span and of the last are
// known with their error.
func onsetOf(in *incident.Incident, span int) (o finding.Onset, ok bool) {
	if span == len(in.Spans)-1 {
		return in.PresentOnset(), true
	}
	return in.Onset, span == 0
}

// moments returns the times at which an incident was suspected, confirmed and over.
func moments(in *incident.Incident) []page.Moment {
	var list []page.Moment
	for _, m := range []struct {
		name string
		role page.Role
		at   int64
	}{{"suspected", page.Suspicion, in.Suspected}, {"confirmed", page.Confirmation, in.Confirmed}, {"over", page.Clearing, in.Cleared}} {
		if m.at > 0 {
			list = append(list, page.Moment{Label: m.name, Role: m.role, At: float64(m.at)})
		}
	}
	return list
}

// timesPeers is the ratio at which the map's colours change from calm to warning. In T16 and in the
// maps of the console, a drive is slow from this ratio on.
const timesPeers = 2

// chart returns a map of the system, in which the colour of a LUN or drive shows its worst ratio:
// arrays and their LUNs, or servers and their drives.
func chart(system *topology.System, all []incident.Incident, to []*page.Section, slowest []float64) page.Map {
	m := page.Map{
		Title: "Where: latency of each LUN on its slowest path, in the five worst time windows of the LUN",
		Value: page.Axis{Label: "latency compared with its peers", Unit: "×", Scale: page.Log}, Bound: timesPeers,
	}
	if len(system.LUNs) == 0 {
		m.Title = "Where: latency of each drive in the five worst time windows of the drive"
	}
	rows, tiles := map[string]int{}, map[string][2]int{}
	for i := range system.Components {
		c := &system.Components[i]
		if c.Kind != topology.Attachment {
			continue
		}
		row, tile := spot(c)
		at, ok := rows[row]
		if !ok {
			at = len(m.Rows)
			rows[row], m.Rows = at, append(m.Rows, page.MapRow{Name: row})
		}
		if _, ok := tiles[tile]; !ok {
			tiles[tile] = [2]int{at, len(m.Rows[at].Tiles)}
			m.Rows[at].Tiles = append(m.Rows[at].Tiles, page.Tile{Name: tile, Value: math.NaN()})
		}
	}
	tileOf := func(component int) *page.Tile {
		_, name := spot(&system.Components[component])
		if at, ok := tiles[name]; ok {
			return &m.Rows[at[0]].Tiles[at[1]]
		}
		return nil
	}
	for i := range system.Components {
		if t, v := tileOf(i), slowest[i]; t != nil && !math.IsNaN(v) && !(t.Value >= v) {
			t.Value = v
		}
	}
	for i := range all {
		point(&all[i], to[i], tileOf)
	}
	m.Columns = columnNames(m.Rows)
	return m
}

// spot returns the place of a component on the map.
func spot(c *topology.Component) (row, tile string) {
	if c.LUN == "" {
		return c.Server, c.Name
	}
	return c.Array, c.LUN
}

// point links the members of an incident to its section. A tile that has a link keeps it: worse
// incidents come first.
func point(in *incident.Incident, to *page.Section, tileOf func(int) *page.Tile) {
	for _, m := range in.Members {
		t := tileOf(m.Component)
		if t == nil || t.To != nil || m.Role == finding.TookOver || m.Role == finding.Working {
			continue
		}
		t.To, t.Role, t.Text = to, roleOf(in), fmt.Sprintf("%s of %s", sentence.KindOf(in), sentence.PlaceNames(in))
	}
}

// mostColumns is the largest number of columns of a map that have names.
const mostColumns = 128

// columnNames returns the last parts of the names of tiles if they are the same in every row: the
// LUNs of arrays, or the drives of servers. Otherwise it returns nil.
func columnNames(rows []page.MapRow) []string {
	var names []string
	for i, row := range rows {
		var own []string
		for _, t := range row.Tiles {
			own = append(own, t.Name[strings.LastIndexAny(t.Name, "./")+1:])
		}
		if i > 0 && !slices.Equal(own, names) || len(own) > mostColumns {
			return nil
		}
		names = own
	}
	return names
}
