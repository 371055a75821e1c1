package activity

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// standing finds out how long a server stood still in each step, and collects the room of its file
// systems. limpet-record has measured both on the server itself. A record holds what happened since
// the record before it, so standing reads every record.
type standing struct {
	disks        *disks
	server       int // index in System.Servers; -1: not a server, and nothing is read
	last, sample hoststat.Sample
	uptime       uint64      // of the last record; 0: no record yet
	still        bool        // the server stood still at the last record
	cause        table.Cause // what it waited for
	steps        map[int64]*waited
	slots        map[[2]uint32]int // slot of each device, by major and minor number
	changes      int               // value of inventory.Changes when slots was computed
	Damaged      int               // number of samples that could not be decoded
	Err          error             // decoding error of the first damaged sample
}

// waited is what is known of one step.
type waited struct {
	table.Standing
	room map[int]table.Room // by component
}

// newStanding returns the reader for a server, by its number among the servers of the system.
func newStanding(d *disks, server int) standing {
	return standing{disks: d, server: server, steps: map[int64]*waited{}, slots: map[[2]uint32]int{}}
}

// Read adds a record to the step that ends at the given time.
func (s *standing) Read(rec *sysstat.Record, end int64) {
	if s.server < 0 {
		return
	}
	raw, _, size := rec.Items(hoststat.ID)
	if size == 0 || rec.Uptime == s.uptime {
		return // not recorded, or read already: the last record of a file may be repeated in the next file
	}
	before := s.uptime
	s.last, s.sample = s.sample, s.last
	if err := hoststat.Decode(raw, &s.sample); err != nil {
		s.Damaged, s.Err = s.Damaged+1, cmp.Or(s.Err, err)
		s.uptime = 0
		return
	}
	s.uptime = rec.Uptime
	w := s.steps[end]
	if w == nil {
		w = &waited{}
		s.steps[end] = w
	}
	w.Known = true
	if before > 0 && rec.Uptime > before && !rec.Restarted {
		s.judge(float64(rec.Uptime-before)/100, &w.Standing)
	}
	s.takeRoom(w)
}

// judge adds the time since the record before, of the given length in seconds.
func (s *standing) judge(dt float64, into *table.Standing) {
	cause, seconds := stoodStill(&s.last, &s.sample, dt)
	switch {
	case seconds > 0:
		into.Still[cause] += float32(seconds)
		if !s.still {
			into.Began++
		}
	case s.still: // a pause ends anywhere between two samples
		into.Still[s.cause] += float32(dt / 2)
	}
	s.still, s.cause = seconds > 0, cause
}

const (
	// lateSeconds is how late a sample must be for the whole machine to have stood still: a second is
	// the least time between two samples in which people see anything.
	lateSeconds = 1.0
	// stalledShare is the share of the time in which all tasks that had work waited for a resource.
	stalledShare = 0.5
	// unreadMs is how long requests may lie unread in a receive queue, in ms. A process that is not
	// stopped reads them within milliseconds: on a machine with fourteen times as many running tasks as
	// processors, 40 ms were the longest time in 8,000 samples of healthy file servers.
	unreadMs = 100
)

// stoodStill returns how long a machine stood still between two samples that are dt seconds apart, and
// what for. It returns 0 seconds if the machine did work, or had none.
//
// A sample that is late by a second shows that not even the recorder could run. If all tasks waited for memory for
// half of the time, the machine stood still for that time. If disks had requests under way for the
// whole time and completed none, the machine stood still for its disks. If no process read from any
// socket although requests lay there, the process stood still. The last sign needs only one sample:
// unread requests that arrived a tenth of a second ago show the beginning of a pause, or a pause that is
// shorter than the time between two samples.
func stoodStill(before, now *hoststat.Sample, dt float64) (table.Cause, float64) {
	late := float64(now.LateMicros) / 1e6
	full := func(r hoststat.Resource) float64 {
		return float64(now.Pressure[r].Full-min(now.Pressure[r].Full, before.Pressure[r].Full)) / 1e6
	}
	diskStill := false
	for _, d := range now.InFlight {
		diskStill = diskStill || d.Still > 0
	}
	diskStill = diskStill && now.Completed == 0
	q := &now.Accepted
	idle := float64(q.Read) < metric.RxByt.Noise*dt
	switch {
	case late >= lateSeconds && full(hoststat.Memory) >= stalledShare*late:
		return table.ByMemory, late
	case late >= lateSeconds && diskStill:
		return table.ByDisk, late
	case late >= lateSeconds:
		return table.ByCPU, late
	case full(hoststat.Memory) >= stalledShare*dt:
		return table.ByMemory, min(full(hoststat.Memory), dt)
	case diskStill && idle:
		return table.ByDisk, dt
	case q.Stuck > 0 && idle:
		return table.ByProcess, dt
	case before.Accepted.Unsent > 0 && q.Unsent > 0 && q.Taken == 0 && q.Read == 0 && q.ClosedThere == 0:
		return table.ByNetwork, dt
	case q.OldestMs >= unreadMs:
		return table.ByProcess, min(float64(q.OldestMs)/1e3, dt)
	}
	return 0, 0
}

// takeRoom takes the fullest file system of each component, and its heat.
func (s *standing) takeRoom(w *waited) {
	of := func(major, minor uint32) (int, table.Room, bool) {
		slot := s.slot(major, minor)
		if slot < 0 {
			return 0, table.Room{}, false
		}
		c := s.disks.components[slot]
		if w.room == nil {
			w.room = map[int]table.Room{}
		}
		x, ok := w.room[c]
		if !ok {
			x = table.Room{Component: c, Hot: math.NaN()}
		}
		return c, x, true
	}
	for i := range s.sample.FileSystems {
		f := &s.sample.FileSystems[i]
		c, x, ok := of(f.Major, f.Minor)
		if !ok {
			continue
		}
		now := table.Room{
			Component: c, Bytes: float64(f.Bytes), Free: float64(f.FreeBytes), Files: float64(f.Files), FreeFiles: float64(f.FreeFiles), Hot: x.Hot, Alarm: x.Alarm,
		}
		if x.Bytes == 0 || now.FreeShare() <= x.FreeShare() {
			w.room[c] = now
		}
	}
	for i := range s.sample.Drives {
		d := &s.sample.Drives[i]
		if c, x, ok := of(d.Major, d.Minor); ok {
			if x.Alarm = d.Alarm; d.Limit > 0 {
				x.Hot = float64(d.MilliCelsius-d.Limit) / 1e3
			}
			w.room[c] = x
		}
	}
}

// slot returns the slot of a device, or -1 for a device that the system does not have.
func (s *standing) slot(major, minor uint32) int {
	if n := s.disks.inventory.Changes(); n != s.changes {
		s.changes = n
		clear(s.slots)
	}
	key := [2]uint32{major, minor}
	slot, ok := s.slots[key]
	if !ok {
		d := device{Major: major, Minor: minor}
		slot = s.disks.find(s.disks.system.Find(s.disks.server, d.Topology(s.disks.inventory)))
		s.slots[key] = slot
	}
	return slot
}

// Put writes a step into its row, and drops earlier steps. A row is shared by all servers, which fill it
// at the same time, so Put writes only the place of its own server.
func (s *standing) Put(end int64, row *table.Row) {
	if len(s.steps) == 0 {
		return
	}
	if w := s.steps[end]; w != nil {
		row.Standing[s.server] = w.Standing
		for _, c := range slices.Sorted(maps.Keys(w.room)) {
			row.Standing[s.server].Room = append(row.Standing[s.server].Room, w.room[c])
		}
	}
	for at := range s.steps {
		if at <= end {
			delete(s.steps, at)
		}
	}
}

// Drop removes the steps that are not in a row yet. It is called if the clock of their records was
// wrong.
func (s *standing) Drop() { clear(s.steps) }
