package activity

import (
	"slices"

	"github.com/limpet-storage/limpet/sysstat"
	"github.com/limpet-storage/limpet/tcpstat"
	"github.com/limpet-storage/limpet/topology"
)

// growth is what a machine remembers whose files grow. Its zero value is that
// of a machine whose files are whole.
type growth struct {
	host    *host // what is known of it; nil where files are whole
	dry     bool  // there is no further record yet
	live    bool  // it was dry once: what its inventory says is of now
	changed bool  // a record shows what the system does not know
	behind  bool  // rows were closed without it
	missed  int64 // number of the first of them

	from  int64 // number of the first step that is decoded
	early int64 // steps up to here were given out before their time, or by a machine before
	used  int64 // end of the last step that is in a row
	late  int   // steps that came after their row was closed
	ahead int   // steps of a clock that is not believed, as it is too far ahead

	tcp     bool    // connections are recorded
	remarks int     // records that are no samples
	checked checked // what was compared with what is known
}

// checked is how much a machine had shown when it was compared with what is
// known of it.
type checked struct{ devices, nics, changes, remarks int }

// stops says whether nothing more is to be read for now.
func (g *growth) stops() bool { return g.dry || g.changed }

// leavesOut says whether a step is left out: its row was closed, or the clock
// that it is of is too far ahead to be believed.
func (m *machine) leavesOut(end int64, at int, b *batch) bool {
	switch {
	case end > b.until:
		m.grow.ahead++
		return true
	case at < b.closed:
		m.grow.late++
		m.given = end
		return true
	}
	return false
}

// fallBehind notes whether a row was closed without the machine.
func (g *growth) fallBehind(is bool, step int64) {
	if is && !g.behind {
		g.missed = step
	}
	g.behind = is
}

// resumeAfter makes a machine go on behind a step that was given out. What lies
// well before is walked past: only clocks have to be known from there.
func (m *machine) resumeAfter(given int64) {
	m.given, m.grow.early = given, given
	m.grow.from = (given-clockStep)/m.stepSeconds() - decodedBefore
}

// decodedBefore is how many steps before the first that is wanted are decoded:
// those that it is differenced from, and as many again for clocks that were set.
const decodedBefore = 8

// flush gives out the steps up to one that are held back until further records
// come, or until the clock is believed.
func (m *machine) flush(end int64) {
	if m.lastEnd != 0 && m.lastEnd*m.stepSeconds() <= end {
		if step, ok := m.closeAt(-1); ok {
			m.era.hold(step)
		}
		m.lastEnd = 0
	}
	if held := m.fold.Held(); held > m.given && held <= end {
		if step, ok := m.fold.Flush(); ok {
			m.era.hold(step)
		}
	}
	m.era.trust(end)
	m.grow.early = max(m.grow.early, end)
}

// lookForNews notes where a record shows what is not known of the machine.
func (m *machine) lookForNews(rec *sysstat.Record) {
	h := m.grow.host
	if h == nil {
		return
	}
	if _, _, size := rec.Items(tcpstat.ID); size > 0 {
		m.grow.tcp = true
		m.grow.changed = m.grow.changed || h.asksConnections && !h.tcp
	}
	if h.asksDevices {
		m.nics.notice(rec)
	}
	if len(m.nics.seen) > mostInterfaces {
		clear(m.nics.seen)
	}
	now := checked{len(m.disks.seen), len(m.nics.seen), m.records.Inventory().Changes(), m.grow.remarks}
	if now != m.grow.checked {
		m.grow.checked = now
		m.grow.changed = m.grow.changed || h.isNews(m)
	}
}

// mostInterfaces bounds what is remembered of interfaces that come and go with
// containers.
const mostInterfaces = 4096

// sightings are what a machine has shown.
func (m *machine) sightings() []topology.Seen {
	host := m.grow.host.host
	seen := deviceSightings(host, m.records.Header().Release, m.disks.seen, m.records.Inventory())
	return append(seen, nicSightings(host, m.nics.seen)...)
}

// isNews says whether a machine shows a device, a name or an address that is
// not known. While older records are read, only devices are compared: names
// were given anew since then.
func (h *host) isNews(m *machine) bool {
	if h.asksDevices && slices.ContainsFunc(m.sightings(), func(s topology.Seen) bool {
		return s.LeftOut() == "" && !h.knows(s, m.grow.live)
	}) {
		return true
	}
	for _, a := range addressesOf(m.records.Inventory()) {
		if h.asksConnections && !slices.Contains(h.addresses, a) {
			return true
		}
	}
	return false
}

// knows says whether a sighting is known, as it is or at least what it is of.
func (h *host) knows(s topology.Seen, exactly bool) bool {
	return slices.ContainsFunc(h.seen, func(k topology.Seen) bool { return k == s || !exactly && sameDevice(k, s) })
}

// sameDevice says whether two sightings are of one device, whatever its name.
func sameDevice(a, b topology.Seen) bool {
	if a.Kind != b.Kind || a.Server != b.Server || a.Kind == topology.Interface {
		return a == b
	}
	x, y := a.Device, b.Device
	return x.Major == y.Major && x.Minor == y.Minor && x.Partition == y.Partition && (x.WWN == y.WWN || x.WWN == "" || y.WWN == "")
}

// learn takes what a machine shows for what is known of it.
func (h *host) learn(m *machine) {
	shown := slices.DeleteFunc(m.sightings(), func(s topology.Seen) bool { return s.Kind == topology.Interface && s.LeftOut() != "" })
	h.seen = slices.DeleteFunc(h.seen, func(k topology.Seen) bool {
		return slices.ContainsFunc(shown, func(s topology.Seen) bool { return sameDevice(k, s) })
	})
	h.seen = append(h.seen, shown...)
	for _, a := range addressesOf(m.records.Inventory()) {
		if !slices.Contains(h.addresses, a) {
			h.addresses = append(h.addresses, a)
		}
	}
	h.tcp = h.tcp || m.grow.tcp
}
