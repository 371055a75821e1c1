package table

import "github.com/limpet-storage/limpet/internal/state"

// State writes or reads the values in the ring. The axis a has the names of the components. A value
// that is not included in the average is saved as missing.
func (s *Smoother) State(c *state.Codec, a *state.Axis) {
	state.Int(c, &s.next)
	if s.next < 0 || s.next >= s.width {
		c.Failf("the saved state is damaged: it has a moving average over more than %d time steps; start without the saved state", s.width)
		s.next = 0
	}
	row := make([]float64, len(s.out))
	for at := range s.ring {
		s.fill(row, at)
		c.Floats(a, row)
		if !c.Saving() {
			s.refill(row, at)
		}
	}
	if !c.Saving() {
		clear(s.idle)
	}
}

// fill copies a step of the ring into `row`.
func (s *Smoother) fill(row []float64, at int) {
	copy(row, s.ring[at])
	for c, counted := range s.counted[at] {
		if counted == 0 {
			row[c] = Missing
		}
	}
}

// refill sets a step of the ring to the values of `row`.
func (s *Smoother) refill(row []float64, at int) {
	for c, v := range row {
		one := int32(1)
		if IsMissing(v) {
			v, one = 0, 0
		}
		s.count[c] += one - s.counted[at][c]
		s.ring[at][c], s.counted[at][c] = v, one
	}
}
