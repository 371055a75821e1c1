package queue

// Phase is how busy components are that share their work.
type Phase int

// The phases.
const (
	Light Phase = iota // requests wait little for each other
	Busy               // for about as long as they are worked on
	Full               // for longer than that
	Idle               // most components have nothing to do
)

// PhaseOf is the phase of components that usually answer after some time, and after
// light when there is little to do; light is 0 where that is not known. Times is from how
// many times light on they are busy, and from how many times that on they are full.
func PhaseOf(usual, light, times float64) Phase {
	switch {
	case !(light > 0) || usual < times*light:
		return Light
	case usual < times*times*light:
		return Busy
	}
	return Full
}

// BusyShare is for how much of the time such components are busy, and at the most: they
// take L, and L0 when there is little to do, so that ρ = 1 − L0/L.
func BusyShare(usual, light, most float64) float64 {
	if !(light > 0) || !(usual > 0) {
		return 0
	}
	return min(max(1-light/usual, 0), most)
}

// Times is how many times slower than components that are busy for a share of the time
// one with more load is: l times their load takes (1−ρ)/(1−lρ) times as long.
func Times(load, busy, most float64) float64 {
	if load <= 1 {
		return 1
	}
	return (1 - busy) / max(1-load*busy, 1-most)
}

// MostTimes is how many times slower more load makes a component, however busy the others
// are.
func MostTimes(load, most float64) float64 { return Times(load, most/max(load, 1), most) }
