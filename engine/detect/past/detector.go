package past

import (
	"math"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/internal/state"
)

// Detector compares the latency of every component with its own past. The caller passes each row to
// Row and then calls Tick. After a tick the caller calls Findings.
type Detector struct {
	criteria         criteria.Options
	facts            *window.Facts
	monitor          *evidence.Monitor
	clients          *Clients
	hasPeers         func(c int) bool // reports whether a component has peers with which it can be compared
	step             int64            // seconds between rows
	ticks            window.Ticks
	keep, keepPart   float64 // keep: factor by which the weight of earlier ticks is multiplied at each tick; keepPart: factor by which the weight of earlier parts of a day is multiplied at the end of each part
	keepRecent       float64 // weight of the old value in the average over the last ticks
	suspectEvidence  float64 // evidence that makes a suspect, in nats
	incidentEvidence float64 // evidence that an incident needs, in nats
	courses          []course
	groups           [][]int // by peer group: its drives and paths
	sorted           []float64
}

const (
	// TickSeconds is the time between two comparisons, in seconds. The time is long enough that the
	// mean latency of a tick has little noise, and short enough that a slow component is reported
	// soon.
	TickSeconds = 300
	// minTicks is the minimum number of ticks after which a curve is known. It is three times the
	// number of features.
	minTicks = 3 * numFeatures
	// knownSeconds is the time after which the past of a component is known: one day to learn the
	// curve, and one day to see how far the latency of a healthy component is from the curve.
	knownSeconds = 2 * daySeconds
	// recentTicks is the half-life, in ticks, of the averages over the last ticks (course.now,
	// course.recent).
	recentTicks = 2
	// rememberTimes is the number of half-lives for which the past is remembered. If a component
	// has been slow for a longer time, the detector forgets its past and learns a new past.
	rememberTimes = 4
)

// New returns a detector before its first row. The parameter `step` is the number of seconds
// between rows. The detector calls hasPeers(c), which reports whether component c can be compared
// with peers. The parameter `clients` finds the client that causes a slowness.
func New(c criteria.Options, e evidence.Options, f *window.Facts, step int64, clients *Clients, hasPeers func(c int) bool) *Detector {
	d := &Detector{
		criteria: c, facts: f, clients: clients, hasPeers: hasPeers, step: step, ticks: window.NewTicks(TickSeconds, step),
		courses: make([]course, len(f.System.Components)), groups: make([][]int, len(f.System.Groups)),
	}
	remember := float64(c.RememberSeconds)
	d.keep, d.keepPart = math.Exp2(-float64(d.ticks.Seconds)/remember), math.Exp2(-partSeconds/remember)
	d.keepRecent = math.Exp2(-1.0 / recentTicks)
	d.monitor = evidence.New(e, c, len(f.System.Components), len(f.System.Groups), d.ticks.Seconds)
	d.suspectEvidence, d.incidentEvidence = c.Evidence(len(f.Attachments), d.ticks.Seconds)
	for _, at := range f.Attachments {
		g := f.GroupOf(at)
		d.groups[g] = append(d.groups[g], at)
	}
	return d
}

// Row adds a row to the sums of the present tick.
func (d *Detector) Row(row *table.Row) {
	lead := row.Values[d.facts.Lead]
	for _, c := range d.facts.Attachments {
		if !(lead[c] > 0) || d.facts.HasNoValues(row, c) {
			continue
		}
		requests := d.facts.Requests(row, c, d.step)
		if !(requests > 0) {
			continue
		}
		t := &d.courses[c].tick
		t.steps++
		t.latency += math.Log(lead[c])
		t.requests += requests
		t.work += float64(d.step) * d.facts.Work(row, c)
		t.read += float64(d.step) * d.facts.Read(row, c)
	}
}

// Tick compares every component with its past, and returns the number of seconds since the previous
// tick. If no tick ends at the Unix time `end`, it does nothing and returns 0. Findings may be
// called only after a tick.
func (d *Detector) Tick(end int64) int64 {
	seconds := d.ticks.Advance(end, true)
	if seconds == 0 {
		return 0
	}
	d.monitor.BeginStep()
	for g, members := range d.groups {
		for _, c := range members {
			d.compareWithCurve(c, end)
		}
		d.noise(g, members)
		for _, c := range members {
			if d.courses[c].compared {
				d.count(c, g, end)
			}
			d.update(c, g, end)
			d.learn(c, g, end)
			d.courses[c].tick = tick{}
		}
	}
	return seconds
}

// compareWithCurve compares the latency of a component in the present tick with its curve.
func (d *Detector) compareWithCurve(c int, end int64) {
	w := &d.courses[c]
	w.compared = false
	if w.tick.steps == 0 || w.pastSince == 0 {
		return
	}
	now := w.tick.mix(d.facts.CountsRequests())
	x := now.features(&w.origin, end)
	expected, variance := w.curve.predict(&x)
	w.difference = w.tick.latency/w.tick.steps - expected
	deviations := d.criteria.HalfShare * d.criteria.SureDeviations
	w.tolerance = deviations * w.drift.deviation(d.assumedDeviation())
	w.compared = w.ticks >= minTicks && end-w.pastSince > knownSeconds
	unsure := deviations * d.monitor.Spread(d.facts.GroupOf(c)) * math.Sqrt(variance)
	w.novelty = d.keepRecent*w.novelty + (1-d.keepRecent)*unsure
	w.novel = w.compared && unsure >= d.assumedDeviation()
}

// assumedDeviation returns the standard deviation that the detector assumes before it has measured
// this deviation. It is the standard deviation of the mean difference between latency and curve
// over a part of a day (type drift). The value is half of a clear difference (ClearTimes).
func (d *Detector) assumedDeviation() float64 {
	return d.criteria.HalfShare * math.Log(d.criteria.ClearTimes)
}

// noise passes the noise of a group to the monitor. The noise is the median of the absolute
// differences between the latencies of the members and their curves in this tick.
func (d *Detector) noise(g int, members []int) {
	d.sorted = d.sorted[:0]
	most := d.criteria.SureDeviations * d.monitor.Spread(g)
	for _, c := range members {
		if w := &d.courses[c]; w.compared && !w.anomalous {
			d.sorted = append(d.sorted, min(math.Abs(w.difference), most))
		}
	}
	if len(d.sorted) > 0 {
		d.monitor.AddNoise(g, 0, quantile.Median(d.sorted), len(d.sorted))
	}
}

// Indexes of the extra numbers (evidence.Value.Extra) that the detector passes to the monitor with
// each value. All extra numbers are natural logarithms.
const (
	expectedLatency = iota
	ownLatency
	loadRatio
)

// count adds the present tick to the evidence of a component in group g. The tick ends at the Unix
// time `end`.
func (d *Detector) count(c, g int, end int64) {
	w := &d.courses[c]
	own := w.tick.latency / w.tick.steps
	now := w.tick.mix(d.facts.CountsRequests())
	weight := min(w.tick.steps*float64(d.step)/float64(d.ticks.Seconds), 1)
	d.monitor.AddValue(c, g, &evidence.Value{
		LogRatio: w.difference, Effect: w.difference, Tolerance: w.tolerance, Weight: weight,
		Extra: [evidence.Extras]float64{expectedLatency: own - w.difference, ownLatency: own, loadRatio: now.load - w.usual.load},
	}, end, d.ticks.Seconds)
	w.now = d.keepRecent*w.now + (1-d.keepRecent)*w.difference
	w.recent.moveTowards(now, d.keepRecent)
	if d.monitor.HasExcursion(c) {
		w.count++
		w.excess += w.difference
		w.worst = max(w.worst, w.now)
		w.waited += w.tick.requests * max(math.Exp(own)-math.Exp(own-w.difference), 0)
	}
}

// update decides whether a component is anomalous, and whether it is a suspect. The component's
// evidence must reach the bound for an anomalous component or for a suspect, and the component must
// still be slow. If the component has been as fast as before for RecoverSeconds, update ends its
// episode.
func (d *Detector) update(c, g int, end int64) {
	w := &d.courses[c]
	if !d.monitor.HasExcursion(c) {
		w.endEpisode()
		return
	}
	if !w.compared {
		return
	}
	w.evidence = d.monitor.Evidence(c, g)
	slow := max(w.slowness(), math.Log(d.criteria.SmallestTimes))
	shows := w.now >= d.criteria.HalfShare*slow
	switch {
	case shows:
		w.calmSince = 0
	case w.calmSince == 0:
		w.calmSince = end
	case end-w.calmSince >= d.criteria.RecoverSeconds:
		d.monitor.EndExcursion(c, g)
		w.endEpisode()
		return
	}
	w.suspect = w.evidence >= d.suspectEvidence && shows
	w.anomalous = w.suspect || w.evidence >= d.criteria.HalfShare*d.suspectEvidence && shows
	if !w.anomalous {
		w.anomalousSince = 0
	} else if w.anomalousSince == 0 {
		w.anomalousSince, w.first = end, d.onset(c)
	}
	if w.suspect {
		w.suspectTicks++
	} else if w.suspectTicks > 0 {
		w.suspectTicks--
	}
	if w.evidence >= d.incidentEvidence {
		d.monitor.MarkFault(c)
	}
}

// learn adds the present tick to the past of a component. The tick of an anomalous component is not
// added, because its slowness would become its past. If the component has been anomalous for longer
// than rememberTimes half-lives, its past is forgotten. If the requests of the tick are new for the
// component, the tick is added only after a day of such requests, so that the change of the
// requests can be reported first.
func (d *Detector) learn(c, g int, end int64) {
	w := &d.courses[c]
	if w.anomalous && end-w.anomalousSince > rememberTimes*d.criteria.RememberSeconds {
		d.Restart(c)
	}
	switch {
	case w.tick.steps == 0:
		return
	case w.novel:
		if w.novelTicks++; w.novelTicks < float64(daySeconds/d.ticks.Seconds) {
			return
		}
	case w.anomalous:
		return
	default:
		w.novelTicks *= d.keep
	}
	now := w.tick.mix(d.facts.CountsRequests())
	if w.pastSince == 0 {
		w.pastSince, w.origin, w.usual, w.recent = end-d.ticks.Seconds, now, now, now
	}
	x := now.features(&w.origin, end)
	expected, variance := w.curve.predict(&x)
	most := d.criteria.SureDeviations * max(d.monitor.Spread(g), d.criteria.FewShare) * math.Sqrt(1+variance)
	difference := w.tick.latency/w.tick.steps - expected
	learned := difference
	if w.compared { // before the first comparison, the spread of the group is not known
		learned = min(max(difference, -most), most)
	}
	if w.ticks >= minTicks && end-w.pastSince > daySeconds {
		w.drift.add(difference, end, d.keepPart)
	}
	weight := min(w.tick.steps*float64(d.step)/float64(d.ticks.Seconds), 1)
	w.curve.learn(&x, expected+learned, weight, d.keep)
	w.ticks++
	w.last = end
	w.usual.moveTowards(now, min(1-1/w.ticks, d.keep))
}

// onset computes the onset of a component's slowness from the evidence.
func (d *Detector) onset(c int) finding.Onset {
	s := d.monitor.BestStretch(c)
	early, late := s.ChangeInterval(d.monitor.Spread(d.facts.GroupOf(c)), d.ticks.Seconds)
	return finding.Onset{At: s.Since, Early: max(early, d.facts.Begin), Late: max(min(late, d.ticks.Last), s.Since)}
}

// Since returns the Unix time since which a component has been slower than in its past.
func (d *Detector) Since(c int) int64 { return d.monitor.BestStretch(c).Since }

// Judged reports whether the latency of a component was compared with its past at the last tick.
func (d *Detector) Judged(c int) bool { return d.courses[c].compared }

// CountKnown returns the number of components whose past is known.
func (d *Detector) CountKnown() (n int) {
	for _, c := range d.facts.Attachments {
		if w := &d.courses[c]; w.ticks >= minTicks && w.last-w.pastSince > knownSeconds {
			n++
		}
	}
	return n
}

// Forget drops the evidence about a component. The detector keeps the learned past of the
// component.
func (d *Detector) Forget(c int) {
	d.monitor.Forget(c)
	d.courses[c].endEpisode()
}

// Restart drops the evidence about a component and deletes its past. The detector learns a new past
// from now on.
func (d *Detector) Restart(c int) {
	d.monitor.Forget(c)
	d.courses[c] = course{tick: d.courses[c].tick}
}

// State writes or reads the learned past and the present episode (course) of every component.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &d.ticks.Last)
	d.monitor.State(c, axes)
	state.By(c, axes.Components, d.courses, func(c *state.Codec, w *course) { w.state(c) })
}
