package look

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/topology"
)

// prepare makes values of counters, and leaves out looks that add nothing: a print that was
// given twice, and means since the start of a source that also has the present.
func prepare(given []Look) (looks []Look, repeated int) {
	last := map[string]*Look{} // the last look of each source, with its counters
	present := map[string]bool{}
	for i := range given {
		l := given[i]
		before := last[l.Source]
		if before != nil && same(before, &given[i]) {
			repeated++
			continue
		}
		last[l.Source] = &given[i]
		l.differ(before)
		present[l.Source] = present[l.Source] || l.Span == Interval
		looks = append(looks, l)
	}
	return slices.DeleteFunc(looks, func(l Look) bool { return l.Span != Interval && present[l.Source] }), repeated
}

// same reports whether two looks are the same print.
func same(a, b *Look) bool {
	if !a.Time.Equal(b.Time) || len(a.Samples) != len(b.Samples) || len(a.Samples) == 0 {
		return false
	}
	return slices.EqualFunc(a.Samples, b.Samples, func(x, y Sample) bool {
		return x.Component == y.Component && slices.Equal(x.Values, y.Values) && slices.Equal(x.Counters, y.Counters)
	})
}

// differ turns counters into values: differences to the look before, or means since the start.
func (l *Look) differ(before *Look) {
	if !slices.ContainsFunc(l.Samples, func(s Sample) bool { return len(s.Counters) > 0 }) {
		return
	}
	seconds := l.Seconds
	earlier := map[string]Sample{}
	if before != nil {
		l.Span = Interval
		seconds = 0
		if !before.Time.IsZero() && l.Time.After(before.Time) {
			seconds = l.Time.Sub(before.Time).Seconds()
		}
		for _, s := range before.Samples {
			earlier[s.Component] = s
		}
	}
	l.Seconds = seconds
	samples := slices.Clone(l.Samples)
	for i := range samples {
		s := &samples[i]
		old, known := earlier[s.Component]
		if before != nil && !known {
			s.Counters = nil // its first counters are not of the same interval as those of its peers
			continue
		}
		values := slices.Clone(s.Values)
		for _, c := range s.Counters {
			was := Counter{Metric: c.Metric}
			if at := slices.IndexFunc(old.Counters, func(o Counter) bool { return o.Metric == c.Metric }); at >= 0 {
				was = old.Counters[at]
			}
			if v, ok := c.value(was, seconds); ok {
				values = append(values, v)
			}
		}
		s.Values, s.Counters = values, nil
	}
	l.Samples = samples
}

// A table has the values of all looks by component.
type table struct {
	looks  int
	times  []time.Time // of each look; zero: unknown
	groups []*group
}

// A group has the values of the components of one kind.
type group struct {
	kind    string
	parts   []*part
	metrics []Metric // sorted
	looks   int      // number of looks that have a component of this kind
	tools   map[Metric]string
	span    Span // the longest of all looks
}

// A part has the values of one component: for each metric, one value for each look.
type part struct {
	name, host string
	values     map[Metric][]Value // by number of look; X is NaN where the look does not have it
}

// newTable sorts the values of all looks by component. The n-th look of each source has number n.
func newTable(looks []Look) *table {
	t := &table{}
	count := map[string]int{}
	numbers := make([]int, len(looks))
	for i, l := range looks {
		numbers[i] = count[l.Source]
		count[l.Source]++
		t.looks = max(t.looks, count[l.Source])
	}
	t.times = make([]time.Time, t.looks)
	kinds, parts := map[string]*group{}, map[[2]string]*part{}
	for i := range looks {
		l, k := &looks[i], numbers[i]
		if l.Time.After(t.times[k]) {
			t.times[k] = l.Time
		}
		for j := range l.Samples {
			t.take(l, &l.Samples[j], k, kinds, parts)
		}
	}
	slices.SortFunc(t.groups, func(a, b *group) int { return cmp.Compare(a.kind, b.kind) })
	for _, g := range t.groups {
		slices.SortFunc(g.parts, func(a, b *part) int { return topology.Compare(a.name, b.name) })
		slices.SortFunc(g.metrics, func(a, b Metric) int {
			return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Unit, b.Unit))
		})
	}
	return t
}

// take adds a sample. If a look has a component twice, the first of its lines counts.
func (t *table) take(l *Look, s *Sample, k int, kinds map[string]*group, parts map[[2]string]*part) {
	g := kinds[s.Kind]
	if g == nil {
		g = &group{kind: s.Kind, tools: map[Metric]string{}}
		kinds[s.Kind] = g
		t.groups = append(t.groups, g)
	}
	g.span = max(g.span, l.Span)
	g.looks = max(g.looks, k+1)
	key := [2]string{s.Kind, s.Component}
	p := parts[key]
	if p == nil {
		p = &part{name: s.Component, values: map[Metric][]Value{}}
		parts[key] = p
		g.parts = append(g.parts, p)
	}
	p.host = cmp.Or(p.host, s.Host)
	for _, v := range s.Values {
		if math.IsNaN(v.X) || math.IsInf(v.X, 0) || v.X < 0 {
			continue
		}
		row := p.values[v.Metric]
		if row == nil {
			row = make([]Value, t.looks)
			for i := range row {
				row[i].X = math.NaN()
			}
			p.values[v.Metric] = row
		}
		if _, known := g.tools[v.Metric]; !known {
			g.metrics = append(g.metrics, v.Metric)
			g.tools[v.Metric] = l.Tool
		}
		if math.IsNaN(row[k].X) {
			row[k] = v
		}
	}
}

// deciding returns the metrics by which the components of a group are compared: those of speed,
// or those of work if the prints have no others.
func (g *group) deciding() (list []Metric) {
	for _, m := range g.metrics {
		if m.Role.isSpeed() {
			list = append(list, m)
		}
	}
	if list != nil {
		return list
	}
	for _, m := range g.metrics {
		if m.Role == Work || m.Role == Held {
			list = append(list, m)
		}
	}
	return list
}

// tests returns the number of comparisons of one look.
func (t *table) tests() (n int) {
	for _, g := range t.groups {
		n += len(g.parts) * len(g.deciding())
	}
	return n
}

// mean returns the mean of a metric over the looks; NaN: there is no value.
func (p *part) mean(m Metric) float64 {
	sum, n := 0.0, 0
	for _, v := range p.values[m] {
		if !math.IsNaN(v.X) {
			sum, n = sum+v.X, n+1
		}
	}
	return sum / float64(n)
}
