package fleet

import "math/rand/v2"

// A fault makes drives of a group slow, all of them in the same hours: in four
// of T16's ten tail hours a second drive is slow too (Finding 3), which is far
// more than chance. What they share, a shelf or a batch or wear, is not known.
type fault struct {
	members []int     // data drives
	mild    bool      // never as slow as slowAt
	relapse bool      // of a drive that was put back: others leave it in peace then
	onset   float64   // chance of leaving the stable state, 0: it comes once
	own     magnitude // for good
	state   state
	begun   bool      // the hour is the first of a run
	run     magnitude // of the run, own in part
}

func newFault(rng *rand.Rand, members []int, mild bool) *fault {
	return &fault{members: members, mild: mild, own: magnitude(rng.NormFloat64())}
}

// over reports whether a fault that comes once has gone.
func (f *fault) over() bool { return f.onset == 0 && f.state == stable }

// step takes the fault to the next hour. One that comes once has one run.
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

// strike begins a fault that comes once.
func (f *fault) strike(rng *rand.Rand, b *behaviour) *fault {
	f.state, f.begun = b.Chain.run(rng), true
	f.run = b.Memory.run(rng, f.own)
	return f
}

// A spread says how many drives a fault has.
type spread struct {
	Two   float64 `yaml:"two"`   // chance of a second drive
	Three float64 `yaml:"three"` // of a third where there is a second
	More  float64 `yaml:"more"`  // of each further one
}

// most is how many drives of a group may be slow and the median still be a
// stable one's: T16 §6 saw no other case.
func most(drives int) int { return (drives - 1) / 2 }

// chance is that of a drive more than n.
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

// mean is that of draw.
func (s *spread) mean(drives int) float64 {
	sum, reach := 1.0, 1.0
	for n := 1; n < most(drives); n++ {
		reach *= s.chance(n)
		sum += reach
	}
	return sum
}
