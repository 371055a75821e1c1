package slow

// phase is a range of utilisation of a peer group. The detector measures the noise of each phase
// separately.
type phase int

// The phases of a peer group.
const (
	lightLoad phase = iota // requests hardly wait for each other
	busy                   // latency divided by the latency under light load: at least DoubleTimes
	full                   // the same ratio is at least the square of DoubleTimes
	idle                   // most members have no work
)

// phaseOf returns the phase of a group. The parameter `usual` is the present latency of the group.
// The parameter `light` is its latency under light load, or 0 if this latency is not known. The
// group is busy if the ratio usual/light is at least `times`. It is full if the ratio is at least
// the square of `times`.
func phaseOf(usual, light, times float64) phase {
	switch {
	case !(light > 0) || usual < times*light:
		return lightLoad
	case usual < times*times*light:
		return busy
	}
	return full
}

// maxBusyShare is the largest utilisation that the queue model assumes, except for the busiest
// component of a Ceph cluster (saturatedTimes). Near a utilisation of 1, the model would explain
// any latency.
func (d *Detector) maxBusyShare() float64 { return 1 - d.criteria.FewShare }

// busyShare returns the utilisation of components: the share of the time in which they are busy. It
// is ρ = 1 − L0/L (M/M/1 queue), where L is their present latency (`usual`) and L0 is their latency
// under light load (`light`). The result is at most `most`, and 0 if a latency is not known.
func busyShare(usual, light, most float64) float64 {
	if !(light > 0) || !(usual > 0) {
		return 0
	}
	return min(max(1-light/usual, 0), most)
}
