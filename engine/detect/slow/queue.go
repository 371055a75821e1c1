package slow

// phase is the utilisation of a peer group. Each phase has a noise of its own.
type phase int

// The phases.
const (
	lightLoad phase = iota // requests hardly wait for each other
	busy                   // requests wait about as long as their service takes
	full                   // requests wait longer than that
	idle                   // most members have no work
)

// phaseOf returns the phase of a group with the usual latency, from its latency under
// light load (0 where that is not known). A group is busy from the ratio times on, and
// full from the square of times on.
func phaseOf(usual, light, times float64) phase {
	switch {
	case !(light > 0) || usual < times*light:
		return lightLoad
	case usual < times*times*light:
		return busy
	}
	return full
}

// busyShare returns the utilisation ρ = 1 − L0/L of components with a latency L, and a
// latency L0 under light load. It returns at most the bound most.
func busyShare(usual, light, most float64) float64 {
	if !(light > 0) || !(usual > 0) {
		return 0
	}
	return min(max(1-light/usual, 0), most)
}

// queueingTimes returns how much longer a component with load times its peers' load
// takes, if its peers have the utilisation busy: the M/M/1 queue gives (1−ρ)/(1−lρ).
func queueingTimes(load, busy, most float64) float64 {
	if load <= 1 {
		return 1
	}
	return (1 - busy) / max(1-load*busy, 1-most)
}

// mostQueueingTimes returns the largest such ratio over all utilisations of the peers.
func mostQueueingTimes(load, most float64) float64 {
	return queueingTimes(load, most/max(load, 1), most)
}
