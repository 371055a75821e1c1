package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/page"
	"github.com/limpet-storage/limpet/topology"
)

// pageCases is how many incidents have plots.
const pageCases = 40

// incidents adds what limps: when and where, and each incident with its
// evidence.
func (e *Evidence) incidents(p *page.Page, s *Summary) error {
	first := p.Section("When and where")
	if len(s.Incidents) == 0 {
		first.Add(page.Text(e.nothing(&e.s)))
		return nil
	}
	cases := p.Section("Incidents").Cases("Incidents")
	var sections []*page.Section
	for i := range s.Incidents {
		in := &s.Incidents[i]
		blocks, err := e.exhibitsOf(in, i < pageCases)
		if err != nil {
			return err
		}
		c := cases.Add(in.Component, in.Headline+".", blocks...)
		c.State, c.Role, c.Facts = string(in.State), roleOf(in), factsOf(in)
		sections = append(sections, &c.Section)
	}
	first.Add(page.Text(fmt.Sprintf("At %sZ: %s.", utc(s.To), tally(s.Incidents))), timeline(s, sections))
	if m, ok := e.chart(s, sections); ok {
		first.Add(m)
	}
	return nil
}

func roleOf(in *incident.Incident) page.Role {
	if in.State == incident.Active && !in.Kind.Harmless() && !in.Muted {
		return page.Suspect
	}
	return page.Peer
}

// factsOf are what a list of incidents says of each beside its headline.
func factsOf(in *incident.Incident) []string {
	facts := []string{fmt.Sprintf("#%d", in.ID), fmt.Sprintf("%s %s", in.Tier, in.Component), string(in.Kind), when(in)}
	if in.Worst > 1 && in.Kind != incident.LostAttachment && in.Kind != incident.SilentServer {
		facts = append(facts, fmt.Sprintf("%.3g times at the worst", in.Worst))
	}
	if in.Muted {
		facts = append(facts, "muted")
	}
	return facts
}

// timeline shows when each incident was.
func timeline(s *Summary, sections []*page.Section) page.Timeline {
	t := page.Timeline{Title: "When", Begin: float64(s.From), End: float64(s.To)}
	for i := range s.Incidents {
		in := &s.Incidents[i]
		lane := page.Lane{Name: in.Component, To: sections[i]}
		for n, span := range in.Spans {
			x := page.Interval{Label: string(in.Kind), Role: roleOf(in), Begin: clip(span.From, s), End: clip(span.To, s), Open: span.To == 0}
			if n == 0 && !in.Onset.Earlier && in.Onset.Late > in.Onset.Early {
				x.Early, x.Late = clip(in.Onset.Early, s), clip(in.Onset.Late, s)
			}
			lane.Intervals = append(lane.Intervals, x)
		}
		lane.Moments = []page.Moment{{Label: "confirmed", Role: page.Threshold, At: clip(in.Confirmed, s)}}
		t.Lanes = append(t.Lanes, lane)
	}
	return t
}

func clip(at int64, s *Summary) float64 { return float64(min(max(at, s.From), s.To)) }

// chart is a map of the system, coloured by accumulator: arrays and their LUNs,
// or servers and their drives.
func (e *Evidence) chart(s *Summary, sections []*page.Section) (page.Map, bool) {
	title := "Where: each LUN by the accumulator of its worst path"
	if len(e.s.System.LUNs) == 0 {
		title = "Where: each drive by its accumulator"
	}
	m := page.Map{Title: title, Value: page.Axis{Label: "accumulator"}}
	rows := map[string]int{}
	tiles := map[string][2]int{}
	for i := range e.s.System.Components {
		c := &e.s.System.Components[i]
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
			m.Rows[at].Tiles = append(m.Rows[at].Tiles, page.Tile{Name: tile})
		}
	}
	tileOf := func(component int) *page.Tile {
		_, name := spot(&e.s.System.Components[component])
		at, ok := tiles[name]
		if !ok {
			return nil
		}
		return &m.Rows[at[0]].Tiles[at[1]]
	}
	for _, entry := range s.Accumulators {
		if t := tileOf(entry.Component); t != nil {
			t.Value = max(t.Value, float64(entry.Value))
		}
	}
	for i := range s.Incidents {
		mark(&s.Incidents[i], sections[i], tileOf)
	}
	if len(tiles) > 1 {
		columns(&m)
	}
	return m, len(tiles) > 1
}

// spot is where a component stands on the map.
func spot(c *topology.Component) (row, tile string) {
	if c.LUN == "" {
		return c.Server, c.Name
	}
	return c.Array, c.LUN
}

// mark leads from the members of an incident to it; those of what is worse, and
// stands first, stay.
func mark(in *incident.Incident, to *page.Section, tileOf func(int) *page.Tile) {
	for _, m := range in.Members {
		t := tileOf(m.Component)
		if t == nil || t.To != nil || m.Role == incident.TookOver || m.Role == incident.OwnWork {
			continue
		}
		t.To, t.Role, t.Text = to, roleOf(in), fmt.Sprintf("%s of %s", in.Kind, in.Component)
	}
}

// columns numbers the tiles where the rows are of one length.
func columns(m *page.Map) {
	for _, row := range m.Rows {
		if n := len(row.Tiles); n != len(m.Rows[0].Tiles) || n > 128 {
			return
		}
	}
	for i := range m.Rows[0].Tiles {
		m.Columns = append(m.Columns, fmt.Sprint(i))
	}
}

// exhibitsOf are an incident's evidence: words, plots, and the components that
// it shows on.
func (e *Evidence) exhibitsOf(in *incident.Incident, plots bool) ([]page.Block, error) {
	var words []string
	for _, b := range in.Because {
		words = append(words, sentence(b))
	}
	if len(in.Metrics) > 0 {
		words = append(words, fmt.Sprintf("Suspect in %s, too.", strings.Join(in.Metrics, ", ")))
	}
	blocks := []page.Block{page.Text(strings.Join(words, " ")), page.Text(in.Otherwise)}
	blocks = slices.DeleteFunc(blocks, func(b page.Block) bool { return b == page.Text("") })
	if plots {
		drawn, err := e.plots(in)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, drawn...)
	}
	return append(blocks, e.memberTable(in)), nil
}

// How many components of an incident stand out in a plot, and in how many peer
// groups it is drawn.
const (
	plottedMembers = 4
	plottedGroups  = 2
)

// plots draw the worst members over their peers, in the peer groups that most
// members are of, and the score of the worst against its threshold.
func (e *Evidence) plots(in *incident.Incident) ([]page.Block, error) {
	var blocks []page.Block
	lead := e.lead()
	if lead < 0 {
		return nil, nil
	}
	for _, members := range byGroup(e.s.System, in) {
		group := &e.s.System.Groups[e.s.System.Components[members[0]].Group-1]
		named := members[:min(len(members), plottedMembers)]
		crowd, err := e.crowd(e.asMeasured(lead), group.ID-1, fmt.Sprintf("%s of %s over %d others (%s)",
			e.s.Schema.Metrics[lead].Name, e.names(named), len(group.Members)-len(named), group.Name), named)
		if err != nil {
			return nil, err
		}
		crowd.Chart.Spans = append(e.spansOf(in), e.spans(e.s.System.Components[named[0]].Name)...)
		blocks = append(blocks, crowd)
		if chart, ok := e.scoreChart(lead, named[0]); ok {
			blocks = append(blocks, chart)
		}
	}
	return blocks, nil
}

// byGroup parts the members of an incident by peer group, and chooses which are
// drawn: of lost paths the largest group of those that ought to be busy, and of
// those that took over; of what is slow the largest groups.
func byGroup(system *topology.System, in *incident.Incident) [][]int {
	own, heirs := map[int][]int{}, map[int][]int{}
	for _, m := range in.Members {
		c := &system.Components[m.Component]
		switch {
		case m.Role == incident.TookOver:
			heirs[c.Group] = append(heirs[c.Group], m.Component)
		case c.Priority <= 1 || m.Role != incident.Gone && m.Role != incident.Unused:
			own[c.Group] = append(own[c.Group], m.Component)
		}
	}
	if len(heirs) == 0 {
		return mostMembers(own, plottedGroups)
	}
	return slices.Concat(mostMembers(own, 1), mostMembers(heirs, 1))
}

// mostMembers lists the n groups with the most members.
func mostMembers(groups map[int][]int, n int) [][]int {
	ids := slices.SortedFunc(maps.Keys(groups), func(a, b int) int {
		return cmp.Or(cmp.Compare(len(groups[b]), len(groups[a])), cmp.Compare(a, b))
	})
	var list [][]int
	for _, id := range ids[:min(n, len(ids))] {
		list = append(list, groups[id])
	}
	return list
}

// lead is the metric that plots of incidents show, -1 where none was kept.
func (e *Evidence) lead() int {
	best := -1
	for m := range e.tracks {
		if e.s.Schema.Metrics[m].Name == "await" {
			return m
		}
		if best < 0 || m < best {
			best = m
		}
	}
	return best
}

func (e *Evidence) names(components []int) string {
	var list []string
	for _, c := range components {
		list = append(list, e.s.System.Components[c].Name)
	}
	return strings.Join(list, ", ")
}

// spansOf are when an incident was.
func (e *Evidence) spansOf(in *incident.Incident) []page.Span {
	var spans []page.Span
	for _, s := range in.Spans {
		to := s.To
		if to == 0 {
			to = in.Last
		}
		spans = append(spans, page.Span{Label: string(in.Kind), Role: page.Threshold, From: float64(s.From), To: float64(max(to, s.From))})
	}
	return spans
}

// memberLines is how many components of an incident a table shows.
const memberLines = 20

func (e *Evidence) memberTable(in *incident.Incident) page.Table {
	t := page.Table{
		Caption: fmt.Sprintf("%s that it shows on", plural(len(in.Members), "component", "components")),
		Columns: []page.Column{
			{Name: "component"},
			{Name: "server"},
			{Name: "peer group"},
			{Name: "role"},
			{Name: "since (UTC)"},
			{Name: "windows", Numeric: true},
			{Name: "times slower", Numeric: true},
		},
	}
	for _, m := range in.Members[:min(len(in.Members), memberLines)] {
		c := &e.s.System.Components[m.Component]
		value, worst := "", ""
		if m.Value > 0 {
			value = fmt.Sprint(m.Value)
		}
		if m.Role == incident.Slow || m.Role == incident.Stalled {
			worst = fmt.Sprintf("%.3g", m.Worst)
		}
		t.Rows = append(t.Rows, page.Cells(c.Name, c.Server, e.s.System.Groups[c.Group-1].Name, string(m.Role), utc(m.Since), value, worst))
	}
	if more := len(in.Members) - memberLines; more > 0 {
		t.Caption += fmt.Sprintf(", the first %d", memberLines)
	}
	return t
}
