package look

import (
	"cmp"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/topology"
)

// hostShare is the share of a server's components that must be slow before the server is the place
// of the problem.
const hostShare = 0.75

// blameHosts finds the servers whose components are slow together. These servers stand apart. On
// each of these servers, blameHosts then compares the components with each other. Only a component
// that stands apart from the other components of its server keeps its own mark. The other slow
// components get the mark SlowWithHost.
func (c *comparison) blameHosts() {
	for _, col := range c.columns {
		members := c.byHost(col)
		if len(members) < fewestPeers {
			continue
		}
		apart, marked := c.hostMedians(col, members), make([]int, len(members))
		wholly := make([]bool, len(members)) // by server, as in members: whether the server is slow as a whole
		usual, smallest := middleOf(col, col.present(nil)), c.logSlowTimes()
		for k, h := range members {
			slower := 0
			for _, i := range h.list {
				if col.marked[i] {
					marked[k]++
				}
				if col.y[i]-usual >= smallest/2 {
					slower++
				}
			}
			most := int(math.Ceil(hostShare * float64(len(h.list))))
			wholly[k] = len(h.list) >= 2 && (apart[k] && slower >= most || marked[k] >= max(most, 2))
		}
		clumped := c.isClumped(col, members, wholly, marked)
		for k, h := range members {
			if wholly[k] {
				c.blame(col, h.host, h.list, len(h.list))
			} else if clumped && marked[k] >= 2 {
				c.blame(col, h.host, slices.DeleteFunc(slices.Clone(h.list), func(i int) bool { return !col.marked[i] }), len(h.list))
			}
		}
	}
}

// clumpChance is a bound for the probability that all slow components are on so few servers by
// chance (isClumped). If the probability is lower, the servers count as the cause.
const clumpChance = 0.01

// isClumped reports whether the slow components of a group are on so few servers that chance does
// not explain it. Let K of N components be slow, and let h of H servers have all of them. If these
// h servers have n components together, the probability that all K slow components are on them by
// chance is C(n, K)/C(N, K). There are C(H, h) ways to choose h of H servers, so the probability is
// multiplied by this number.
//
// Servers that are slow as a whole do not count. members[k] has the components of one server.
// wholly[k] is true if this server is slow as a whole. marked[k] is the number of its slow
// components.
func (c *comparison) isClumped(col *column, members []hostMembers, wholly []bool, marked []int) bool {
	servers, all, slow, onThem, hit := 0, 0, 0, 0, 0
	for k, h := range members {
		if wholly[k] {
			continue
		}
		servers++
		all += len(h.list)
		slow += marked[k]
		if marked[k] > 0 {
			hit++
			onThem += len(h.list)
		}
	}
	if slow < 3 {
		return false
	}
	unknown := col.present(func(i int) bool { return c.parts[i].Host != "" })
	if len(unknown) > 0 {
		return false
	}
	chance := logChoose(servers, hit) + logChoose(onThem, slow) - logChoose(all, slow)
	return chance < math.Log(clumpChance)
}

// logChoose returns the natural logarithm of the number of ways to choose k of n elements.
func logChoose(n, k int) float64 {
	factorial := func(n int) float64 {
		v, _ := math.Lgamma(float64(n) + 1)
		return v
	}
	return factorial(n) - factorial(k) - factorial(n-k)
}

// hostMedians compares servers by the medians of their components. members[k] has the components of
// one server. apart[k] is true if this server stands apart.
func (c *comparison) hostMedians(col *column, members []hostMembers) (apart []bool) {
	n := len(members)
	servers := &column{
		metric: col.metric, y: make([]float64, n), noise: make([]float64, n), base: make([]float64, n), marked: make([]bool, n),
	}
	for k, h := range members {
		servers.y[k] = math.NaN()
		if len(h.list) >= 2 { // a single component shows nothing about its server
			servers.y[k] = middleOf(col, h.list)
		}
	}
	if len(servers.present(nil)) >= fewestPeers {
		c.mark(servers, c.options.FalseMarks/float64(n*len(c.columns)))
	}
	return servers.marked
}

// blame adds a server to the servers that stand apart. The server then explains its slow
// components. The parameter `list` has the components by which the server is measured, and `of` is
// the number of all its components that were compared.
func (c *comparison) blame(col *column, hostAt int, list []int, of int) {
	middle, host := middleOf(col, list), c.group.hosts[hostAt]
	rest := col.present(func(i int) bool { return col.marked[i] || c.group.parts[i].hostIndex == hostAt })
	if len(rest) == 0 {
		return
	}
	s := spreadOf(values(col, rest), c.group.looks)
	slow := 0
	for _, i := range list {
		if col.y[i]-s.centre >= c.logSlowTimes() {
			slow++
		}
	}
	above := middle - s.centre
	noise := s.sd * s.sd * math.Pi / 2 / float64(len(list))
	h := Host{Name: host, SlowComponents: slow, ComparedComponents: of, Metric: col.metric, Mark: Apart, Times: math.Exp(above)}
	half := c.halfWidth(&s, noise, col.steps[list[0]])
	h.Low, h.High = math.Exp(above-half), math.Exp(above+half)
	h.Deviations, _ = s.deviation(middle, noise)
	for _, i := range list {
		within := col.y[i] - middle
		_, chance := spread{sd: s.sd, df: s.df, n: len(list)}.deviation(within, col.noise[i])
		own := len(list) >= fewestPeers && chance <= c.level && within >= c.logSlowTimes()
		if !own && col.y[i]-s.centre >= c.logSlowTimes() {
			c.parts[i].Mark = SlowWithHost
		}
	}
	if at := slices.IndexFunc(c.out.Hosts, func(o Host) bool { return o.Name == host }); at >= 0 {
		if c.out.Hosts[at].Deviations < h.Deviations {
			c.out.Hosts[at] = h
		}
		return
	}
	c.out.Hosts = append(c.out.Hosts, h)
}

// hosts sets the certainty of the servers that stand apart, and sorts them. A server gets the mark
// Explained if more than half of its slow components have a reason other than a fault. The caller
// must first set the marks and reasons of all components.
func (c *comparison) hosts() {
	for i := range c.out.Hosts {
		h := &c.out.Hosts[i]
		explained, of := 0, 0
		for j := range c.parts {
			p := &c.parts[j]
			if p.Host != h.Name || p.Mark != SlowWithHost {
				continue
			}
			of++
			if slices.ContainsFunc(p.Reasons, func(r Reason) bool { return r.Explains }) {
				explained++
			}
			if certaintyOrder(p.Certainty) > certaintyOrder(h.Certainty) {
				h.Certainty = p.Certainty
			}
		}
		if of > 0 && 2*explained > of {
			h.Mark = Explained
		}
		h.Certainty = cmp.Or(h.Certainty, OneLook)
	}
	slices.SortStableFunc(c.out.Hosts, func(a, b Host) int {
		return cmp.Or(-cmp.Compare(a.Times, b.Times), topology.Compare(a.Name, b.Name))
	})
}

func certaintyOrder(s Certainty) int {
	return slices.Index([]Certainty{"", OneLook, Again, Persists}, s)
}

// apartParts is the smallest ratio of the gap between two parts of a group to the range within each
// part. If the ratio is smaller, the group counts as one part with a wide spread.
const apartParts = 1.5

// Bounds that decide whether a few fast components are of another kind than the rest of their
// group. One fast component among many does not show that all others are slow.
const (
	// otherKindShare is a share of a group. If the fast part is less than this share, it is of
	// another kind.
	otherKindShare = 0.25
	// otherKindTimes is the smallest gap between the two parts, as a ratio of latencies. An SSD is
	// faster than a hard disk by more than this ratio. Healthy drives of one kind differ by less.
	otherKindTimes = 4
)

// split looks for a gap below the middle of the group, with a narrow part on each side of the gap.
// If the slower part is at least half of the group, split sets comparison.slower and the field
// Split of the result. If the faster part is only a few components (otherKindShare) and the gap is
// wide (otherKindTimes), split takes these components out of the column. It then returns true,
// because the other components must be compared again.
func (c *comparison) split(col *column) (again bool) {
	list := col.present(func(i int) bool { return col.marked[i] })
	list = ascending(list, values(col, list))
	n, best := len(list), 0
	gap := math.Log(c.options.SlowTimes)
	for cut := 1; cut <= n/2; cut++ {
		if g := col.y[list[cut]] - col.y[list[cut-1]]; g >= gap {
			gap, best = g, cut
		}
	}
	if best == 0 {
		return false
	}
	fast, slow := list[:best], list[best:]
	widest := max(col.y[fast[best-1]]-col.y[fast[0]], col.y[slow[n-best-1]]-col.y[slow[0]])
	switch {
	case gap < apartParts*widest:
	case float64(len(fast)) < otherKindShare*float64(n):
		if gap >= math.Log(otherKindTimes) {
			c.leaveOut(col, fast)
			return true
		}
	case !slices.Contains(col.marked, true):
		c.halve(col, slow, fast)
	}
	return false
}

// leaveOut takes the components `others`, which are of another kind, out of a column.
func (c *comparison) leaveOut(col *column, others []int) {
	for _, i := range others {
		p := &c.parts[i]
		p.Readings = append(p.Readings, Reading{col.metric, col.valueOf(i, col.own[i])})
		if p.Mark != Within {
			p.Mark = OtherKind
		}
		col.y[i], col.own[i] = math.NaN(), math.NaN()
		for _, row := range col.byLook {
			row[i] = math.NaN()
		}
	}
}

// halve sets comparison.slower and the field Split of the result, if no earlier metric has set
// them.
func (c *comparison) halve(col *column, slow, fast []int) {
	if c.out.Split != nil {
		return
	}
	c.slower = make([]bool, len(col.y))
	for _, i := range slow {
		c.slower[i] = true
	}
	s := &Split{Metric: col.metric, Times: math.Exp(middleOf(col, slow) - middleOf(col, fast))}
	for _, i := range slow {
		s.Slow = append(s.Slow, c.parts[i].Name)
	}
	for _, i := range fast {
		s.Fast = append(s.Fast, c.parts[i].Name)
	}
	s.Hosts = c.wholeHosts(slow, fast)
	slices.SortFunc(s.Slow, topology.Compare)
	slices.SortFunc(s.Fast, topology.Compare)
	c.out.Split = s
}

func middleOf(col *column, list []int) float64 { return quantile.Median(values(col, list)) }

// values returns the logarithms (column.y) of some components.
func values(col *column, list []int) []float64 {
	y := make([]float64, 0, len(list))
	for _, i := range list {
		y = append(y, col.y[i])
	}
	return y
}

// wholeHosts returns the servers of the slower part, if each server has components in only one
// part. Otherwise it returns nil.
func (c *comparison) wholeHosts(slow, fast []int) (hosts []string) {
	other := map[string]bool{}
	for _, i := range fast {
		other[c.parts[i].Host] = true
	}
	for _, i := range slow {
		host := c.parts[i].Host
		if host == "" || other[host] {
			return nil
		}
		if !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	slices.SortFunc(hosts, topology.Compare)
	return hosts
}
