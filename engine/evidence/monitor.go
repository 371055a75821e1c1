package evidence

import (
	"math"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/internal/state"
)

// Monitor watches components in groups, step by step.
type Monitor struct {
	opts   Options
	rungs  [Rungs]float64
	keep   float64 // what a step leaves of the averages of noise
	walks  []walk  // by component
	shows  []bool  // by component: it is on an excursion; apart, since nearly all are asked for it and are not
	groups []group // what the members of a group do
	pool   [Rungs]tail
	mixed  [][Rungs]tail // by group: its own tails and the pool's, as they were when it was last mixed
	fresh  []bool        // by group: mixed stands
	steps  float64       // since what was learned last faded
}

// walk is how the sums of one component stand.
type walk struct {
	sum   [Rungs]float64
	peak  [Rungs]float64
	shown [Rungs]Stretch
	last  int64 // end of the last step with a value
	pause pause // the last time without values
	known bool  // the excursion is no noise: it is not learned from
}

// group is the noise of one group.
type group struct {
	usual  average         // of the median absolute values of all steps
	phases [Phases]average // and of those of a phase
	spread float64         // of the phase at hand
	tails  [Rungs]tail
}

// Phases is in how many ways a group can be at work. How far members that are alike
// are apart goes with how busy they are: what is known of a busy hour says little of
// a quiet one.
const Phases = 4

// average is a mean that forgets.
type average struct {
	sum, weight float64
}

func (a *average) add(x, keep float64) { a.sum, a.weight = keep*a.sum+x, keep*a.weight+1 }

// mean where another value counts as some more steps.
func (a *average) mean(other, steps float64) float64 {
	return (a.sum + steps*other) / max(a.weight+steps, 1)
}

// New watches components that have shown nothing yet.
func New(o Options, components, groups int) *Monitor {
	return &Monitor{
		opts: o, rungs: o.rungs(), keep: math.Exp2(-1 / o.SpreadSteps),
		walks: make([]walk, components), shows: make([]bool, components), groups: make([]group, groups),
		mixed: make([][Rungs]tail, groups), fresh: make([]bool, groups),
	}
}

// Begin takes note that a step begins.
func (m *Monitor) Begin() {
	clear(m.fresh)
	if m.steps++; m.steps < m.opts.RememberSteps/fadings {
		return
	}
	m.steps = 0
	factor := math.Exp2(-1.0 / fadings)
	for g := range m.groups {
		for r := range m.groups[g].tails {
			m.groups[g].tails[r].fade(factor)
		}
	}
	for r := range m.pool {
		m.pool[r].fade(factor)
	}
}

// fadings is in how many portions what was learned comes to count half.
const fadings = 64

// Noise takes the median absolute value of a group's members in a step of some phase,
// and how many of them there were.
func (m *Monitor) Noise(g, phase int, medianAbs float64, members int) {
	x := &m.groups[g]
	x.usual.add(medianAbs, m.keep)
	x.phases[phase].add(medianAbs, m.keep)
	x.spread = m.deviation(x.phases[phase].mean(x.usual.mean(0, 0), m.opts.PhaseSteps))
	for r := range x.tails {
		x.tails[r].steps += float64(members)
		m.pool[r].steps += float64(members)
	}
}

// Spread is the spread of a group over all phases: the deviation of normal values
// that have its median absolute value.
func (m *Monitor) Spread(g int) float64 { return m.deviation(m.groups[g].usual.mean(0, 0)) }

func (m *Monitor) deviation(medianAbs float64) float64 {
	return max(medianAbs*DeviationsPerMAD, m.opts.LeastSpreadNats)
}

// DeviationsPerMAD makes a deviation of a median absolute deviation, for normal
// noise.
const DeviationsPerMAD = 1.4826

// Value is what one component shows in a step.
type Value struct {
	Nats   float64          // logarithm of how many times slower than its group it was
	Effect float64          // and than those of the others that are as they should be
	Apart  float64          // by how much members of the group differ without a fault
	Weight float64          // from 0 to 1: how much of a member's usual work stands behind it
	Beside [Besides]float64 // that means are wanted of, too
}

// Besides is how much stands beside a value.
const Besides = 3

// Count takes the value of one component in a step that ends at a time.
func (m *Monitor) Count(c, g int, v Value, end, step int64) {
	w, spread := &m.walks[c], max(m.groups[g].spread, m.opts.LeastSpreadNats)
	if begin := end - step; w.last < begin {
		w.pause = pause{w.last, begin}
	}
	for r, smallest := range m.rungs {
		adds := v.Weight * min(max((v.Nats-v.Apart-smallest)/spread, -m.opts.MostDeviations), m.opts.MostDeviations)
		switch was := w.sum[r]; {
		case was == 0 && adds <= 0:
		case was+adds <= 0:
			m.over(c, g, r)
		default:
			if was == 0 {
				w.shown[r] = Stretch{Since: end - step, pause: w.pause, rung: smallest}
			}
			w.sum[r] = was + adds
			w.shown[r].add(&v, w.sum[r] >= w.peak[r])
			w.peak[r] = max(w.peak[r], w.sum[r])
		}
	}
	w.last, m.shows[c] = end, w.sum[0] > 0
}

// over ends an excursion, and learns from it.
func (m *Monitor) over(c, g, r int) {
	w := &m.walks[c]
	if !w.known {
		m.groups[g].tails[r].count(w.peak[r])
		m.pool[r].count(w.peak[r])
		m.fresh[g] = false
	}
	w.sum[r], w.peak[r] = 0, 0
	if r == 0 {
		w.known, m.shows[c] = false, false
	}
}

// Known says that what a component shows is no noise, so that nothing is learned
// from it.
func (m *Monitor) Known(c int) { m.walks[c].known = true }

// End ends what a component shows: it has been like its peers for long enough.
func (m *Monitor) End(c, g int) {
	for r := Rungs - 1; r >= 0; r-- {
		if m.walks[c].sum[r] > 0 {
			m.over(c, g, r)
		}
	}
}

// Forget begins anew with a component, and learns nothing of it.
func (m *Monitor) Forget(c int) {
	m.walks[c], m.shows[c] = walk{last: m.walks[c].last, pause: m.walks[c].pause}, false
}

// Since is the end of the step before the excursion of a component on the lowest
// rung began; 0 where it shows nothing.
func (m *Monitor) Since(c int) int64 {
	if !m.Shows(c) {
		return 0
	}
	return m.walks[c].shown[0].Since
}

// Change is the stretch that explains most of what a component shows; it is empty
// where the component shows nothing.
func (m *Monitor) Change(c int) *Stretch {
	w, best := &m.walks[c], &Stretch{rung: m.rungs[0]}
	for r := range m.rungs {
		if s := &w.shown[r]; w.sum[r] > 0 && s.gain() >= best.gain() {
			best = s
		}
	}
	return best
}

// Shows says whether a component is on an excursion at all.
func (m *Monitor) Shows(c int) bool { return m.shows[c] }

// Nats is the evidence that a component is slower than its peers.
func (m *Monitor) Nats(c, g int) float64 {
	w, nats := &m.walks[c], 0.0
	if w.sum[0] < heights[0] {
		return 0
	}
	m.mix(g)
	burst := m.opts.BurstSteps * m.opts.MostDeviations
	for r := range m.rungs {
		nats = max(nats, m.mixed[g][r].nats(w.sum[r], burst))
	}
	return max(nats-math.Log(Rungs), 0)
}

// mix puts the tails of a group and of all groups together.
func (m *Monitor) mix(g int) {
	if m.fresh[g] {
		return
	}
	m.fresh[g] = true
	for r := range m.rungs {
		t := m.groups[g].tails[r]
		t.plus(&m.pool[r], min(m.opts.PooledExcursions/max(m.pool[r].above[0], 1), 1))
		m.mixed[g][r] = t
	}
}

// State writes or reads all that is remembered.
func (m *Monitor) State(c *state.Codec, axes *blame.Axes) {
	clear(m.fresh)
	c.Float(&m.steps)
	state.By(c, axes.Components, m.walks, func(c *state.Codec, w *walk) {
		for r := range m.rungs {
			c.Float(&w.sum[r])
			c.Float(&w.peak[r])
			w.shown[r].state(c)
			w.shown[r].rung = m.rungs[r]
		}
		state.Int(c, &w.last)
		w.pause.state(c)
		c.Bool(&w.known)
	})
	for i := range m.walks {
		m.shows[i] = m.walks[i].sum[0] > 0
	}
	state.By(c, axes.Groups, m.groups, func(c *state.Codec, x *group) {
		x.usual.state(c)
		for p := range x.phases {
			x.phases[p].state(c)
		}
		c.Float(&x.spread)
		for r := range x.tails {
			x.tails[r].state(c)
		}
	})
	for r := range m.pool {
		m.pool[r].state(c)
	}
}

func (a *average) state(c *state.Codec) {
	c.Float(&a.sum)
	c.Float(&a.weight)
}
