package evaluate

import "slices"

// faultTrack follows one fault while a diagnosis runs.
type faultTrack struct {
	span
	who   []int        // components that show the fault
	base  map[int]int  // by component: lowest accumulator from the last moment before the onset on
	heard map[int]bool // by component: its server sent data during the fault
	// verdicts holds, for every level, the time of the first verdict of each component.
	verdicts []map[int]int64
}

func newFaultTrack(s span, shows shows, levels int) *faultTrack {
	c := &faultTrack{span: s, who: slices.Concat(shows.Expected, shows.Allowed), base: map[int]int{}, heard: map[int]bool{}}
	for range levels {
		c.verdicts = append(c.verdicts, map[int]int64{})
	}
	return c
}

// take follows the components of the fault. A component has a verdict when its accumulator has
// risen since the onset by the value of the level. The value before the onset does not count,
// because the fault did not cause it.
func (f *faultTrack) take(m *moment, persist []int, memory int64) {
	for _, c := range f.who {
		switch {
		case m.end <= f.from:
			f.base[c] = m.value[c]
			continue
		case m.start >= f.to+memory:
			continue
		}
		f.heard[c] = f.heard[c] || !m.silent[c] && f.isIn(m)
		f.base[c] = min(f.base[c], m.value[c])
		for i, least := range persist {
			if _, had := f.verdicts[i][c]; !had && m.value[c]-f.base[c] >= least {
				f.verdicts[i][c] = m.end
			}
		}
	}
}

// isIn reports whether the window of a moment lies within the fault, or contains the whole fault.
func (f *faultTrack) isIn(m *moment) bool {
	return m.start >= f.from && m.end <= f.to || m.start <= f.from && m.end >= f.to
}

// first returns the time of the first verdict of a level; false: there is none.
func (f *faultTrack) first(level int) (at int64, ok bool) {
	for _, t := range f.verdicts[level] {
		if !ok || t < at {
			at, ok = t, true
		}
	}
	return at, ok
}
