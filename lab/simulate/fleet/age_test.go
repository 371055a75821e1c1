package fleet

import (
	"slices"
	"testing"
)

// TestAge holds disks in their eighth year against T16 §4.3.2. There are few,
// so they are picked out of a large fleet.
func TestAge(t *testing.T) {
	o := DefaultOptions()
	o.DiskGroups, o.SSDGroups = 15_000, 0
	f, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	f.only(func(g *group) bool { return g.year == 8 })
	s := studyOf(f)
	eighth := s.kinds[Disk].eighth
	hold(t, []held{{"slowdown at p95, eighth year", 2.3, eighth[len(eighth)*95/100], 0.15}})
}

// only leaves the groups that are kept.
func (f *Fleet) only(keep func(*group) bool) {
	f.groups = slices.DeleteFunc(f.groups, func(g *group) bool { return !keep(g) })
	f.drives = nil
	for _, g := range f.groups {
		g.first = len(f.drives)
		f.drives = append(f.drives, g.drives...)
	}
}
