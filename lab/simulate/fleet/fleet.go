package fleet

import (
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Fleet returns its hours once, from the first to the last.
type Fleet struct {
	options Options
	drives  []Drive
	groups  []*group
	days    int // number of days drawn so far
}

// New returns the fleet that the options describe.
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

// Drives returns the inventory: group by group, and within a group by slot.
func (f *Fleet) Drives() []Drive { return f.drives }

// An Hour is the record of one hour. It is valid until the next hour is drawn.
type Hour struct {
	Time time.Time // start of the hour
	// By drive, in the order of Drives.
	IOs       []int32 // Absent: the drive was not plugged in
	LatencyUs []int32 // mean; 0: no I/O
	SizeBytes []int32 // mean; 0: no I/O
	Events    []Event // events within the hour, by time
}

// Absent stands for the I/O count of a drive that has no record in the hour.
const Absent = -1

// Hours returns the hours of the fleet that are not drawn yet.
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

// next draws another day, and reports false if there is none.
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

// eachGroup calls work for every group, on all cores. Groups share nothing, so the order does not
// matter.
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

// A day has the records of one day, hour by hour.
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

// gather collects the groups' events of the day, by time. Events of the same second stay in the
// order of the groups.
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
