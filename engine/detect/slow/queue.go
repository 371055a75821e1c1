// This file tells what waiting in a queue explains.
//
// A component with more load than its peers waits longer, and is healthy. The M/M/1
// queue says by how much (docs/method.md, Queues): it is crude, and asks for nothing
// but latencies that are measured anyway.

package slow

// Phase is how busy components are that share their work.
type Phase int

// The phases.
const (
	LightLoad Phase = iota // requests wait little for each other
	busy                   // for about as long as they are worked on
	full                   // for longer than that
	idle                   // most components have nothing to do
)

// phaseOf is the phase of components that usually answer after some time, and after
// light when there is little to do; light is 0 where that is not known. Times is from how
// many times light on they are busy, and from how many times that on they are full.
func phaseOf(usual, light, times float64) Phase {
	switch {
	case !(light > 0) || usual < times*light:
		return LightLoad
	case usual < times*times*light:
		return busy
	}
	return full
}

// busyShare is for how much of the time such components are busy, and at the most: they
// take L, and L0 when there is little to do, so that ρ = 1 − L0/L.
func busyShare(usual, light, most float64) float64 {
	if !(light > 0) || !(usual > 0) {
		return 0
	}
	return min(max(1-light/usual, 0), most)
}

// times is how many times slower than components that are busy for a share of the time
// one with more load is: l times their load takes (1−ρ)/(1−lρ) times as long.
func times(load, busy, most float64) float64 {
	if load <= 1 {
		return 1
	}
	return (1 - busy) / max(1-load*busy, 1-most)
}

// mostTimes is how many times slower more load makes a component, however busy the others
// are.
func mostTimes(load, most float64) float64 { return times(load, most/max(load, 1), most) }
