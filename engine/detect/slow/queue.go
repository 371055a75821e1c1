package slow

// phase is a range of utilisation of a peer group. The detector measures the noise of each phase
// separately.
type phase int

// The phases of a peer group.
const (
	lightLoad phase = iota // requests hardly wait for each other
	busy                   // the latency is at least DoubleTimes times the latency under light load
	full                   // the latency is at least DoubleTimes² times the latency under light load
	idle                   // most members have no work
)

// phaseOf returns the phase of a group. It compares the present latency of the group (usual) with
// the group's latency under light load (light, or 0 if this latency is not known). The group is
// busy if usual/light is at least times, and full if usual/light is at least times².
func phaseOf(usual, light, times float64) phase {
	switch {
	case !(light > 0) || usual < times*light:
		return lightLoad
	case usual < times*times*light:
		return busy
	}
	return full
}

// maxBusyShare is the largest utilisation that the queue model assumes. Near 1 the model would
// explain any latency.
func (d *Detector) maxBusyShare() float64 { return 1 - d.criteria.FewShare }

// busyShare returns the utilisation of components, as a share of the time: ρ = 1 − L0/L. L is their
// present latency, and L0 is their latency under light load. L and L0 are the first two parameters.
// The third parameter is an upper bound of the result.
func busyShare(usual, light, most float64) float64 {
	if !(light > 0) || !(usual > 0) {
		return 0
	}
	return min(max(1-light/usual, 0), most)
}

// queueingTimes returns the ratio of a component's latency to its peers' latency that the M/M/1
// queue predicts: (1−ρ)/(1−lρ). The first parameter is l, the ratio of the component's load to its
// peers' load. The second parameter is ρ, the utilisation of the peers. The utilisation of the
// component is lρ. The third parameter is an upper bound of lρ: if lρ is larger, the bound is used
// instead.
func queueingTimes(load, busy, most float64) float64 {
	if load <= 1 {
		return 1
	}
	return (1 - busy) / max(1-load*busy, 1-most)
}

// maxQueueingTimes returns the largest value of queueingTimes over all utilisations of
// the peers.
func maxQueueingTimes(load, most float64) float64 {
	return queueingTimes(load, most/max(load, 1), most)
}
