package slow

import (
	"math"

	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/topology"
)

// pulse is what a peer group does in a step.
type pulse struct {
	usual    float64 // median latency of the members that have something to do; missing where fewer than three have
	work     float64 // median of their throughput, over the last minute or so
	rate     float64 // and of their requests
	requests float64 // median of their requests in the step
	idle     bool    // most members have nothing to do: the others are compared with doing nothing
	apart    float64 // how far members are apart for hours without a fault, as a logarithm beyond the smallest effect
}

// value is what one member of a group shows in a step.
type value struct {
	component int
	latency   float64
	requests  float64
	peers     float64 // median latency of the others that are not slow
	excess    float64 // logarithm of how many times slower than its group
}

// Row takes the next row.
func (d *Detector) Row(row *table.Row) {
	d.monitor.Begin()
	for g := range d.groups {
		if !d.judges[g] {
			continue
		}
		d.gather(g, row)
		d.pulse(g)
		if p := &d.groups[g]; !table.IsMissing(p.usual) {
			d.compare(g, row.End)
		}
	}
	for _, c := range d.facts.Watched {
		if d.roles[c] == heir {
			d.compareHeir(c, row)
		}
	}
}

// gather collects what the members of a group show that are compared with each
// other.
func (d *Detector) gather(g int, row *table.Row) {
	d.values = d.values[:0]
	idle, there := 0, 0
	lead := row.Values[d.facts.Lead]
	for _, c := range d.facts.System.Groups[g].Members {
		if d.facts.Missing(row, c) {
			continue
		}
		there++
		requests := d.facts.Requests(row, c, d.step)
		if requests == 0 {
			idle++
		}
		if work := d.facts.Work(row, c); work != 0 || requests != 0 || !d.rests[c] {
			d.rests[c] = d.courses[c].noteLoad(work, requests, d.keepLoad)
		}
		if d.roles[c] == counted && requests > 0 && lead[c] > 0 && lead[c] < d.still {
			d.values = append(d.values, value{component: c, latency: lead[c], requests: requests})
		}
	}
	mostly := d.facts.LeadMetric.Noise > 0 && float64(idle) > d.opts.IdleShare*float64(there) && there >= topology.MinPeers
	d.groups[g].idle = mostly && (len(d.values) < topology.MinPeers || d.standsBy(g))
}

// pulse sets what a group does.
func (d *Detector) pulse(g int) {
	p := &d.groups[g]
	p.usual, p.work, p.rate, p.requests = table.Missing, table.Missing, table.Missing, table.Missing
	if p.idle {
		p.usual, p.requests = d.facts.LeadMetric.Noise, 0
		return
	}
	if len(d.values) < topology.MinPeers {
		return
	}
	p.usual = d.median(func(v *value) float64 { return v.latency })
	p.requests = d.median(func(v *value) float64 { return v.requests })
	p.work = d.median(func(v *value) float64 { return d.courses[v.component].work })
	p.rate = d.median(func(v *value) float64 { return d.courses[v.component].rate })
}

func (d *Detector) median(of func(*value) float64) float64 {
	d.sorted = d.sorted[:0]
	for i := range d.values {
		d.sorted = append(d.sorted, of(&d.values[i]))
	}
	return quantile.Median(d.sorted)
}

// compare counts what every member of a group shows against it.
func (d *Detector) compare(g int, end int64) {
	p := &d.groups[g]
	if p.idle {
		d.compareIdle(g, end)
		return
	}
	d.sorted = d.sorted[:0]
	for i := range d.values {
		d.values[i].excess = math.Log(d.values[i].latency / p.usual)
		d.sorted = append(d.sorted, math.Abs(d.values[i].excess))
	}
	phase := phaseOf(p.usual, d.facts.Groups[g].Light, d.opts.PhaseTimes)
	d.monitor.Noise(g, int(phase), quantile.Median(d.sorted), len(d.values))
	d.reference()
	for i := range d.values {
		v := &d.values[i]
		d.count(v, g, p, v.excess, min(v.requests/p.requests, 1), end)
	}
}

// reference sets what each member of a group would take if it were like the others:
// the median of those that are not slow themselves, and without its own, which
// would draw it nearer. Where too few are left, that of all others.
func (d *Detector) reference() {
	d.sorted = d.sorted[:0]
	for i := range d.values {
		if v := &d.values[i]; !d.courses[v.component].odd {
			d.sorted = append(d.sorted, v.latency)
		}
	}
	all := len(d.sorted) < topology.MinPeers
	if all {
		d.median(func(v *value) float64 { return v.latency }) // of all: they are in d.sorted now
	}
	healthy := quantile.MiddleOf(d.sorted)
	for i := range d.values {
		v := &d.values[i]
		v.peers = healthy.Median()
		if all || !d.courses[v.component].odd {
			v.peers = healthy.Without(v.latency)
		}
	}
}

// compareIdle counts what members show whose peers have nothing to do: such
// peers are at the noise of the metric. Where a member rests as well it is like
// them; where it has work, that is far more than theirs.
func (d *Detector) compareIdle(g int, end int64) {
	p := &d.groups[g]
	d.monitor.Noise(g, int(idle), 0, len(d.facts.System.Groups[g].Members))
	for i := range d.values {
		v := &d.values[i]
		v.peers = p.usual
		d.count(v, g, p, max(math.Log(v.latency/p.usual), 0), 1, end)
	}
	for _, c := range d.facts.System.Groups[g].Members {
		if w := &d.courses[c]; d.monitor.Shows(c) && w.counted != end && d.roles[c] == counted && w.work == 0 {
			d.count(&value{component: c, latency: p.usual, peers: p.usual}, g, p, 0, 1, end)
		}
	}
}

// compareHeir compares a path that took over with the peers of the first path to its
// LUN. More is asked than elsewhere, since no peers of its own tell what is usual
// for it.
func (d *Detector) compareHeir(c int, row *table.Row) {
	g := d.facts.GroupOf(d.facts.First(d.facts.LUNOf[c]))
	p, latency := &d.groups[g], row.Values[d.facts.Lead][c]
	if d.facts.Missing(row, c) || p.idle || !(p.usual > 0) || !(latency > 0) || latency >= d.still {
		return
	}
	v := value{component: c, latency: latency, requests: d.facts.Requests(row, c, d.step), peers: p.usual}
	d.count(&v, g, p, math.Log(latency/p.usual/d.opts.HeirTimes), min(v.requests/p.requests, 1), row.End)
}

// count takes up what a member shows, less what its load explains. A load that
// comes after a pause is another matter, and so is what a member shows once its
// array has rebuilt or checked itself.
func (d *Detector) count(v *value, g int, p *pulse, excess, weight float64, end int64) {
	w := &d.courses[v.component]
	upkeep := d.facts.Upkeep[v.component]
	pause := end-w.counted > d.opts.PauseSeconds && d.hasFarMoreLoad(v.component)
	if w.steps > 0 && pause || w.isUpkeep() && upkeep == table.NoWork {
		d.monitor.End(v.component, g)
		w.reset()
	}
	load := d.loadTimes(p, w)
	excess -= math.Log(d.queueTimes(g, p.usual, load))
	most := math.Log(d.opts.MostTimes)
	effect := min(excess+math.Log(p.usual/v.peers), most)
	excess = min(excess, most)
	beside := [evidence.Besides]float64{theLoad: math.Log(load), ownLatency: math.Log(v.latency), peersLatency: math.Log(v.peers)}
	d.monitor.Count(v.component, g, evidence.Value{Nats: excess, Effect: effect, Apart: p.apart, Weight: weight, Beside: beside}, end, d.step)
	if !d.monitor.Shows(v.component) {
		w.reset()
	} else {
		w.add(&sample{excess: excess, light: d.light(g, p.usual), own: v.latency, peers: v.peers, requests: v.requests, upkeep: upkeep})
	}
	w.recent(excess, end, d.keepRecent, d.keepSteady)
}

// What stands beside the value of a step, as logarithms.
const (
	theLoad      = iota // how many times its peers' load a member had
	ownLatency          // its latency
	peersLatency        // and that of its peers
)

// loadTimes is how many times its peers' work a member has, by throughput or by
// requests, whichever is more; 1 where that is not known.
func (d *Detector) loadTimes(p *pulse, w *course) float64 {
	load := 0.0
	if p.idle && !d.facts.Light(w.work) {
		load = d.opts.IdleLoadTimes
	}
	if p.work > 0 {
		load = w.work / p.work
	}
	if p.rate > 0 {
		load = max(load, w.rate/p.rate)
	}
	if load == 0 {
		return 1
	}
	return max(load, leastLoad)
}

// leastLoad keeps the logarithm of a load finite.
const leastLoad = 1e-3

// light says whether the peers have so little to do that requests do not wait for
// each other. A group that was never seen to be busier says nothing of that.
func (d *Detector) light(g int, usual float64) bool {
	x := &d.facts.Groups[g]
	return x.Light > 0 && x.Heavy >= d.opts.HeavyTimes*x.Light && usual <= d.opts.LightTimes*x.Light
}

// queueTimes is how many times slower a component is for a little more load than
// its peers have. Far more load is no excuse but a reason.
func (d *Detector) queueTimes(g int, usual, load float64) float64 {
	if load <= 1 || load >= d.opts.ImbalanceTimes {
		return 1
	}
	return times(load, busyShare(usual, d.facts.Groups[g].Light, d.opts.MostBusyShare), d.opts.MostBusyShare)
}
