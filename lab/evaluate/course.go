package evaluate

import "slices"

// course is what becomes of one fault while a diagnosis runs.
type course struct {
	span
	who   []int        // components that it shows on
	base  map[int]int  // lowest value of each since the onset, or the last before it
	heard map[int]bool // those whose server sent anything meanwhile
	// verdicts of every level: when each component had one.
	verdicts []map[int]int64
}

func newCourse(s span, shows shows, levels int) *course {
	c := &course{span: s, who: slices.Concat(shows.Expected, shows.Allowed), base: map[int]int{}, heard: map[int]bool{}}
	for range levels {
		c.verdicts = append(c.verdicts, map[int]int64{})
	}
	return c
}

// take follows the components of the fault. A verdict has fallen when an
// accumulator has risen, since the onset, by what the level asks for: one that
// stood high before it says nothing about the fault.
func (f *course) take(m *moment, persist []int, memory int64) {
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

// isIn reports whether a moment speaks of the fault alone, or of all of it.
func (f *course) isIn(m *moment) bool {
	return m.start >= f.from && m.end <= f.to || m.start <= f.from && m.end >= f.to
}

// first is when the first verdict of a level fell; false where none did.
func (f *course) first(level int) (at int64, ok bool) {
	for _, t := range f.verdicts[level] {
		if !ok || t < at {
			at, ok = t, true
		}
	}
	return at, ok
}
