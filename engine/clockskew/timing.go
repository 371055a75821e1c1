package clockskew

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// timing correlates the changes of a server's load with the changes of the other servers' load at
// every lag. The lag is the number of steps by which the server's changes follow the changes of the
// other servers. The correlation uses changes of levels (logarithms of loads), and not the levels
// themselves. The levels do not show the lag: if servers are busy for an hour, their levels match
// at any lag. But each server becomes busy only once in this hour, so the changes match at only one
// lag.
type timing struct {
	own, others  pulse
	steps        int64      // number of steps in which the load of the server and the load of the other servers were known
	rises, falls []float64  // by lag, from −Clocks.maxLag to Clocks.maxLag: sum of (change of the server × change of the other servers); rises has the steps in which the load of the other servers rises, falls has the steps in which it falls
	power        [2]float64 // sums of squared changes; [0]: of the server's load, [1]: of the median load of the other servers
	unison       float64    // sum over the steps of ((Σ change)² − Σ change²) / (n − 1), where the sums Σ are over the n other servers; unison/parts is the mean correlation of two of these servers
	parts        float64    // sum of the squared changes of the other servers
}

func newTiming(reach int) timing {
	return timing{
		own: newPulse(reach), others: newPulse(reach),
		rises: make([]float64, 2*reach+1), falls: make([]float64, 2*reach+1),
	}
}

// pulse holds the last level (logarithm) of one load, and the changes of this level in the last
// steps.
type pulse struct {
	level   float64
	changes []float64 // newest first; 0 if unknown
}

func newPulse(reach int) pulse { return pulse{table.Missing, make([]float64, reach+1)} }

func (p *pulse) push(level float64) (change float64) {
	if change = level - p.level; table.IsMissing(change) {
		change = 0
	}
	copy(p.changes[1:], p.changes)
	p.changes[0], p.level = change, level
	return change
}

// changes holds the number, the sum and the sum of squares of the changes of all servers' levels in
// one step.
type changes struct{ n, sum, squares float64 }

func (c *changes) add(change float64) {
	c.n++
	c.sum += change
	c.squares += change * change
}

// compare adds one step: the level of the server (own), the level of the other servers (others),
// and the changes of all servers' levels (all). The caller has already added the step to t.own.
func (t *timing) compare(own, others float64, all changes) {
	x, y := t.own.changes[0], t.others.push(others)
	if !table.IsMissing(own) && !table.IsMissing(others) {
		t.steps++
		t.power[0] += x * x
		t.power[1] += y * y
		sum, squares := all.sum-x, all.squares-x*x
		t.unison += (sum*sum - squares) / (all.n - 2)
		t.parts += squares
	}
	reach := len(t.own.changes) - 1
	if x != 0 {
		for lag, before := range t.others.changes {
			t.add(reach+lag, x, before)
		}
	}
	if y != 0 {
		for lag, before := range t.own.changes[1:] {
			t.add(reach-1-lag, before, y)
		}
	}
}

func (t *timing) add(at int, own, others float64) {
	if others > 0 {
		t.rises[at] += own * others
	} else {
		t.falls[at] += own * others
	}
}

func (t *timing) fade() {
	for i := range t.rises {
		t.rises[i] /= 2
		t.falls[i] /= 2
	}
	for _, v := range [...]*float64{&t.power[0], &t.power[1], &t.unison, &t.parts} {
		*v /= 2
	}
}

// lag returns the number of steps by which the load of the server follows the load of the other
// servers. It returns 0 if the clock is right or the lag is not certain. Periodic loads match at
// several lags. So the lag is certain only if c ≥ lead · c₂, where c is the correlation at this lag
// and c₂ is the next highest peak of the correlation over all lags.
func (t *timing) lag(o *Options, lead float64) int64 {
	all := make([]float64, len(t.rises))
	for i := range all {
		all[i] = t.rises[i] + t.falls[i]
	}
	best, zero := peak(all), len(all)/2
	like := o.minCorrelation() * math.Sqrt(t.power[0]*t.power[1])
	if t.unison < o.UnisonCorrelation*t.parts || all[best] <= like || all[best] < lead*secondPeak(all, best) {
		return 0
	}
	for _, at := range []int{peak(t.rises), peak(t.falls)} {
		if at == zero || at < best-1 || at > best+1 {
			return 0
		}
	}
	return int64(best - zero)
}

func peak(all []float64) int { return slices.Index(all, slices.Max(all)) }

// secondPeak returns the greatest correlation among all lags except the best lag and its two
// neighbours. The neighbours are left out because they correlate too if a change takes more than
// one step. But lag 0 is included even if it is a neighbour of the best lag.
func secondPeak(all []float64, best int) float64 {
	most := 0.0
	for i, v := range all {
		if i < best-1 || i > best+1 || i == len(all)/2 && i != best {
			most = max(most, v)
		}
	}
	return most
}

func timingState(c *state.Codec, t *timing) {
	for _, p := range [...]*pulse{&t.own, &t.others} {
		c.Float(&p.level)
		state.List(c, &p.changes, (*state.Codec).Float)
	}
	state.Int(c, &t.steps)
	state.List(c, &t.rises, (*state.Codec).Float)
	state.List(c, &t.falls, (*state.Codec).Float)
	for _, v := range [...]*float64{&t.power[0], &t.power[1], &t.unison, &t.parts} {
		c.Float(v)
	}
}
