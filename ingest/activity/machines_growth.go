package activity

import (
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
	"github.com/limpet-storage/limpet/topology"
)

// growth is what a machine remembers whose files grow. Its zero value is that
// of a machine whose files are whole.
type growth struct {
	Known   *known // what is known of it; nil where files are whole
	Dry     bool   // there is no further record yet
	Live    bool   // it was dry once: what its inventory says is of now
	Changed bool   // a record shows what the system does not know
	Behind  bool   // rows were closed without it
	Missed  int64  // number of the first of them

	from  int64 // number of the first step that is decoded
	early int64 // steps up to here were given out before their time, or by a machine before
	Used  int64 // end of the last step that is in a row
	Steps int   // steps that are in rows
	Late  int   // steps that came after their row was closed
	Ahead int   // steps of a clock that is not believed, as it is too far ahead

	tcp     bool    // connections are recorded
	remarks int     // records that are no samples
	checked checked // what was compared with what is known
}

// checked is how much a machine had shown when it was compared with what is
// known of it.
type checked struct{ devices, nics, changes, remarks int }

// stops says whether nothing more is to be read for now.
func (g *growth) stops() bool { return g.Dry || g.Changed }

// leavesOut says whether a step is left out: its row was closed, or the clock
// that it is of is too far ahead to be believed.
func (m *server) leavesOut(end int64, at int, b *batch) bool {
	switch {
	case end > b.Until:
		m.Grow.Ahead++
		return true
	case at < b.Closed:
		m.Grow.Late++
		m.Given = end
		return true
	}
	return false
}

// FallBehind notes whether a row was closed without the machine.
func (g *growth) FallBehind(is bool, step int64) {
	if is && !g.Behind {
		g.Missed = step
	}
	g.Behind = is
}

// ResumeAfter makes a machine go on behind a step that was given out. What lies
// well before is walked past: only clocks have to be known from there.
func (m *server) ResumeAfter(given int64) {
	m.Given, m.Grow.early = given, given
	m.Grow.from = (given-clockStep)/m.StepSeconds() - decodedBefore
}

// decodedBefore is how many steps before the first that is wanted are decoded:
// those that it is differenced from, and as many again for clocks that were set.
const decodedBefore = 8

// Flush gives out the steps up to one that are held back until further records
// come, or until the clock is believed.
func (m *server) Flush(end int64) {
	if m.lastEnd != 0 && m.lastEnd*m.StepSeconds() <= end {
		if step, ok := m.closeAt(-1); ok {
			m.era.hold(step)
		}
		m.lastEnd = 0
	}
	if held := m.fold.Held(); held > m.Given && held <= end {
		if step, ok := m.fold.Flush(); ok {
			m.era.hold(step)
		}
	}
	m.era.trust(end)
	m.Grow.early = max(m.Grow.early, end)
}

// lookForNews notes where a record shows what is not known of the machine.
func (m *server) lookForNews(rec *sysstat.Record) {
	h := m.Grow.Known
	if h == nil {
		return
	}
	if _, _, size := rec.Items(tcpstat.ID); size > 0 {
		m.Grow.tcp = true
		m.Grow.Changed = m.Grow.Changed || h.AsksConnections && !h.TCP
	}
	if h.AsksDevices {
		m.nics.Notice(rec)
	}
	if len(m.nics.Seen) > mostInterfaces {
		clear(m.nics.Seen)
	}
	now := checked{len(m.disks.Seen), len(m.nics.Seen), m.Records.Inventory().Changes(), m.Grow.remarks}
	if now != m.Grow.checked {
		m.Grow.checked = now
		m.Grow.Changed = m.Grow.Changed || h.isNews(m)
	}
}

// mostInterfaces bounds what is remembered of interfaces that come and go with
// containers.
const mostInterfaces = 4096

// sightings are what a machine has shown.
func (m *server) sightings() []topology.Seen {
	host := m.Grow.Known.Name
	seen := deviceSightings(host, m.Records.Header().Release, m.disks.Seen, m.Records.Inventory())
	return append(seen, nicSightings(host, m.nics.Seen)...)
}
