package fleet

import "math/rand/v2"

// A fault makes drives of a group slow, all of them in the same hours. In four of T16's ten tail
// hours a second drive is slow, too (Finding 3), which is far more than chance. The common cause is
// not known: it may be a shelf, a batch or wear.
type fault struct {
	members []int     // data drives
	mild    bool      // its slowdown stays below slowAt
	relapse bool      // of a drive that was put back less than a day ago; other faults do not hit the drive then
	onset   float64   // probability of leaving the stable state; 0: the fault occurs once
	own     magnitude // permanent part of the magnitude
	state   state
	begun   bool      // this hour is the first of a run
	run     magnitude // magnitude of the run, which includes own
}

func newFault(rng *rand.Rand, members []int, mild bool) *fault {
	return &fault{members: members, mild: mild, own: magnitude(rng.NormFloat64())}
}

// over reports whether a fault that occurs once has ended.
func (f *fault) over() bool { return f.onset == 0 && f.state == stable }

// step moves the fault to the next hour. A fault that occurs once has one run.
func (f *fault) step(rng *rand.Rand, b *behaviour) {
	was := f.state
	f.state = b.Chain.next(rng, was, f.onset)
	if f.onset == 0 && !f.state.slow() {
		f.state = stable
	}
	f.begun = f.state.slow() && !was.slow()
	if f.begun {
		f.run = b.Memory.run(rng, f.own)
	}
}

// strike begins a fault that occurs once.
func (f *fault) strike(rng *rand.Rand, b *behaviour) *fault {
	f.state, f.begun = b.Chain.run(rng), true
	f.run = b.Memory.run(rng, f.own)
	return f
}

// A spread has the probabilities of the number of drives of a fault.
type spread struct {
	Two   float64 `yaml:"two"`   // probability of a second drive
	Three float64 `yaml:"three"` // probability of a third drive, if there is a second
	More  float64 `yaml:"more"`  // probability of each further drive
}

// most returns how many drives of a group may be slow, if the median must be the latency of a
// stable drive: T16 §6 saw no other case.
func most(drives int) int { return (drives - 1) / 2 }

// chance returns the probability that a fault with n drives has another drive.
func (s *spread) chance(n int) float64 {
	switch n {
	case 1:
		return s.Two
	case 2:
		return s.Three
	}
	return s.More
}

func (s *spread) draw(rng *rand.Rand, drives int) int {
	n := 1
	for n < most(drives) && rng.Float64() < s.chance(n) {
		n++
	}
	return n
}

// mean returns the mean of the numbers that draw returns.
func (s *spread) mean(drives int) float64 {
	sum, reach := 1.0, 1.0
	for n := 1; n < most(drives); n++ {
		reach *= s.chance(n)
		sum += reach
	}
	return sum
}
