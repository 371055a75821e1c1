package collect

import (
	"fmt"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/sysstat"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// server folds the records of one server onto steps. Only the last record at
// or before the end of a step is decoded; the others are walked past.
type server struct {
	name       string
	number     int // among the system's servers, -1 where it is none
	paths      []string
	system     *topology.System
	records    *sysstat.Joined
	fold       *table.Fold
	pick       []int
	components []int       // by slot of the fold
	slotOf     map[int]int // by component
	places     []place     // by position in a record
	changes    int         // of the inventory that places were found with
	disks      []sysstat.Disk

	last    *sysstat.Record // the last Stats, nil once it was read
	lastEnd int64           // its step
	step    *table.Step     // pending
	era     era
	given   int64 // end of the last step that was given out
	done    bool
	err     error

	jumps, repeated int // of the clock; steps that it repeated

	seen        map[device]bool // devices that the system may not know
	first, ends int64           // time of the first and last record
}

// device is how a record tells devices apart.
type device struct {
	major, minor uint32
	wwn          [2]uint64
	partition    uint32
}

// place remembers whose counters stand at a position of a record: records
// list devices in the same order for hours.
type place struct {
	device device
	slot   int // -1: not in the system
}

func openServer(name string, paths []string, a *Activity) (*server, error) {
	records, err := sysstat.OpenAll(paths)
	if err != nil {
		return nil, err
	}
	s := &server{
		name: name, paths: paths, system: a.system, records: records,
		pick: a.pick, slotOf: map[int]int{}, seen: map[device]bool{},
	}
	s.number = slices.Index(a.system.Servers, s.name)
	for c := range a.system.Components {
		if a.system.Components[c].Server == s.name {
			s.slotOf[c] = len(s.components)
			s.components = append(s.components, c)
		}
	}
	s.fold = table.NewFold(a.schema.StepSeconds, len(s.components))
	return s, nil
}

// fill puts the server's steps into the batch.
func (s *server) fill(b *batch) {
	for s.peek(); s.step != nil; s.peek() {
		row := b.row(s.step.End)
		if row == nil {
			return
		}
		if s.number >= 0 {
			row.Heard[s.number] = true
		}
		for slot, c := range s.components {
			if s.step.Known[slot] {
				for m, p := range s.pick {
					row.Values[m][c] = s.step.Work[slot].Value(p, s.step.Seconds)
				}
			}
		}
		s.given, s.step = s.step.End, nil
	}
}

// peek makes the server's next step pending, where there is one. Steps of a
// clock that is not believed yet are held back, and those that are not later
// than what was given out are dropped.
func (s *server) peek() {
	for s.step == nil {
		s.step = s.era.release(s.done)
		switch {
		case s.step == nil && s.done:
			return
		case s.step == nil:
			s.take(s.advance())
		}
		if s.step != nil && s.step.End <= s.given {
			s.step = nil
			s.repeated++
		}
	}
}

// take makes a step pending, or holds it back.
func (s *server) take(step *table.Step, ok bool) {
	switch {
	case !ok:
	case s.era.isBelieved() && len(s.era.held) == 0:
		s.step = step
	default:
		s.era.hold(step)
	}
}

// advance takes one record.
func (s *server) advance() (*table.Step, bool) {
	rec, err := s.records.Next()
	if err != nil {
		return s.end(err)
	}
	if rec.Type != sysstat.Stats {
		// Whatever comes between may outlast the record before.
		s.readLast()
		return nil, false
	}
	if s.first == 0 {
		s.first = rec.Time
	}
	s.ends = rec.Time
	end := table.StepOf(rec.Time, s.stepSeconds())
	believed := s.era.isBelieved()
	jumped := s.era.next(rec.Time, rec.Uptime, rec.Restarted)
	if jumped {
		s.jumps++
	}
	if jumped || rec.Restarted {
		s.endEra(believed || !jumped)
	}
	step, ok := s.closeAt(end)
	s.last, s.lastEnd = rec, end
	return step, ok
}

// endEra closes what is open, so that nothing is differenced across a jump of
// the clock or a reboot, and keeps or drops the steps of the era.
func (s *server) endEra(keep bool) {
	if step, ok := s.closeAt(-1); ok {
		s.era.hold(step)
	}
	if step, ok := s.fold.Flush(); ok {
		s.era.hold(step)
	}
	s.era.settle(keep)
	s.last, s.lastEnd = nil, 0
	s.fold.Restart()
}

func (s *server) stepSeconds() int64 { return s.fold.StepSeconds() }

// closeAt closes the step of the last record where the next one is of
// another.
func (s *server) closeAt(end int64) (*table.Step, bool) {
	if s.lastEnd == 0 || end == s.lastEnd {
		return nil, false
	}
	s.readLast()
	return s.fold.Close()
}

// end closes what is still open.
func (s *server) end(err error) (*table.Step, bool) {
	if err != io.EOF {
		s.err = err
	}
	if s.lastEnd != 0 {
		step, ok := s.closeAt(-1)
		s.lastEnd = 0
		if ok {
			return step, ok
		}
	}
	s.done = true
	return s.fold.Flush()
}

// readLast decodes the last record into the fold's reading.
func (s *server) readLast() {
	if s.last == nil {
		return
	}
	r := s.fold.Reading()
	r.Time, r.Uptime = s.last.Time, s.last.Uptime
	clear(r.Present)
	if n := s.records.Inventory().Changes(); n != s.changes {
		s.changes, s.places = n, s.places[:0]
	}
	narrow := s.last.Header().LongSize == 4
	s.disks = s.last.Disks(s.disks)
	for i := range s.disks {
		d := &s.disks[i]
		slot := s.slot(i, d)
		if slot < 0 {
			continue
		}
		r.Present[slot] = true
		r.Disks[slot] = metric.Disk{
			IOs: d.IOs, ReadSectors: d.ReadSectors, WriteSectors: d.WriteSectors, DiscardSectors: d.DiscardSectors,
			ReadMs: d.ReadTicks, WriteMs: d.WriteTicks, DiscardMs: d.DiscardTicks,
			BusyMs: d.BusyTicks, QueueMs: d.QueueTicks, Narrow: narrow,
		}
	}
	s.last = nil
}

// slot gives the fold's place for the device at position i of a record.
func (s *server) slot(i int, d *sysstat.Disk) int {
	key := deviceOf(d)
	for len(s.places) <= i {
		s.places = append(s.places, place{slot: -1})
	}
	if s.places[i].device != key {
		s.places[i] = place{key, s.find(key)}
	}
	return s.places[i].slot
}

func (s *server) find(key device) int {
	s.seen[key] = true
	c, ok := s.system.Find(s.name, key.topology(s.records.Inventory()))
	if !ok {
		return -1
	}
	slot, ok := s.slotOf[c]
	if !ok {
		return -1
	}
	return slot
}

// topology says what a device is by all that the file knows of it.
func (d device) topology(inv *sysstat.Inventory) topology.Device {
	t := topology.Device{Major: d.major, Minor: d.minor, Partition: d.partition}
	if d.wwn[0] != 0 {
		t.WWN = fmt.Sprintf("%016x", d.wwn[0])
		if d.wwn[1] != 0 {
			t.WWN += fmt.Sprintf("%016x", d.wwn[1])
		}
	}
	if known, ok := inv.Device(d.major, d.minor); ok {
		t.Name = known.Name
		if t.WWN == "" {
			t.WWN = known.WWN
		}
	}
	return t
}
