package activity

import (
	"context"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// A machine makes steps from the records of one server or client, and writes their values into the
// rows of a batch. Of the records of a step, it decodes the counters of the last record only. Open
// and Follow use the same code; only Follow uses the field Grow.
type machine struct {
	Name    string
	Number  int // index in System.Servers; -1 if the machine is not a server of the system
	Paths   []string
	Records *sysstat.Joined
	reading context.Context // cancelled when the rows are not needed any more
	fold    *table.Fold
	disks   disks
	nics    interfaces
	conns   tcpConnections
	times   latencies
	upkeep  upkeep
	pauses  pauseReader

	last     *sysstat.Record // the last record with counters (sysstat.Stats); nil after it was decoded
	lastEnd  int64           // number of the step of the last record with counters; 0 if there is no such record
	Step     *table.Step     // next step for a row
	era      era
	LastUsed int64 // Unix time up to which steps are in table rows, or came too late for their rows
	Done     bool  // true if all records have been read
	err      error

	Grow growth // state of files that grow

	Jumps, Repeated int   // number of jumps of the clock; number of steps that occurred twice because the clock was set back
	First, Ends     int64 // times of the first and the last record
	gaps            gaps  // intervals between the last records
}

// newMachine returns a machine with the records of the files at the given paths.
func newMachine(name string, paths []string, records *sysstat.Joined, a *plan) *machine {
	m := &machine{
		Name: name, Paths: paths, Records: records, reading: a.Reading, Number: slices.Index(a.System.Servers, name),
		disks: newDisks(name, a.System, records.Inventory(), a.choice.disks),
		nics:  newNICs(name, a.System, a.choice.nics),
		conns: a.connectionsOf(name),
	}
	m.times = newLatencies(&m.disks, a.Schema.Latencies)
	m.upkeep = newUpkeep(&m.disks)
	m.pauses = newPauseReader(&m.disks, m.Number)
	m.fold = table.NewFoldOf(a.Schema.StepSeconds, table.Shape{
		Disks: m.disks.Width(), NICs: m.nics.Len(), Cwnds: m.conns.Width(),
	})
	return m
}

// connectionsOf returns the reader for the connections of a server or of a
// client.
func (a *plan) connectionsOf(name string) tcpConnections {
	if a.book.Serves(name) {
		return ofServer(name, a.book, a.System, a.Schema.StepSeconds, a.choice.serverMetrics)
	}
	return ofClient(len(a.clients), a.book, a.Inward, a.Schema.StepSeconds)
}

// Fill writes the steps of the machine into the batch, up to the last row of
// the batch.
func (m *machine) Fill(b *batch) {
	for m.Peek(); m.Step != nil; m.Peek() {
		at, ok := b.place(m.Step.End)
		if m.leavesOut(m.Step.End, at, b) {
			m.Step = nil
			continue
		}
		if !ok {
			return
		}
		row := b.Rows[at]
		if m.Number >= 0 {
			row.Heard[m.Number] = true
		}
		m.disks.Put(m.Step, row)
		m.nics.Put(m.Step, row)
		m.times.Put(m.Step.End, row)
		m.upkeep.Put(m.Step.End, row)
		m.pauses.Put(m.Step.End, row)
		m.conns.Put(m.Step, row, m.Number, at) // after pauses.Put, which overwrites all gauges of the server
		m.LastUsed, m.Grow.Used, m.Grow.Behind = m.Step.End, m.Step.End, false
		m.Grow.Steps++
		m.Step = nil
	}
}

// Peek sets Step to the next step of the machine, if the machine has a step ready. It holds back
// the steps of a clock that is not trusted yet. It drops steps that end at or before LastUsed. The
// rows of these steps have data of the machine already, or take no more data.
func (m *machine) Peek() {
	for m.Step == nil && m.reading.Err() == nil {
		m.Step = m.era.release(m.Done)
		switch {
		case m.Step == nil && (m.Done || m.Grow.stops()):
			return
		case m.Step == nil:
			m.take(m.advance())
		}
		if m.Step != nil && m.Step.End <= m.LastUsed {
			if m.Step.End > m.Grow.dropUntil {
				m.Repeated++
			}
			m.Step = nil
		}
	}
}

// take sets Step to the given step if `ok` is true. If the clock is not trusted yet, or older steps
// are held back, take holds the step back too (machine.era).
func (m *machine) take(step *table.Step, ok bool) {
	switch {
	case !ok:
	case m.era.isBelieved() && len(m.era.held) == 0:
		m.Step = step
	default:
		m.era.hold(step)
	}
}

// advance reads one record. It returns the step that this record completes, if
// any.
func (m *machine) advance() (*table.Step, bool) {
	rec, err := m.Records.Next()
	if err == sysstat.ErrMore {
		m.Grow.Dry, m.Grow.Live = true, true
		return nil, false
	}
	if err != nil {
		return m.end(err)
	}
	if rec.Type != sysstat.Stats {
		// This record marks a restart or has a comment. It may be much later than the last record
		// with counters. So the last record with counters is decoded now, without waiting for the
		// next record.
		m.readLast()
		m.Grow.remarks++
		return nil, false
	}
	if m.First == 0 {
		m.First = rec.Time
	}
	if m.Ends != 0 && !rec.Restarted {
		m.gaps.add(rec.Time - m.Ends)
	}
	m.Ends = rec.Time
	end := table.StepOf(rec.Time, m.StepSeconds())
	believed := m.era.isBelieved()
	jumped := m.era.next(rec.Time, rec.Uptime, rec.Restarted)
	if jumped {
		m.Jumps++
	}
	if jumped || rec.Restarted {
		m.endEra(believed || !jumped)
	}
	step, ok := m.closeAt(end)
	if end >= m.Grow.firstStep {
		m.times.Read(rec, end*m.StepSeconds())
		m.upkeep.Read(end * m.StepSeconds())
		m.pauses.Read(rec, end*m.StepSeconds())
	}
	m.last, m.lastEnd = rec, end
	return step, ok
}

// endEra ends an era of the clock (see type era). It closes the open step, so that no difference of
// counters spans a jump of the clock or a reboot. If `keep` is true, it keeps the held steps of the
// era. Otherwise it drops these steps.
func (m *machine) endEra(keep bool) {
	if step, ok := m.closeAt(-1); ok {
		m.era.hold(step)
	}
	if step, ok := m.fold.Flush(); ok {
		m.era.hold(step)
	}
	m.era.settle(keep)
	if !keep {
		m.times.Drop()
		m.upkeep.Drop()
		m.pauses.Drop()
		m.conns.traffic.Drop()
	}
	m.last, m.lastEnd = nil, 0
	m.fold.Restart()
	m.conns.Restart()
}

// StepSeconds returns the length of a step in seconds.
func (m *machine) StepSeconds() int64 { return m.fold.StepSeconds() }

// closeAt closes the step of the last record if the next record is in another step. A step is
// complete when the step after it is closed. So closeAt returns the step before the closed step, if
// there is one. The caller passes the number of the next record's step, or -1 at the end of an era.
func (m *machine) closeAt(end int64) (*table.Step, bool) {
	if m.lastEnd == 0 || end == m.lastEnd {
		return nil, false
	}
	m.readLast()
	if m.lastEnd < m.Grow.firstStep || m.Grow.Changed {
		return nil, false
	}
	return m.fold.Close()
}

// end closes the steps that are still open after the last record. Each call
// returns at most one step. The caller passes io.EOF, or the error that ended
// reading.
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
	m.Done = true
	return m.fold.Flush()
}

// readLast decodes the last record into the reading of m.fold, which makes steps from readings. If
// the record is before the step Grow.firstStep, readLast drops the record without decoding.
func (m *machine) readLast() {
	if m.last == nil {
		return
	}
	if m.lastEnd < m.Grow.firstStep {
		m.last = nil
		return
	}
	r := m.fold.Reading()
	r.Time, r.Uptime = m.last.Time, m.last.Uptime
	m.disks.Read(m.last, r)
	m.nics.Read(m.last, r)
	m.conns.Read(m.last, r)
	m.lookForNews(m.last)
	m.last = nil
}
