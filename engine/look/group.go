package look

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/topology"
)

// fewestPeers is the minimum number of components that can be compared. If two components differ,
// it is unknown which of them is anomalous.
const fewestPeers = 3

// smallGroup is the number of components below which a group is small. In a small group, a
// component stands apart only if the difference is large.
const smallGroup = 8

// A comparison compares the components of one group (peers).
type comparison struct {
	group   *group
	table   *table
	options Options
	level   float64 // probability that one metric marks a healthy component by chance
	tests   int     // number of tests in the whole ranking; a test compares one component by one metric
	out     Group
	parts   []Component // one for each of group.parts, in the same order
	columns []*column
	slower  []bool // by component: whether it is in the slower part of a group that is split in two; nil if the group is not split

	measures   []Measurement // results of all parts, one part after the other
	quantileOf float64       // degrees of freedom for which quantile was computed
	quantile   float64       // quantile of Student's distribution, for intervals
}

// A column has the values of one metric for all components of a group, as logarithms. The higher
// the logarithm, the slower the component.
type column struct {
	metric       Metric
	spread       spread
	y            []float64   // by component: median over all looks of its distance from the median of the group in the look; NaN if the component is idle
	noise        []float64   // by component: variance of y
	own          []float64   // by component: median of its own values over all looks
	base         []float64   // by component: the value that is expected of y, which is the centre of the group or of the server
	byLook       [][]float64 // by look and component: the distance from the median of the group in the look
	marked       []bool
	middles      []float64 // by look: the median of the group in the look
	steps        []float64
	floor        []bool   // by component: whether the value is as small as the tool can print
	everPositive []bool   // by component: whether a look has a value above zero
	counts       []int    // by component: number of looks with a value
	coarse       bool     // most components that do not stand apart have the smallest value that the tool can print
	looks        []spread // by look: spread of the components that do not stand apart
}

func (c *comparison) compare() Group {
	c.decide()
	c.hosts()
	c.limits()
	c.sort()
	c.out.Components = c.parts
	return c.out
}

// decide compares the components and sets their marks. The components stay in the order of the
// group.
func (c *comparison) decide() {
	g := c.group
	c.out = Group{Kind: g.kind, Looks: g.looks, Span: g.span}
	c.parts = slices.Grow(c.parts[:0], len(g.parts))[:len(g.parts)]
	for i, p := range g.parts {
		c.parts[i] = Component{Name: p.name, Host: p.host, Mark: Idle}
	}
	c.slower = nil
	metrics := g.decidingMetrics()
	if len(metrics) > 0 {
		c.out.Tool = g.tools[metrics[0]]
	}
	c.columns = c.columns[:0]
	for _, m := range metrics {
		c.column(m)
	}
	c.blameHosts()
	c.merge()
	c.explain()
}

// column compares the components by the metric with the index m, and sets their marks.
func (c *comparison) column(m int) {
	col := c.logarithms(m)
	present := col.present(nil)
	for _, i := range present {
		if c.parts[i].Mark == Idle {
			c.parts[i].Mark = Alone
		}
	}
	if len(present) < fewestPeers {
		for _, i := range present {
			c.parts[i].Readings = append(c.parts[i].Readings, Reading{col.metric, col.valueOf(i, col.own[i])})
		}
		if len(present) == 2 {
			c.split(col)
		}
		return
	}
	c.columns = append(c.columns, col)
	c.mark(col, c.level)
	for c.split(col) {
		clear(col.marked)
		c.mark(col, c.level)
	}
	for _, i := range col.present(nil) {
		c.parts[i].Mark = Within
	}
	if c.centreByHost(col) {
		c.out.OwnServer = true
		clear(col.marked)
		c.mark(col, c.level)
	}
}

// usual returns the components that serve as peers: the components that do not stand apart. If the
// group is split in two, only the components of the faster part serve as peers. So every component
// of such a group is compared with the faster part. usual then also sets the spread of the column
// to the spread of these peers.
func (c *comparison) usual(col *column) []int {
	if c.slower != nil && !c.out.OwnServer {
		fast := col.present(func(i int) bool { return col.marked[i] || c.slower[i] })
		if len(fast) > 0 {
			col.spread = spreadOf(col.distances(fast), c.group.looks)
			return fast
		}
	}
	return col.present(func(i int) bool { return col.marked[i] })
}

// logarithms returns the column of the metric with the index m, from the values of all looks.
func (c *comparison) logarithms(m int) *column {
	n := len(c.group.parts)
	col := &column{
		metric: c.group.metrics[m], y: make([]float64, n), noise: make([]float64, n), own: make([]float64, n), base: make([]float64, n), steps: make([]float64, n),
		marked: make([]bool, n), floor: make([]bool, n), everPositive: make([]bool, n), counts: make([]int, n),
	}
	for k := range c.table.looks {
		row := make([]float64, n)
		all := make([]float64, 0, n)
		for i := range c.group.values[m][k] {
			v := &c.group.values[m][k][i]
			row[i] = math.NaN()
			x := max(v.x, v.step)
			if !(x > 0) {
				continue
			}
			col.floor[i], col.everPositive[i] = v.x < 1.5*v.step, col.everPositive[i] || v.x > 0
			if v.step > 0 {
				col.steps[i] = max(col.steps[i], math.Log1p(v.step/2/x))
			}
			row[i] = math.Log(x)
			if col.metric.Role == LowIsSlow {
				row[i] = -row[i]
			}
			if v.requests > 0 {
				col.noise[i] += requestSpread * requestSpread / max(v.requests, 1)
			}
			col.counts[i]++
			all = append(all, row[i])
		}
		if len(all) == 0 {
			col.byLook, col.middles = append(col.byLook, row), append(col.middles, math.NaN())
			continue
		}
		middle := quantile.Median(all)
		col.middles = append(col.middles, middle)
		for i := range row {
			row[i] -= middle
		}
		col.byLook = append(col.byLook, row)
	}
	for i, count := range col.counts {
		if count == 0 {
			col.y[i], col.own[i] = math.NaN(), math.NaN()
			continue
		}
		col.y[i], col.own[i] = col.mediansOfLooks(i)
		col.noise[i] /= float64(count * count)
	}
	return col
}

// mediansOfLooks returns two medians over all looks: the median of a component's distance from the
// median of the group, and the median of its own value. A spike in one look hardly changes these
// medians.
func (col *column) mediansOfLooks(i int) (distance, own float64) {
	if len(col.byLook) == 1 {
		return col.byLook[0][i], col.byLook[0][i] + col.middles[0]
	}
	var distances, values []float64
	for k, row := range col.byLook {
		if !math.IsNaN(row[i]) {
			distances, values = append(distances, row[i]), append(values, row[i]+col.middles[k])
		}
	}
	return quantile.Median(distances), quantile.Median(values)
}

// present returns the indexes of the components that have a value. It leaves out each component i
// for which without(i) is true.
func (col *column) present(without func(i int) bool) (list []int) {
	list = make([]int, 0, len(col.y))
	for i, y := range col.y {
		if !math.IsNaN(y) && (without == nil || !without(i)) {
			list = append(list, i)
		}
	}
	return list
}

// distances returns one number for each of the given components: its value minus the value that is
// expected of it (column.base).
func (col *column) distances(of []int) (list []float64) {
	list = make([]float64, 0, len(of))
	for _, i := range of {
		list = append(list, col.y[i]-col.base[i])
	}
	return list
}

// logSlowTimes returns the logarithm of the smallest ratio to the peers at which a component can
// stand apart.
func (c *comparison) logSlowTimes() float64 {
	if c.group.looks >= c.options.OftenLooks {
		return math.Log(c.options.OftenTimes)
	}
	return math.Log(c.options.SlowTimes)
}

// mark marks the components that are slower than their peers by more than chance explains. The
// parameter `level` is the probability of a false mark. Then the marked components are left out,
// and the other components are compared again, until no further component is marked. So slow
// components do not hide each other. More than half of the group always stays unmarked.
func (c *comparison) mark(col *column, level float64) {
	present, smallest := col.present(nil), c.logSlowTimes()
	c.markAbove(col, present, level)
	for {
		core := col.present(func(i int) bool { return col.marked[i] })
		if 2*len(core) <= len(present) {
			break
		}
		col.spread = spreadOf(col.distances(core), c.group.looks)
		var more []int
		for _, i := range core {
			d := col.y[i] - col.base[i]
			if d-col.spread.centre < smallest { // this test comes first, because the probability takes longer to compute
				continue
			}
			if _, chance := col.spread.deviation(d, col.noise[i]); chance <= level {
				more = append(more, i)
			}
		}
		if len(more) == 0 || 2*(len(core)-len(more)) <= len(present) {
			break
		}
		for _, i := range more {
			col.marked[i] = true
		}
	}
}

// clearGap is the smallest gap that markAbove uses, in standard deviations of the components below
// the gap.
const clearGap = 2.5

// markAbove marks the components above a gap between two neighbouring values. Several slow
// components widen the spread of the group so much that none of them would stand apart. So the
// group is cut at a gap, and the upper part is compared with the lower part. The gap must lie above
// the middle, and be at least as wide as the smallest ratio that matters. If there are several such
// gaps, markAbove tries the lowest gap first.
func (c *comparison) markAbove(col *column, present []int, level float64) {
	sorted, smallest := ascending(present, col.distances(present)), c.logSlowTimes()
	for cut := len(sorted)/2 + 1; cut < len(sorted); cut++ {
		low, high := sorted[cut-1], sorted[cut]
		if (col.y[high]-col.base[high])-(col.y[low]-col.base[low]) < smallest {
			continue
		}
		s := spreadOf(col.distances(sorted[:cut]), c.group.looks)
		if (col.y[high]-col.base[high])-(col.y[low]-col.base[low]) < clearGap*s.sd {
			continue // a group with a wide spread has such gaps by chance
		}
		found := false
		for _, i := range sorted[cut:] {
			if _, chance := s.deviation(col.y[i]-col.base[i], col.noise[i]); chance <= level {
				col.marked[i], found = true, true
			}
		}
		if found {
			return
		}
	}
}

// ascending returns the elements of a list in ascending order of their values. Elements with the
// same value are in ascending order.
func ascending(list []int, values []float64) []int {
	type element struct {
		value float64
		of    int
	}
	elements := make([]element, len(list))
	for k, i := range list {
		elements[k] = element{values[k], i}
	}
	slices.SortFunc(elements, func(a, b element) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return a.of - b.of
	})
	sorted := make([]int, len(list))
	for k := range elements {
		sorted[k] = elements[k].of
	}
	return sorted
}

// hostsDiffer is a bound for the ratio of the spread of all components to the spread within their
// servers. If the ratio is larger than hostsDiffer, each component is compared only with the
// components of its own server.
const hostsDiffer = 2

// centreByHost sets the base of each component to the median of its server. It does so only if the
// servers differ much more than the components of one server, because then the servers have
// different work. It reports whether it has set the bases. Components that stand apart do not
// count.
func (c *comparison) centreByHost(col *column) bool {
	members := c.byHost(col)
	if len(members) < 2 {
		return false
	}
	base := make([]float64, len(col.y))
	for _, h := range members {
		if len(h.list) <= fewestPeers {
			return false
		}
		middle := quantile.Median(col.distances(h.list))
		for _, i := range h.list {
			base[i] = middle
		}
	}
	rest := col.present(func(i int) bool { return col.marked[i] })
	within := &column{y: col.y, base: base}
	if deviation(col.distances(rest)) <= hostsDiffer*deviation(within.distances(rest)) {
		return false
	}
	col.base = base
	return true
}

// deviation returns the median of the absolute deviations of x from the median of x. It changes x.
func deviation(x []float64) float64 {
	middle := quantile.Median(append([]float64(nil), x...))
	for i := range x {
		x[i] = math.Abs(x[i] - middle)
	}
	return quantile.Median(x)
}

// hostMembers holds the components of one server. It leaves out components without a value.
type hostMembers struct {
	host int // index in group.hosts
	list []int
}

// byHost returns the components with a value, by server. Components without a server are left out.
func (c *comparison) byHost(col *column) (members []hostMembers) {
	counts := make([]int, len(c.group.hosts))
	for i, y := range col.y {
		if at := c.group.parts[i].hostIndex; at >= 0 && !math.IsNaN(y) {
			counts[at]++
		}
	}
	place := make([]int, len(counts)) // by server: its index in members
	for host, n := range counts {
		if n > 0 {
			place[host] = len(members)
			members = append(members, hostMembers{host, make([]int, 0, n)})
		}
	}
	for i, y := range col.y {
		if at := c.group.parts[i].hostIndex; at >= 0 && !math.IsNaN(y) {
			h := &members[place[at]]
			h.list = append(h.list, i)
		}
	}
	return members
}

// merge writes the results of all metrics to the components. For each component, the metric in
// which it is farthest from its peers comes first.
func (c *comparison) merge() {
	for _, col := range c.columns {
		core := c.usual(col)
		c.out.Bands = append(c.out.Bands, col.band(core))
		floors := 0
		for _, i := range core {
			if col.floor[i] {
				floors++
			}
		}
		col.coarse = 2*floors > len(core)
		c.spreads(col)
	}
	c.measures = slices.Grow(c.measures[:0], len(c.parts)*len(c.columns))
	seen := make([]bool, c.table.looks)
	for i := range c.parts {
		p := &c.parts[i]
		from := len(c.measures)
		for k, col := range c.columns {
			if !math.IsNaN(col.y[i]) {
				m := c.measure(col, i)
				if b := &c.out.Bands[k]; m.Value > 0 {
					b.Min, b.Max = min(b.Min, m.Value), max(b.Max, m.Value)
				}
				c.measures = append(c.measures, m)
			}
		}
		if len(c.measures) == from {
			continue
		}
		p.Measures = c.measures[from:len(c.measures):len(c.measures)]
		if len(p.Measures) > 1 {
			slices.SortStableFunc(p.Measures, func(a, b Measurement) int {
				return cmp.Or(cmp.Compare(a.chance, b.chance), -cmp.Compare(a.Deviations, b.Deviations))
			})
		}
		clear(seen)
		for k := range p.Measures {
			m := &p.Measures[k]
			if m.stands && p.Mark == Within {
				p.Mark = Apart
			}
			// In a group that is split in two halves, the median does not show which half is
			// anomalous. So no component of such a group is unsure.
			if (m.Times >= c.options.SlowTimes || len(m.seen) > 0) && p.Mark == Within && c.out.Split == nil {
				p.Mark = Unsure
			}
			for _, k := range m.seen {
				if !seen[k] {
					seen[k] = true
					p.ApartLooks++
				}
			}
		}
		p.Newest = seen[c.group.looks-1]
		for _, col := range c.columns {
			p.ComparedLooks = max(p.ComparedLooks, col.counts[i])
		}
		if p.Mark == Apart || p.Mark == SlowWithHost {
			p.Certainty = c.certainty(p.ApartLooks, p.ComparedLooks, c.lastRun(seen))
			p.Since = c.apartSince(seen)
		}
	}
}

// measure returns the result of one metric for one component.
func (c *comparison) measure(col *column, i int) Measurement {
	m := Measurement{Metric: col.metric, stands: col.marked[i]}
	y, own, last := col.y[i], col.own[i], -1
	seen, owns := 0.0, 0.0
	for k, row := range col.byLook {
		if math.IsNaN(row[i]) {
			continue
		}
		last = k
		if c.standsInLook(col, k, i) {
			m.seen = append(m.seen, k)
			seen += row[i]
			owns += row[i] + col.middles[k]
		}
	}
	// A component that is anomalous in the last look stands apart, even if it was normal in all
	// looks before.
	if len(m.seen) > 0 && (m.seen[len(m.seen)-1] == last || 2*len(m.seen) >= col.counts[i]) {
		m.stands = true
	}
	// If the component was slow in some looks, y and own are the means over only these looks.
	if n := float64(len(m.seen)); n > 0 {
		y, own = seen/n, owns/n
	}
	d := y - col.base[i]
	m.Deviations = col.spread.deviations(d, col.noise[i])
	if len(c.columns) > 1 { // the field chance is needed only to order several metrics of a component
		m.chance = studentTail(m.Deviations, col.spread.df)
	}
	above := d - col.spread.centre
	half := c.halfWidth(&col.spread, col.noise[i], col.steps[i])
	m.Times, m.Low, m.High = math.Exp(above), math.Exp(above-half), math.Exp(above+half)
	m.SomeLooks = len(m.seen) > 0 && len(m.seen) < col.counts[i]
	m.Value = col.valueOf(i, own)
	m.Peers = col.value(own - above)
	m.AtLeast = col.coarse && !col.floor[i]
	return m
}

// spreads computes the spread of each look (column.looks).
func (c *comparison) spreads(col *column) {
	for _, row := range col.byLook {
		core := make([]float64, 0, len(row))
		for j, d := range row {
			if !math.IsNaN(d) && !col.marked[j] {
				core = append(core, d-col.base[j])
			}
		}
		col.looks = append(col.looks, spreadOf(core, 1))
	}
}

// standsInLook reports whether component i stands apart in look k.
func (c *comparison) standsInLook(col *column, k, i int) bool {
	if c.group.looks == 1 {
		return col.marked[i]
	}
	s := &col.looks[k]
	if s.n < fewestPeers-1 {
		return false
	}
	d := col.byLook[k][i] - col.base[i]
	smallest := c.logSlowTimes()
	if !col.marked[i] {
		smallest = math.Log(c.options.SlowTimes)
	}
	// If the component stands apart over all looks together, it stands apart in each look in which
	// it is slow. No further test against chance is needed.
	if col.marked[i] {
		return d-s.centre >= smallest
	}
	_, chance := s.deviation(d, col.noise[i]*float64(col.counts[i]))
	return chance <= c.level/float64(c.group.looks) && d-s.centre >= smallest
}

// valueOf returns the value of component i, whose logarithm is y. If the tool printed 0 for the
// component in every look, the component is compared as if it had the smallest value that the tool
// can print. But valueOf returns 0.
func (col *column) valueOf(i int, y float64) float64 {
	if !col.everPositive[i] {
		return 0
	}
	return col.value(y)
}

// value converts a logarithm of a column to a value of its metric.
func (col *column) value(y float64) float64 {
	if col.metric.Role == LowIsSlow {
		return math.Exp(-y)
	}
	return math.Exp(y)
}

// band returns the usual range of the values of a column.
func (col *column) band(core []int) Band {
	usual := make([]float64, 0, len(core))
	for _, i := range core {
		usual = append(usual, col.value(col.own[i]))
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, own := range col.own {
		if !math.IsNaN(own) {
			least, most = min(least, own), max(most, own)
		}
	}
	if col.metric.Role == LowIsSlow {
		least, most = most, least
	}
	at := func(share float64) float64 {
		return quantile.Nth(usual, int(math.Round(share*float64(len(usual)-1))))
	}
	return Band{
		Metric: col.metric, Median: quantile.Median(usual), Low: at(0.05), High: at(0.95),
		Min: col.value(least), Max: col.value(most),
	}
}

// lastingShare is the share of its looks in which a component must stand apart before its
// difference from the peers counts as lasting.
const lastingShare = 0.8

// certainty returns how certain it is that a component stands apart. The parameter `of` is the
// number of looks in which the component was compared, and `seen` is the number of these looks in
// which it stood apart. The parameter `last` is the number of looks in which it has stood apart
// without a break, up to the last look.
func (c *comparison) certainty(seen, of, last int) Certainty {
	switch {
	case last >= c.options.OftenLooks, of >= c.options.OftenLooks && float64(seen) >= lastingShare*float64(of):
		return Persists
	case last >= 2, seen >= 2 && 2*seen >= of:
		return Again
	}
	return OneLook
}

// lastRun returns the number of consecutive looks, up to the last look, in which a component stood
// apart.
func (c *comparison) lastRun(seen []bool) (n int) {
	for k := c.table.looks - 1; k >= 0 && seen[k]; k-- {
		n++
	}
	return n
}

// apartSince returns the time since which a component has stood apart in every look: the time of
// the first of these looks.
func (c *comparison) apartSince(seen []bool) (at time.Time) {
	for k := c.table.looks - 1; k >= 0 && seen[k]; k-- {
		at = c.table.times[k]
	}
	return at
}

func (c *comparison) sort() {
	slices.SortStableFunc(c.parts, func(a, b Component) int {
		order := cmp.Compare(slices.Index(markOrder, a.Mark), slices.Index(markOrder, b.Mark))
		odd := 0
		if len(a.Measures) > 0 && len(b.Measures) > 0 {
			odd = -cmp.Compare(a.Measures[0].Deviations, b.Measures[0].Deviations)
		}
		if order != 0 || odd != 0 {
			return cmp.Or(order, odd) // names are compared last, because a comparison of names takes longer than all other comparisons
		}
		return topology.Compare(a.Name, b.Name)
	})
}

// limits sets the limits of the group (Limit): the reasons why the values of the group cannot
// answer a question.
func (c *comparison) limits() {
	metrics := c.group.decidingMetrics()
	add := func(l Limit, when bool) {
		if when {
			c.out.Limits = append(c.out.Limits, l)
		}
	}
	compared, idle, hosted, slow, others := 0, 0, 0, 0, false
	for i := range c.parts {
		switch p := &c.parts[i]; p.Mark {
		case Idle:
			idle++
		case Alone:
		case OtherKind:
			others = true
		default:
			compared++
			if p.Mark == Apart || p.Mark == Explained {
				slow++
			}
			if p.Host != "" {
				hosted++
			}
		}
	}
	floors, values, work := 0, 0, false
	for _, col := range c.columns {
		for i := range col.y {
			if !math.IsNaN(col.y[i]) {
				values++
				if col.floor[i] {
					floors++
				}
			}
		}
	}
	for _, m := range c.group.metrics {
		work = work || m.Role == Work
	}
	add(AllIdle, idle == len(c.parts))
	add(FewPeers, compared == 0 && idle < len(c.parts))
	add(SmallGroup, compared > 0 && compared < smallGroup)
	speed := len(metrics) > 0 && c.group.metrics[metrics[0]].Role.isSpeed()
	add(NoSpeed, idle < len(c.parts) && !speed)
	add(NotThePresent, c.group.span != Interval)
	add(Coarse, values > 0 && 2*floors > values)
	add(NoWork, speed && !work && compared > 0)
	add(OnlyOneLook, c.group.looks == 1 && compared > 0)
	add(SomeOfOtherKind, others)
	add(PeersOfServer, c.out.OwnServer)
	add(HalfSlow, c.out.Split == nil && compared > 0 && 2*slow >= compared)
	add(SlowAlike, c.slowAlike())
	add(UnknownHosts, slow > 1 && hosted == 0)
}
