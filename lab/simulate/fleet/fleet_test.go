package fleet

import (
	"math"
	"runtime"
	"slices"
	"testing"
	"time"
)

func small() Options {
	o := DefaultOptions()
	o.DiskGroups, o.SSDGroups, o.Days = 12, 8, 9
	return o
}

func mustNew(t *testing.T, o Options) *Fleet {
	t.Helper()
	f, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// copied keeps hours, which are good only until the next one.
func copied(f *Fleet) []Hour {
	var out []Hour
	for h := range f.Hours() {
		out = append(out, Hour{
			h.Time, slices.Clone(h.IOs), slices.Clone(h.LatencyUs), slices.Clone(h.SizeBytes), slices.Clone(h.Events),
		})
	}
	return out
}

func TestHoursAreTheSameOnAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := copied(mustNew(t, small()))
	runtime.GOMAXPROCS(4)
	four := copied(mustNew(t, small()))
	for i := range one {
		a, b := one[i], four[i]
		if !slices.Equal(a.IOs, b.IOs) || !slices.Equal(a.LatencyUs, b.LatencyUs) ||
			!slices.Equal(a.SizeBytes, b.SizeBytes) || !slices.Equal(a.Events, b.Events) {
			t.Fatalf("the hour %v differs between one core and four", a.Time)
		}
	}
}

func TestSeedsDiffer(t *testing.T) {
	a, b := small(), small()
	b.Seed++
	if slices.Equal(copied(mustNew(t, a))[5].LatencyUs, copied(mustNew(t, b))[5].LatencyUs) {
		t.Error("two seeds give the same hour")
	}
}

// TestGroupsStandAlone holds that a group is the same whatever others there
// are.
func TestGroupsStandAlone(t *testing.T) {
	few, many := small(), small()
	many.DiskGroups += 5
	a, b := mustNew(t, few), mustNew(t, many)
	n := b.groups[few.DiskGroups].first
	if !slices.Equal(a.Drives()[:n], b.Drives()[:n]) {
		t.Error("an inventory changes where groups are added")
	}
	less, more := copied(a), copied(b)
	for i := range less {
		if !slices.Equal(less[i].LatencyUs[:n], more[i].LatencyUs[:n]) {
			t.Fatalf("at %v drives change where groups are added", less[i].Time)
		}
	}
}

func TestHoursFollowEachOther(t *testing.T) {
	o := small()
	hours := copied(mustNew(t, o))
	if len(hours) != o.Days*24 {
		t.Fatalf("%d hours in %d days", len(hours), o.Days)
	}
	for i, h := range hours {
		if want := o.Start.Add(time.Duration(i) * time.Hour); !h.Time.Equal(want) {
			t.Fatalf("hour %d begins at %v, want %v", i, h.Time, want)
		}
		for k, e := range h.Events {
			if e.Time.Before(h.Time) || !e.Time.Before(h.Time.Add(time.Hour)) || k > 0 && e.Time.Before(h.Events[k-1].Time) {
				t.Errorf("%v has an event at %v", h.Time, e.Time)
			}
		}
	}
}

// TestAbsentWhileUnplugged holds that a drive has no record of the hours at
// whose end it was out, and of no other.
func TestAbsentWhileUnplugged(t *testing.T) {
	o := small()
	o.DiskGroups, o.SSDGroups, o.Days = 60, 60, 60
	out := map[int]bool{}
	absences := 0
	for h := range mustNew(t, o).Hours() {
		for _, e := range h.Events {
			if e.What == Unplugged || e.What == Replugged {
				out[e.Drive] = e.What == Unplugged
			}
		}
		for i, n := range h.IOs {
			if (n == Absent) != out[i] {
				t.Fatalf("at %v drive %d has %d I/Os, unplugged: %v", h.Time, i, n, out[i])
			}
			if n == Absent {
				absences++
			}
		}
	}
	if absences < 100 {
		t.Errorf("%d hours of absence: too few to have tried it", absences)
	}
}

func TestIdleHoursHaveNoLatency(t *testing.T) {
	idle, busy := 0, 0
	for h := range mustNew(t, small()).Hours() {
		for i, n := range h.IOs {
			worked := h.LatencyUs[i] > 0 && h.SizeBytes[i] > 0
			if h.LatencyUs[i] > 0 != (n > 0) || worked != (n > 0) {
				t.Fatalf("at %v %d I/Os take %d µs and have %d bytes", h.Time, n, h.LatencyUs[i], h.SizeBytes[i])
			}
			if n == 0 {
				idle++
			} else {
				busy++
			}
		}
	}
	if share := float64(idle) / float64(idle+busy); math.Abs(share-0.09) > 0.06 {
		t.Errorf("%.3f of the hours are idle, want about 0.09", share)
	}
}

func TestInventory(t *testing.T) {
	o := DefaultOptions()
	o.DiskGroups, o.SSDGroups, o.MaxDataDrives = 2000, 500, 10
	f := mustNew(t, o)
	raid := map[string]int{}
	for _, g := range f.groups {
		d := g.drives[0]
		raid[d.RAID]++
		if g.data < 3 || g.data > 10 {
			t.Errorf("%s has %d data drives", d.Group, g.data)
		}
		for i, e := range g.drives {
			if e.Model != d.Model || e.RAID != d.RAID || e.Slot != i+1 || (e.Role == Data) != (i < g.data) {
				t.Errorf("%+v does not fit its group's first drive %+v", e, d)
			}
			if e.Deployed.After(o.Start) {
				t.Errorf("%s is deployed after the begin", e.Name)
			}
		}
	}
	if n := raid["raid6"]; n < 2330 || n > 2420 || raid["raid4"] == 0 || raid["raid0"] == 0 {
		t.Errorf("RAID levels of 2500 groups: %v, want 95 %% RAID-6", raid)
	}
}
