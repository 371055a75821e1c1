package fleet

import (
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Fleet yields its hours once, from the first to the last.
type Fleet struct {
	options Options
	drives  []Drive
	groups  []*group
	days    int // drawn so far
}

// New lays out the fleet that the options describe.
func New(o Options) (*Fleet, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.Start = o.Start.UTC()
	f := &Fleet{options: o}
	f.add(newDisks(), o.DiskGroups)
	f.add(newSSDs(), o.SSDGroups)
	return f, nil
}

func (f *Fleet) add(b *behaviour, groups int) {
	for i := range groups {
		g := newGroup(&f.options, b, i+1, len(f.drives))
		f.groups = append(f.groups, g)
		f.drives = append(f.drives, g.drives...)
	}
}

// Drives is the inventory: group by group, in each by slot.
func (f *Fleet) Drives() []Drive { return f.drives }

// An Hour is what was recorded at the end of one hour. It is good until the
// next one.
type Hour struct {
	Time time.Time // the hour's begin
	// By drive, in the order of Drives.
	IOs       []int32 // Absent where the drive was not there to be asked
	LatencyUs []int32 // mean; 0 where there was no I/O to measure
	SizeBytes []int32 // mean; 0 where there was no I/O to measure
	Events    []Event // within the hour, by time
}

// Absent stands for the I/O count of a drive that has no record in the hour.
const Absent = -1

// Hours yields the hours of the fleet that were not yet drawn.
func (f *Fleet) Hours() iter.Seq[*Hour] {
	return func(yield func(*Hour) bool) {
		d := newDay(len(f.drives))
		for f.next(d) {
			for h := range hoursPerDay {
				if !yield(d.hour(h)) {
					return
				}
			}
		}
	}
}

// next draws another day; false says that there is none.
func (f *Fleet) next(d *day) bool {
	if f.days == f.options.Days {
		return false
	}
	first := f.days * hoursPerDay
	d.start = f.options.Start.Add(time.Duration(first) * time.Hour)
	f.eachGroup(func(g *group) { g.day(d, first) })
	d.gather(f.groups)
	f.days++
	return true
}

// eachGroup works on all cores. Groups share nothing, so that the order does
// not matter.
func (f *Fleet) eachGroup(work func(*group)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(f.groups)) {
		workers.Go(func() {
			for i := next.Add(1); i <= int64(len(f.groups)); i = next.Add(1) {
				work(f.groups[i-1])
			}
		})
	}
	workers.Wait()
}

const hoursPerDay = 24

// A day is a day's columns, hour by hour.
type day struct {
	start              time.Time
	drives             int
	ios, latency, size []int32
	events             []Event
}

func newDay(drives int) *day {
	n := hoursPerDay * drives
	return &day{drives: drives, ios: make([]int32, n), latency: make([]int32, n), size: make([]int32, n)}
}

// gather takes the groups' events of the day, by time; those of one second
// stay in the order of the groups.
func (d *day) gather(groups []*group) {
	d.events = d.events[:0]
	for _, g := range groups {
		d.events = append(d.events, g.events...)
	}
	slices.SortStableFunc(d.events, func(a, b Event) int { return a.Time.Compare(b.Time) })
}

func (d *day) hour(h int) *Hour {
	begin := d.start.Add(time.Duration(h) * time.Hour)
	from, to := h*d.drives, (h+1)*d.drives
	return &Hour{
		Time:      begin,
		IOs:       d.ios[from:to],
		LatencyUs: d.latency[from:to],
		SizeBytes: d.size[from:to],
		Events:    between(d.events, begin, begin.Add(time.Hour)),
	}
}

func between(events []Event, from, to time.Time) []Event {
	before := func(e Event, t time.Time) int { return e.Time.Compare(t) }
	i, _ := slices.BinarySearchFunc(events, from, before)
	j, _ := slices.BinarySearchFunc(events, to, before)
	return events[i:j]
}
