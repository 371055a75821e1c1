package look

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/topology"
)

// prepare converts counters to values, and leaves out looks that add nothing. An output that was
// given twice counts once. If a source has looks of a short interval, its other looks are left out:
// means since the start of a server, or over a whole recording. The result `repeated` is the number
// of outputs that were given twice. The result `sinceStart` is the number of means since the start
// that were left out. If there are several sources, only the source with the largest number counts.
func prepare(given []Look) (looks []Look, repeated, sinceStart int) {
	all := map[string][]*Look{} // the looks of each source so far, with their counters
	present := map[string]bool{}
	for i := range given {
		l := given[i]
		earlier := all[l.Source]
		if slices.ContainsFunc(earlier, func(e *Look) bool { return isSameOutput(e, &given[i]) }) {
			repeated++
			continue
		}
		var before *Look
		if len(earlier) > 0 {
			before = earlier[len(earlier)-1]
		}
		all[l.Source] = append(earlier, &given[i])
		l.subtractCounters(before)
		present[l.Source] = present[l.Source] || l.Span == Interval
		looks = append(looks, l)
	}
	means := map[string]int{}
	looks = slices.DeleteFunc(looks, func(l Look) bool {
		without := l.Span != Interval && present[l.Source]
		if without && l.Span == SinceStart {
			means[l.Source]++
			sinceStart = max(sinceStart, means[l.Source])
		}
		return without
	})
	return looks, repeated, sinceStart
}

// Count returns the number of looks of one source that Rank compares. If there are several sources,
// only the source with the most looks counts. Looks that Rank leaves out do not count.
func Count(looks []Look) int {
	looks, _, _ = prepare(looks)
	count, most := map[string]int{}, 0
	for i := range looks {
		count[looks[i].Source]++
		most = max(most, count[looks[i].Source])
	}
	return most
}

// isSameOutput reports whether two looks are the same output.
func isSameOutput(a, b *Look) bool {
	if !a.Time.Equal(b.Time) || len(a.Samples) != len(b.Samples) || len(a.Samples) == 0 {
		return false
	}
	return slices.EqualFunc(a.Samples, b.Samples, func(x, y Sample) bool {
		return x.Component == y.Component && slices.Equal(x.Values, y.Values) && slices.Equal(x.Counters, y.Counters)
	})
}

// subtractCounters converts counters to values: differences from the previous look, or means since
// the start if there is no previous look.
func (l *Look) subtractCounters(before *Look) {
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
			s.Counters = nil // the component is new: its counters belong to another interval than the counters of its peers
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

// A table has the values of all looks, ordered by component.
type table struct {
	looks  int
	times  []time.Time // time of each look; zero if unknown
	groups []*group    // sorted by kind
}

// A group has the values of the components of one kind. Slices by component are in the order of the
// field parts.
type group struct {
	kind    string
	parts   []*part
	hosts   []string // names of the servers, sorted
	metrics []Metric // in the order of compareMetrics
	tools   []string // by metric: tool that printed the metric
	values  [][][]reading
	looks   int  // number of looks that have a component of this kind
	span    Span // the longest span of all looks
}

// A part is a component in its group.
type part struct {
	name, host string
	group      *group
	index      int // index in group.parts
	hostIndex  int // index in group.hosts; -1 if the server is unknown
}

// A reading is a Value without the field Metric. The field x is NaN if the look does not have the
// value.
type reading struct{ x, requests, step float64 }

// newTable returns a table with the values of all looks. The n-th looks of all sources together are
// one look of the table, with number n.
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
	parts := t.register(looks, numbers)
	for i := range looks {
		l, k := &looks[i], numbers[i]
		if l.Time.After(t.times[k]) {
			t.times[k] = l.Time
		}
		for j := range l.Samples {
			parts[0].take(&l.Samples[j], k)
			parts = parts[1:]
		}
	}
	return t
}

// register makes the groups of a table, without values. It returns one part for each sample of all
// looks, in the order of the samples.
func (t *table) register(looks []Look, numbers []int) (samples []*part) {
	kinds, parts := map[string]*group{}, map[[2]string]*part{}
	for i := range looks {
		l := &looks[i]
		for j := range l.Samples {
			s := &l.Samples[j]
			g := kinds[s.Kind]
			if g == nil {
				g = &group{kind: s.Kind}
				kinds[s.Kind] = g
				t.groups = append(t.groups, g)
			}
			g.span = max(g.span, l.Span)
			g.looks = max(g.looks, numbers[i]+1)
			key := [2]string{s.Kind, s.Component}
			p := parts[key]
			if p == nil {
				p = &part{name: s.Component, group: g}
				parts[key] = p
				g.parts = append(g.parts, p)
			}
			p.host = cmp.Or(p.host, s.Host)
			g.addMetrics(s.Values, l.Tool)
			samples = append(samples, p)
		}
	}
	slices.SortFunc(t.groups, func(a, b *group) int { return cmp.Compare(a.kind, b.kind) })
	for _, g := range t.groups {
		g.order()
		for range g.metrics {
			g.values = append(g.values, noReadings(t.looks, len(g.parts)))
		}
	}
	return samples
}

// addMetrics adds the metrics of the given values to the metrics of the group.
func (g *group) addMetrics(values []Value, tool string) {
	for i := range values {
		if v := &values[i]; v.usable() && !slices.Contains(g.metrics, v.Metric) {
			g.metrics = append(g.metrics, v.Metric)
			g.tools = append(g.tools, tool)
		}
	}
}

// usable reports whether a value is a finite number that is not negative.
func (v *Value) usable() bool { return v.X >= 0 && !math.IsInf(v.X, 0) }

// order sorts the components, the servers and the metrics of a group.
func (g *group) order() {
	slices.SortFunc(g.parts, func(a, b *part) int { return topology.Compare(a.name, b.name) })
	hosts := map[string]int{}
	for i, p := range g.parts {
		p.index, p.hostIndex = i, -1
		if p.host != "" {
			hosts[p.host] = 0
		}
	}
	g.hosts = slices.SortedFunc(maps.Keys(hosts), topology.Compare)
	for i, host := range g.hosts {
		hosts[host] = i
	}
	for _, p := range g.parts {
		if p.host != "" {
			p.hostIndex = hosts[p.host]
		}
	}
	tools := map[Metric]string{}
	for i, m := range g.metrics {
		tools[m] = g.tools[i]
	}
	slices.SortFunc(g.metrics, compareMetrics)
	for i, m := range g.metrics {
		g.tools[i] = tools[m]
	}
}

func compareMetrics(a, b Metric) int {
	return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Unit, b.Unit))
}

// noReadings returns readings by look and component. All of them are unknown.
func noReadings(looks, parts int) [][]reading {
	list := make([][]reading, looks)
	for k := range list {
		list[k] = make([]reading, parts)
		for i := range list[k] {
			list[k][i].x = math.NaN()
		}
	}
	return list
}

// take stores the usable values of a sample of look k as readings of the part. If a look has two
// lines for a component, the first line counts.
func (p *part) take(s *Sample, k int) {
	for i := range s.Values {
		v := &s.Values[i]
		if !v.usable() {
			continue
		}
		m := slices.Index(p.group.metrics, v.Metric)
		if r := &p.group.values[m][k][p.index]; math.IsNaN(r.x) {
			*r = reading{v.X, v.Requests, v.Step}
		}
	}
}

// decidingMetrics returns the indexes of the metrics by which the components of a group are
// compared: the metrics of speed, or the metrics of work if the outputs have no metric of speed.
func (g *group) decidingMetrics() (list []int) {
	for i, m := range g.metrics {
		if m.Role.isSpeed() {
			list = append(list, i)
		}
	}
	if list != nil {
		return list
	}
	for i, m := range g.metrics {
		if m.Role == Work || m.Role == HeldData {
			list = append(list, i)
		}
	}
	return list
}

// tests returns the number of comparisons in one look: one for each component and deciding metric.
func (t *table) tests() (n int) {
	for _, g := range t.groups {
		n += len(g.parts) * len(g.decidingMetrics())
	}
	return n
}

// mean returns the mean of a metric over the looks for one component; NaN if there is no value.
func (g *group) mean(metric, component int) float64 {
	sum, n := 0.0, 0
	for _, look := range g.values[metric] {
		if x := look[component].x; !math.IsNaN(x) {
			sum, n = sum+x, n+1
		}
	}
	return sum / float64(n)
}
