package evidence

import (
	"math"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/internal/state"
)

// Monitor holds the sums of all components. Each component has one CUSUM for each rung: the
// smallest effect that this sum detects (Rungs). An excursion is a time in which a sum is above
// zero. For each group, Monitor also counts how high the sums of its members climbed in their
// excursions (type tail).
type Monitor struct {
	opts        Options
	maxGain     float64 // greatest amount that one step adds to a sum, in standard deviations of the group, so that no single step can decide
	minSpread   float64 // smallest standard deviation of a group, in nats: the values of a group are natural logarithms of ratios
	rungs       [Rungs]float64
	keepNoise   float64 // factor by which the weight of earlier noise is multiplied in each step
	phaseWeight float64 // weight, in steps, of the noise over all phases when the noise of one phase is computed (phaseTicks); a phase is a range of the group's load
	fadeSteps   float64 // number of steps between two fadings: a fading reduces the weight of counted excursions (BeginStep)
	walks       []walk  // by component: its sums
	inExcursion []bool  // by component: whether its sum for the lowest rung is above zero; a separate slice, because every step reads it for all components
	groups      []group // by group: its noise
	pool        [Rungs]tail
	mixed       [][Rungs]tail // by group: its own tails combined with the tails of all groups (pool)
	isMixed     []bool        // by group: whether its entry in mixed is up to date
	steps       float64       // number of steps since the weight of the counted excursions was last reduced
}

// walk holds the sums of one component, by rung: one sum for each smallest effect that is detected
// (Rungs). An excursion is the time in which a sum is above zero.
type walk struct {
	sum       [Rungs]float64
	peak      [Rungs]float64 // by rung: greatest sum of the present excursion
	stretches [Rungs]Stretch // by rung: the part of the present excursion in which the sum climbed to its peak
	last      int64          // Unix time of the end of the last step with a value
	pause     pause          // the last period without values
	fault     bool           // the present excursion is a fault; its peak is not added to the statistics of the group
}

// group has the noise of one group: how much its healthy members differ by chance.
type group struct {
	usual  average         // mean, over all steps, of the noise of one step: the median, over the members, of |Value.LogRatio|
	phases [Phases]average // by phase: mean of the noise of one step, over the steps of this phase
	spread float64         // standard deviation in the present phase
	tails  [Rungs]tail
}

// Phases is the number of phases of a group. A phase is a range of the group's load. The difference
// between healthy members depends on the load, so each phase has its own spread (standard
// deviation).
const Phases = 4

// average is a mean in which earlier values lose weight.
type average struct {
	sum, weight float64
}

func (a *average) add(x, keep float64) { a.sum, a.weight = keep*a.sum+x, keep*a.weight+1 }

// mean returns the mean of the values so far and of one more value. The parameter `other` is this
// value, and `steps` is its weight.
func (a *average) mean(other, steps float64) float64 {
	return (a.sum + steps*other) / max(a.weight+steps, 1)
}

// New returns a monitor for the given numbers of components and groups, and for steps of the given
// length. All sums are zero.
func New(o Options, c criteria.Options, components, groups int, stepSeconds int64) *Monitor {
	return &Monitor{
		opts: o, maxGain: c.SureDeviations, minSpread: c.FewShare, rungs: rungsOf(&c), keepNoise: math.Exp2(-1 / c.CostSteps),
		phaseWeight: phaseTicks * float64(c.TickSteps), fadeSteps: float64(c.RememberSeconds) / float64(stepSeconds) / fadings,
		walks: make([]walk, components), inExcursion: make([]bool, components), groups: make([]group, groups),
		mixed: make([][Rungs]tail, groups), isMixed: make([]bool, groups),
	}
}

// BeginStep starts a step. At regular intervals it reduces the weight of the excursions that were
// counted so far. An excursion is a time in which a component's sum is above zero.
func (m *Monitor) BeginStep() {
	clear(m.isMixed)
	if m.steps++; m.steps < m.fadeSteps {
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

// fadings is the number of times that BeginStep reduces the weight of the counted excursions (times
// in which a sum is above zero) within criteria.Options.RememberSeconds. Each time it multiplies
// the weight by the same factor. Together these reductions halve the weight.
const fadings = 64

// AddNoise adds the noise of a group in one step. The parameter `medianAbs` is this noise: the
// median, over the compared members, of |Value.LogRatio|. The parameter `phase` is the phase of the
// group in this step.
func (m *Monitor) AddNoise(g, phase int, medianAbs float64, members int) {
	x := &m.groups[g]
	x.usual.add(medianAbs, m.keepNoise)
	x.phases[phase].add(medianAbs, m.keepNoise)
	x.spread = m.deviation(x.phases[phase].mean(x.usual.mean(0, 0), m.phaseWeight))
	for r := range x.tails {
		x.tails[r].steps += float64(members)
		m.pool[r].steps += float64(members)
	}
}

// Spread returns the standard deviation of a group over all phases. It is estimated from the median
// of |Value.LogRatio|, as if the noise had a normal distribution.
func (m *Monitor) Spread(g int) float64 { return m.deviation(m.groups[g].usual.mean(0, 0)) }

func (m *Monitor) deviation(medianAbs float64) float64 {
	return max(medianAbs*DeviationsPerMAD, m.minSpread)
}

// DeviationsPerMAD is the ratio of the standard deviation to the median absolute
// deviation, for noise with a normal distribution.
const DeviationsPerMAD = 1.4826

// Value is the measurement of one component in one step.
type Value struct {
	LogRatio  float64         // natural logarithm of the ratio of the component's latency to the latency of its group
	Effect    float64         // natural logarithm of the ratio of the component's latency to the latency of healthy peers only
	Tolerance float64         // ln(normal ratio between healthy members of the group) − ln(smallest effect that matters), at least 0
	Weight    float64         // number of the component's requests, divided by the usual number of requests of a member: 0 to 1
	Extra     [Extras]float64 // extra numbers of the step; [Stretch.MeanExtra] returns their means
}

// Extras is how many extra numbers a value has.
const Extras = 3

// Uses reports whether AddValue uses the effect and the extra numbers of a value of component c. It
// does not use them if all sums of the component are zero and stay zero.
func (m *Monitor) Uses(c int, v *Value) bool {
	return m.inExcursion[c] || v.LogRatio-v.Tolerance > m.rungs[0]
}

// AddValue takes the value of component c of group g in one step. The step ends at the Unix time
// `end`, and is `step` seconds long.
func (m *Monitor) AddValue(c, g int, v *Value, end, step int64) {
	w := &m.walks[c]
	if begin := end - step; w.last < begin {
		w.pause = pause{w.last, begin}
	}
	w.last = end
	if !m.Uses(c, v) {
		return
	}
	// A value from few requests varies more: with a quarter of the usual requests, the standard
	// deviation is twice as large.
	spread := max(m.groups[g].spread, m.minSpread) / math.Sqrt(v.Weight)
	for r, smallest := range m.rungs {
		adds := min(max((v.LogRatio-v.Tolerance-smallest)/spread, -m.maxGain), m.maxGain)
		switch was := w.sum[r]; {
		case was == 0 && adds <= 0:
		case was+adds <= 0:
			m.endRung(c, g, r)
		default:
			if was == 0 {
				w.stretches[r] = Stretch{Since: end - step, pause: w.pause, rung: smallest}
			}
			w.sum[r] = was + adds
			w.stretches[r].add(v, w.sum[r] >= w.peak[r])
			w.peak[r] = max(w.peak[r], w.sum[r])
		}
	}
	m.inExcursion[c] = w.sum[0] > 0
}

// AddMinute adds the effect of a component over a whole minute, and the extra numbers of this
// minute. The minute began at the Unix time `begin`. The minute counts only for sums that rose
// above zero at or before this time. Effects are measured by minutes, so that they do not depend on
// the length of a step. The caller first calls AddValue for all steps of the minute, and then calls
// AddMinute.
func (m *Monitor) AddMinute(c int, effect float64, extra *[Extras]float64, begin int64) {
	w := &m.walks[c]
	for r := range m.rungs {
		if w.sum[r] > 0 && w.stretches[r].Since <= begin {
			w.stretches[r].addMinute(effect, extra, w.sum[r] >= w.peak[r])
		}
	}
}

// endRung sets one of a component's sums to zero: the sum for rung r (Rungs). This ends the
// excursion, the time in which the sum is above zero. If the excursion is not a fault, the peak of
// the sum is added to the statistics of the group. These statistics count how high the sums of
// healthy components climb by chance.
func (m *Monitor) endRung(c, g, r int) {
	w := &m.walks[c]
	if !w.fault {
		m.groups[g].tails[r].count(w.peak[r])
		m.pool[r].count(w.peak[r])
		m.isMixed[g] = false
	}
	w.sum[r], w.peak[r] = 0, 0
	if r == 0 {
		w.fault, m.inExcursion[c] = false, false
	}
}

// MarkFault marks the present excursion of a component as a fault. An excursion is the time in
// which a sum of the component is above zero. The peak of a fault is not added to the statistics of
// the group.
func (m *Monitor) MarkFault(c int) { m.walks[c].fault = true }

// EndExcursion sets all sums of a component to zero. The caller uses EndExcursion when the
// component has been like its peers for long enough.
func (m *Monitor) EndExcursion(c, g int) {
	for r := Rungs - 1; r >= 0; r-- {
		if m.walks[c].sum[r] > 0 {
			m.endRung(c, g, r)
		}
	}
}

// Forget sets the sums of a component to zero. The group does not learn from these sums.
func (m *Monitor) Forget(c int) {
	m.walks[c], m.inExcursion[c] = walk{last: m.walks[c].last, pause: m.walks[c].pause}, false
}

// ExcursionBegan returns the Unix time at which the most sensitive sum of a component (rung 0, for
// the smallest effect) rose above zero. It returns 0 if this sum is zero.
func (m *Monitor) ExcursionBegan(c int) int64 {
	if !m.HasExcursion(c) {
		return 0
	}
	return m.walks[c].stretches[0].Since
}

// BestStretch returns one of a component's stretches. There is one stretch for each sum (rung): the
// time in which this sum climbed to its peak. BestStretch chooses the stretch with the greatest
// gain (Stretch.gain). The stretch is empty if all sums are zero.
func (m *Monitor) BestStretch(c int) *Stretch {
	w, best := &m.walks[c], &Stretch{rung: m.rungs[0]}
	for r := range m.rungs {
		if s := &w.stretches[r]; w.sum[r] > 0 && s.gain() >= best.gain() {
			best = s
		}
	}
	return best
}

// HasExcursion reports whether a component's most sensitive sum is above zero: the sum of rung 0,
// which detects the smallest effect.
func (m *Monitor) HasExcursion(c int) bool { return m.inExcursion[c] }

// HasLargeExcursion reports whether a component's least sensitive sum is above zero: the sum of the
// highest rung, which detects only large effects.
func (m *Monitor) HasLargeExcursion(c int) bool { return m.walks[c].sum[Rungs-1] > 0 }

// Evidence returns the evidence that a component is slower than its peers, as a natural
// logarithm: by chance, a healthy component reaches evidence n once in eⁿ steps.
func (m *Monitor) Evidence(c, g int) float64 {
	w, evidence := &m.walks[c], 0.0
	if w.sum[0] < heights[0] {
		return 0
	}
	m.mixTails(g)
	burst := m.burstHeight()
	for r := range m.rungs {
		evidence = max(evidence, m.mixed[g][r].evidence(w.sum[r], burst))
	}
	return max(evidence-math.Log(Rungs), 0) // a false alarm may come from any of the rungs, so their rates of false alarms add up
}

// burstHeight returns the mean height, in standard deviations, that a sum still gains in a burst
// (Options.BurstSteps). Each step of the burst adds Monitor.maxGain. If the mean length of bursts
// is n steps, a burst goes on for one more step with probability p = 1−1/n. So the sum gains more
// than the height h with probability p^(h/maxGain), however high the sum already is. The mean of
// this exponential distribution is −maxGain / ln p.
func (m *Monitor) burstHeight() float64 { return m.maxGain / -math.Log(1-1/m.opts.BurstSteps) }

// mixTails sets Monitor.mixed of a group. A tail counts how high the sums of healthy members
// climbed. The tails of the group are combined with the tails of all groups.
func (m *Monitor) mixTails(g int) {
	if m.isMixed[g] {
		return
	}
	m.isMixed[g] = true
	for r := range m.rungs {
		t := m.groups[g].tails[r]
		t.addWeighted(&m.pool[r], min(m.opts.PooledExcursions/max(m.pool[r].reached[0], 1), 1))
		m.mixed[g][r] = t
	}
}

// State writes or reads all sums, and the statistics of all groups.
func (m *Monitor) State(c *state.Codec, axes *blame.Axes) {
	clear(m.isMixed)
	c.Float(&m.steps)
	state.By(c, axes.Components, m.walks, func(c *state.Codec, w *walk) {
		for r := range m.rungs {
			c.Float(&w.sum[r])
			c.Float(&w.peak[r])
			w.stretches[r].state(c)
			w.stretches[r].rung = m.rungs[r]
		}
		state.Int(c, &w.last)
		w.pause.state(c)
		c.Bool(&w.fault)
	})
	for i := range m.walks {
		m.inExcursion[i] = m.walks[i].sum[0] > 0
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
