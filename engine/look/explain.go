package look

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/internal/quantile"
)

// Bounds that decide whether a high latency has another reason than a fault, such as more work,
// larger requests or a longer queue.
const (
	// moreTimes is the smallest ratio of a component to its peers at which the work, the size of
	// requests or the length of the queue is reported as a reason.
	moreTimes = 1.5
	// sameTimes is the largest ratio of two amounts of work that count as the same.
	sameTimes = 1.25
	// roomTimes limits the latency that more work explains. If a component has r times the work of
	// its peers, the work explains a latency of up to roomTimes·r times the latency of the peers.
	// roomTimes is above 1, because near saturation waits grow faster than work.
	roomTimes = 1.5
	// otherJobTimes is the smallest ratio of work at which two components do different jobs. For
	// example, a system drive and a drive that holds data do different jobs. Such components are
	// not peers.
	otherJobTimes = 10
	// alikeTimes is the largest ratio between the latencies of two components that are slow to the
	// same degree.
	alikeTimes = 2
	// queueTimes limits the latency that a longer queue explains. Take a component that does the
	// same work as its peers, but has a longer queue. The queue counts as the reason only if the
	// latency of the component is less than queueTimes times the latency of the peers. Queues of
	// healthy drives in one group often differ by a factor of two to three.
	queueTimes = 4
	// saturatedPercent is the smallest busy time, in percent, at which a component counts as having
	// no idle time left.
	saturatedPercent = 90
	// hotterDegrees is the smallest difference in °C at which a component is reported as hotter
	// than its peers.
	hotterDegrees = 10
)

// explain adds reasons to the components. A component that is slow, or may be slow, gets the
// reasons that could explain its latency. Every component gets reasons about its errors and its
// heat. If a reason explains the latency of a component without a fault, the component gets the
// mark Explained.
func (c *comparison) explain() {
	peers := make([]float64, len(c.group.metrics)) // by metric: the median of all components that are neither idle nor of another kind
	values := make([]float64, 0, len(c.parts))
	for m := range peers {
		values = values[:0]
		for i := range c.parts {
			if x := c.group.mean(m, i); !math.IsNaN(x) && c.parts[i].Mark != Idle && c.parts[i].Mark != OtherKind {
				values = append(values, x)
			}
		}
		peers[m] = quantile.Median(values)
	}
	for i := range c.parts {
		p := &c.parts[i]
		if len(p.Measures) > 0 && p.Measures[0].Metric.Role.isSpeed() && (p.Mark == Apart || p.Mark == SlowWithHost || p.Mark == Unsure) {
			c.reasons(p, i, peers)
		}
		c.faults(p, i, peers)
		if (p.Mark == Apart || p.Mark == Unsure) && slices.ContainsFunc(p.Reasons, func(r Reason) bool { return r.Explains }) {
			p.Mark = Explained
		}
	}
}

// reasons adds the reasons that could explain the latency of the component p, which has the index
// i. The parameter `peers` has the median of its peers for each metric.
func (c *comparison) reasons(p *Component, i int, peers []float64) {
	slow := p.Measures[0].Times
	add := func(cause Cause, m int, explains bool) {
		p.Reasons = append(p.Reasons, Reason{
			Cause: cause, Metric: c.group.metrics[m], Value: c.group.mean(m, i), Peers: peers[m], Explains: explains,
		})
	}
	ratio := func(role Role) (r float64, of int, ok bool) {
		for m := range c.group.metrics {
			x := c.group.mean(m, i)
			if c.group.metrics[m].Role == role && x > 0 && peers[m] > 0 && (!ok || x/peers[m] > r) {
				r, of, ok = x/peers[m], m, true
			}
		}
		return r, of, ok
	}
	work, workOf, hasWork := ratio(Work)
	if size, of, ok := ratio(Size); ok && size >= moreTimes {
		add(LargerSize, of, slow <= roomTimes*size)
	}
	busy, busyOf, hasBusy := ratio(Busy)
	switch {
	case !hasWork:
	case work >= moreTimes:
		explains := work >= otherJobTimes || slow <= roomTimes*max(work, c.queueing(i, peers, busyOf, hasBusy))
		add(MoreWork, workOf, explains)
	case work < 1/moreTimes:
		add(LessWork, workOf, false)
	}
	service := hasBusy && busy >= moreTimes && peers[busyOf] < saturatedPercent
	if hasWork && work < moreTimes && service {
		add(ServiceTime, busyOf, false)
	}
	if queue, of, ok := ratio(Queue); ok && queue >= moreTimes && hasWork && work <= sameTimes && work >= 1/sameTimes {
		add(LongerQueue, of, slow < queueTimes && !service)
	}
	if ahead, of, ok := ratio(QueueAhead); ok && ahead >= moreTimes {
		add(InFront, of, false)
	}
	if held, of, ok := ratio(HeldData); ok && held >= moreTimes {
		add(MoreHeld, of, slow <= roomTimes*held)
	}
	c.oneDirection(p)
}

// queueing returns a ratio: the expected wait of a request of the component, divided by the
// expected wait of a request of a peer. It computes this ratio from the busy times of the component
// and of its peers, for a queue with one server (M/M/1).
func (c *comparison) queueing(i int, peers []float64, busy int, known bool) float64 {
	if !known {
		return 1
	}
	const most = 99 // a tool may round 99.9 to 100, and the wait at 100 % would be infinite
	free := func(percent float64) float64 { return 100 - min(percent, most) }
	return free(peers[busy]) / free(c.group.mean(busy, i))
}

// oneDirection adds a reason if only the reads or only the writes of a component are slow.
func (c *comparison) oneDirection(p *Component) {
	if len(p.Measures) != 2 {
		return
	}
	first, second := p.Measures[0], p.Measures[1]
	if first.Times < moreTimes || second.Times >= moreTimes {
		return
	}
	cause := map[string]Cause{readLatency: OnlyReads, writeLatency: OnlyWrites}[first.Metric.Name]
	if cause != "" {
		p.Reasons = append(p.Reasons, Reason{Cause: cause, Metric: second.Metric, Value: second.Value, Peers: second.Peers})
	}
}

// The names of the metrics of reads and writes.
const (
	readLatency  = "read latency"
	writeLatency = "write latency"
)

// faults adds a reason if the component has errors that its peers do not have, or is much hotter
// than its peers.
func (c *comparison) faults(p *Component, i int, peers []float64) {
	for at, m := range c.group.metrics {
		if m.Role != Errors && m.Role != Heat {
			continue
		}
		x := c.group.mean(at, i)
		switch {
		case math.IsNaN(x):
		case m.Role == Errors && x > 0 && peers[at] == 0:
			p.Reasons = append(p.Reasons, Reason{Cause: HasErrors, Metric: m, Value: x, Peers: peers[at]})
		case m.Role == Heat && x >= peers[at]+hotterDegrees && len(c.parts) >= fewestPeers:
			p.Reasons = append(p.Reasons, Reason{Cause: Hotter, Metric: m, Value: x, Peers: peers[at]})
		}
	}
}

// slowAlike reports whether several components are slow to the same degree.
func (c *comparison) slowAlike() bool {
	apart := 0
	least, most := math.Inf(1), 0.0
	for i := range c.parts {
		if p := &c.parts[i]; p.Mark == Apart && p.Measures[0].Metric.Role.isSpeed() {
			apart++
			least, most = min(least, p.Measures[0].Times), max(most, p.Measures[0].Times)
		}
	}
	return apart > 1 && most <= alikeTimes*least
}
