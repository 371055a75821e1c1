package activity

import (
	"context"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/collect/activity/internal/connections"
	"github.com/limpet-storage/limpet/sysstat"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// machine folds the records of one machine, server or client, onto steps. Only
// the last record at or before the end of a step is decoded; the others are
// walked past.
type machine struct {
	name    string
	number  int // among the system's servers, -1 where it is none
	paths   []string
	records *sysstat.Joined
	reading context.Context // ends when nobody wants the rows any more
	fold    *table.Fold
	disks   disks
	nics    nics
	conns   connections.Connections
	times   latencies

	last    *sysstat.Record // the last Stats, nil once it was read
	lastEnd int64           // its step
	step    *table.Step     // pending
	era     era
	given   int64 // end of the last step that was given out
	done    bool
	err     error

	grow growth // of files that grow

	jumps, repeated int   // of the clock; steps that it repeated
	first, ends     int64 // time of the first and last record
}

func newMachine(name string, paths []string, records *sysstat.Joined, a *plan) *machine {
	m := &machine{
		name: name, paths: paths, records: records, reading: a.reading, number: slices.Index(a.system.Servers, name),
		disks: newDisks(name, a.system, records.Inventory(), a.choice.disks),
		nics:  newNICs(name, a.system, a.choice.nics),
		conns: a.connectionsOf(name),
	}
	m.times = newLatencies(&m.disks, a.schema.Latencies)
	m.fold = table.NewFoldOf(a.schema.StepSeconds, table.Shape{
		Disks: len(m.disks.components), NICs: len(m.nics.components), Cwnds: m.conns.Width(),
	})
	return m
}

// connectionsOf reads those of a machine, as a server or as a client.
func (a *plan) connectionsOf(name string) connections.Connections {
	if a.book.Serves(name) {
		return connections.OfServer(name, a.book, a.system, a.schema.StepSeconds, a.choice.out)
	}
	return connections.OfClient(len(a.clients), a.book, a.inward, a.schema.StepSeconds)
}

// slots are the places that a fold has for the components of one kind.
type slots struct {
	components []int       // by slot
	of         map[int]int // by component
}

func newSlots(server string, system *topology.System, kind topology.Kind) slots {
	s := slots{of: map[int]int{}}
	for i := range system.Components {
		if c := &system.Components[i]; c.Server == server && c.Kind == kind {
			s.of[i] = len(s.components)
			s.components = append(s.components, i)
		}
	}
	return s
}

// find is the slot of a component that was looked for, -1 where it was not
// found or is not of this machine.
func (s *slots) find(component int, ok bool) int {
	if slot, has := s.of[component]; ok && has {
		return slot
	}
	return -1
}

// fill puts the machine's steps into the batch.
func (m *machine) fill(b *batch) {
	for m.peek(); m.step != nil; m.peek() {
		at, ok := b.place(m.step.End)
		if m.leavesOut(m.step.End, at, b) {
			m.step = nil
			continue
		}
		if !ok {
			return
		}
		row := b.rows[at]
		if m.number >= 0 {
			row.Heard[m.number] = true
		}
		m.disks.put(m.step, row)
		m.nics.put(m.step, row)
		m.conns.Put(m.step, row, at)
		m.times.put(m.step.End, row)
		m.given, m.grow.used, m.grow.behind = m.step.End, m.step.End, false
		m.step = nil
	}
}

// peek makes the machine's next step pending, where there is one. Steps of a
// clock that is not believed yet are held back, and those that are not later
// than what was given out are dropped.
func (m *machine) peek() {
	for m.step == nil && m.reading.Err() == nil {
		m.step = m.era.release(m.done)
		switch {
		case m.step == nil && (m.done || m.grow.stops()):
			return
		case m.step == nil:
			m.take(m.advance())
		}
		if m.step != nil && m.step.End <= m.given {
			if m.step.End > m.grow.early {
				m.repeated++
			}
			m.step = nil
		}
	}
}

// take makes a step pending, or holds it back.
func (m *machine) take(step *table.Step, ok bool) {
	switch {
	case !ok:
	case m.era.isBelieved() && len(m.era.held) == 0:
		m.step = step
	default:
		m.era.hold(step)
	}
}

// advance takes one record.
func (m *machine) advance() (*table.Step, bool) {
	rec, err := m.records.Next()
	if err == sysstat.ErrMore {
		m.grow.dry, m.grow.live = true, true
		return nil, false
	}
	if err != nil {
		return m.end(err)
	}
	if rec.Type != sysstat.Stats {
		// Whatever comes between may outlast the record before.
		m.readLast()
		m.grow.remarks++
		return nil, false
	}
	if m.first == 0 {
		m.first = rec.Time
	}
	m.ends = rec.Time
	end := table.StepOf(rec.Time, m.stepSeconds())
	believed := m.era.isBelieved()
	jumped := m.era.next(rec.Time, rec.Uptime, rec.Restarted)
	if jumped {
		m.jumps++
	}
	if jumped || rec.Restarted {
		m.endEra(believed || !jumped)
	}
	step, ok := m.closeAt(end)
	if end >= m.grow.from {
		m.times.read(rec, end*m.stepSeconds())
	}
	m.last, m.lastEnd = rec, end
	return step, ok
}

// endEra closes what is open, so that nothing is differenced across a jump of
// the clock or a reboot, and keeps or drops the steps of the era.
func (m *machine) endEra(keep bool) {
	if step, ok := m.closeAt(-1); ok {
		m.era.hold(step)
	}
	if step, ok := m.fold.Flush(); ok {
		m.era.hold(step)
	}
	m.era.settle(keep)
	if !keep {
		clear(m.times.steps)
	}
	m.last, m.lastEnd = nil, 0
	m.fold.Restart()
	m.conns.Restart()
}

func (m *machine) stepSeconds() int64 { return m.fold.StepSeconds() }

// closeAt closes the step of the last record where the next one is of
// another.
func (m *machine) closeAt(end int64) (*table.Step, bool) {
	if m.lastEnd == 0 || end == m.lastEnd {
		return nil, false
	}
	m.readLast()
	if m.lastEnd < m.grow.from || m.grow.changed {
		return nil, false
	}
	return m.fold.Close()
}

// end closes what is still open.
func (m *machine) end(err error) (*table.Step, bool) {
	if err != io.EOF {
		m.err = err
	}
	if m.lastEnd != 0 {
		step, ok := m.closeAt(-1)
		m.lastEnd = 0
		if ok {
			return step, ok
		}
	}
	m.done = true
	return m.fold.Flush()
}

// readLast decodes the last record into the fold's reading.
func (m *machine) readLast() {
	if m.last == nil {
		return
	}
	if m.lastEnd < m.grow.from {
		m.last = nil
		return
	}
	r := m.fold.Reading()
	r.Time, r.Uptime = m.last.Time, m.last.Uptime
	m.disks.read(m.last, r)
	m.nics.read(m.last, r)
	m.conns.Read(m.last, r)
	m.lookForNews(m.last)
	m.last = nil
}
