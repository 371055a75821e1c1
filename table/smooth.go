package table

// Smoother is a moving average over the values of many components. It is
// trailing, so that live and replayed data agree; it averages the values
// present, and is missing only where the current value is: absence must stay
// visible.
type Smoother struct {
	width int
	ring  [][]float64 // the last width values of every component
	at    int         // where the next values go
	out   []float64
	count []float64
}

// NewSmoother returns an average over width steps.
func NewSmoother(width, components int) *Smoother {
	s := &Smoother{width: width, ring: make([][]float64, width), out: make([]float64, components), count: make([]float64, components)}
	for i := range s.ring {
		s.ring[i] = make([]float64, components)
	}
	s.Skip(width)
	return s
}

// Skip passes over n steps without data.
func (s *Smoother) Skip(n int) {
	for range min(n, s.width) {
		for c := range s.ring[s.at] {
			s.ring[s.at][c] = Missing
		}
		s.at = (s.at + 1) % s.width
	}
}

// Push takes the values of the next step and returns their averages, valid
// until the next call. Where load is given, steps in which a component did
// nothing do not count; one that did nothing in all of them is at zero.
//
// The sums are taken afresh, oldest first: a running sum would drift, and its
// result would depend on where the stream began.
func (s *Smoother) Push(values, load []float64) []float64 {
	now := s.ring[s.at]
	copy(now, values)
	for c, l := range load {
		if l == 0 {
			now[c] = Missing
		}
	}
	s.at = (s.at + 1) % s.width
	clear(s.out)
	clear(s.count)
	for i := range s.width {
		for c, v := range s.ring[(s.at+i)%s.width] {
			if !IsMissing(v) {
				s.out[c] += v
				s.count[c]++
			}
		}
	}
	for c, v := range values {
		s.out[c] /= max(s.count[c], 1)
		if IsMissing(v) {
			s.out[c] = Missing
		}
	}
	return s.out
}
