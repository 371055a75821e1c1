package activity

import (
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
	"github.com/limpet-storage/limpet/topology"
)

// growth is the state of a machine whose files grow. A row or step is closed when it takes no more
// data. If the files are complete and do not grow, growth has its zero value.
type growth struct {
	Known   *known // properties that the records have shown; nil if the files are complete
	Dry     bool   // true if the end of the files was reached
	Live    bool   // true if Dry was true at least once: the inventory (the descriptions of devices in the files) then describes the present state of the machine
	Changed bool   // true if a record shows a device, address or connection that Known lacks
	Behind  bool   // true if rows were closed without data of the machine
	Missed  int64  // number of the last closed step when the machine fell behind

	firstStep int64 // number of the first step that is decoded
	dropUntil int64 // steps that end at or before this time are dropped, and are not counted in machine.Repeated
	Used      int64 // end of the last step whose values were put into a table row, as Unix time
	Steps     int   // number of steps whose values were put into table rows
	Late      int   // number of steps that came after their row was closed
	Ahead     int   // number of steps that were left out because the machine's clock was too far ahead

	tcp     bool          // true if a record has TCP connections
	remarks int           // number of records without counters, such as restarts and comments
	checked checkedCounts // state at the last comparison with Known
}

// checkedCounts counts what the records of a machine had shown at the last comparison with
// growth.Known. It has four counts: devices, interfaces (nics), changes of the inventory, and
// records without counters (remarks).
type checkedCounts struct{ devices, nics, changes, remarks int }

// stops reports whether reading pauses. Reading pauses at the present end of the files (Dry), or if
// a new epoch must begin first (Changed).
func (g *growth) stops() bool { return g.Dry || g.Changed }

// leavesOut reports whether a step is left out. A step is left out if its row is closed already, or
// if the clock of the machine is too far ahead. leavesOut also counts these steps.
func (m *machine) leavesOut(end int64, at int, b *batch) bool {
	switch {
	case end > b.LatestEnd:
		m.Grow.Ahead++
		return true
	case at < b.Closed:
		m.Grow.Late++
		m.LastUsed = end
		return true
	}
	return false
}

// FallBehind sets Behind to `is`. A machine is behind if rows were closed (took no more data)
// before the machine had data for them. The parameter `step` is the number of the last row's step.
// If the machine was not behind before, FallBehind stores this number in Missed.
func (g *growth) FallBehind(is bool, step int64) {
	if is && !g.Behind {
		g.Missed = step
	}
	g.Behind = is
}

// ResumeAfter makes a machine continue after the last step that is in a table row already. The
// caller passes the end time of that step. Records long before that time are not decoded: only
// their times are read.
func (m *machine) ResumeAfter(given int64) {
	m.LastUsed, m.Grow.dropUntil = given, given
	m.Grow.firstStep = (given-clockStep)/m.StepSeconds() - decodedBefore
}

// decodedBefore is a number of steps. After ResumeAfter, a machine begins to decode records
// decodedBefore steps and clockStep seconds before the first new step. Half of the decodedBefore
// steps are needed because values are differences of counters. The other half is a reserve for
// clocks that were set to another time.
const decodedBefore = 8

// Flush lets the steps that end at or before the given time go into rows. Without Flush these steps
// would wait for further records, or until the clock is trusted.
func (m *machine) Flush(end int64) {
	if m.lastEnd != 0 && m.lastEnd*m.StepSeconds() <= end {
		if step, ok := m.closeAt(-1); ok {
			m.era.hold(step)
		}
		m.lastEnd = 0
	}
	if held := m.fold.Held(); held > m.LastUsed && held <= end {
		if step, ok := m.fold.Flush(); ok {
			m.era.hold(step)
		}
	}
	m.era.trust(end)
	m.Grow.dropUntil = max(m.Grow.dropUntil, end)
}

// lookForNews sets Changed if a record shows a device, interface, address or
// connection that Known lacks.
func (m *machine) lookForNews(rec *sysstat.Record) {
	h := m.Grow.Known
	if h == nil {
		return
	}
	if _, _, size := rec.Items(tcpstat.ID); size > 0 {
		m.Grow.tcp = true
		m.Grow.Changed = m.Grow.Changed || h.NeedsConnections && !h.TCP
	}
	if h.NeedsDevices {
		m.nics.Notice(rec)
	}
	if len(m.nics.Seen) > mostInterfaces {
		clear(m.nics.Seen)
	}
	now := checkedCounts{len(m.disks.Seen), len(m.nics.Seen), m.Records.Inventory().Changes(), m.Grow.remarks}
	if now != m.Grow.checked {
		m.Grow.checked = now
		m.Grow.Changed = m.Grow.Changed || h.isNews(m)
	}
}

// mostInterfaces limits the length of the list nics.Seen of a machine. Containers create interfaces
// again and again, so the list would grow without end. When the list has more interfaces, it is
// cleared.
const mostInterfaces = 4096

// sightings returns the devices and interfaces that the records of the machine have shown.
func (m *machine) sightings() []topology.Seen {
	host := m.Grow.Known.Name
	seen := deviceSightings(host, m.Records.Header().Release, m.disks.Seen, m.Records.Inventory())
	return append(seen, nicSightings(host, m.nics.Seen)...)
}
