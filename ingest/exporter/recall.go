package exporter

import (
	"github.com/limpet-storage/limpet/ingest/osd"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// Recall reads the Memory of the server (its devices and its last reading) from its files, if this
// was not done yet. The field File must be set.
func (sv *server) Recall(files Files) (err error) {
	if sv.recalled {
		return nil
	}
	if sv.memory, err = files.Recall(sv.File); err != nil {
		return err
	}
	sv.roster = newRoster(sv.memory.Devices)
	sv.hasConnections, sv.hasWaits = sv.memory.Connections, sv.memory.Waits
	sv.written, sv.uptime = 0, sv.memory.Uptime
	if !sv.memory.Time.IsZero() {
		sv.written = sv.memory.Time.UnixMilli()
	}
	sv.recalled = true
	return nil
}

// hasFieldsOfLast reports whether a scrape has values for everything that is in the last reading in
// the files. Such a scrape is complete. This check is for the first scrape after a restart of
// limpet, when it is unknown which series a server has.
func (sv *server) hasFieldsOfLast(p *scrape) bool {
	if !sv.recalled || sv.memory.Time.IsZero() || !sv.clockAsBefore(p) {
		return false
	}
	for i := range sv.memory.Disks {
		d := &sv.memory.Disks[i]
		name := sv.roster.nameOf(d.Major, d.Minor)
		if d.Major == sysstat.ServiceMajor {
			name, _ = osd.NameOf(name)
		}
		if t := sv.disks[name]; t == nil || !diskAsBefore(d, t, p.cellsOf(t)) {
			return false
		}
	}
	for i := range sv.memory.Interfaces {
		n := &sv.memory.Interfaces[i]
		if t := sv.nics[n.Name]; t == nil || !t.isUsable(p.cellsOf(t)) || !linkAsBefore(n, p.cellsOf(t)) {
			return false
		}
	}
	for i := range sv.memory.Errors {
		if t := sv.nics[sv.memory.Errors[i].Name]; t == nil || !p.cellsOf(t).has(nicFaults) {
			return false
		}
	}
	for i := range sv.memory.Peers {
		peer := &sv.memory.Peers[i]
		if t := sv.peers[peerKey{peer.Remote.String(), peer.Dialled}]; t == nil || !t.isUsable(p.cellsOf(t)) {
			return false
		}
	}
	return true
}

// clockAsBefore reports whether the uptime can be computed from a scrape in the same way as in the
// last reading. If the uptime in the last reading counts from the boot of the server, the scrape
// must contain the boot time, or the uptime that limpet-record exports. If the boot time was
// unknown, the uptime in the last reading counts from 1970, and any scrape is good enough.
func (sv *server) clockAsBefore(p *scrape) bool {
	const hundredths, someYear = 100, 365 * 86400 // number of 1/100 s in a second; number of seconds in a year
	c := p.cellsOf(sv.host)
	hadBootTime := sv.memory.Time.Unix()-int64(sv.memory.Uptime/hundredths) > someYear
	return !hadBootTime || c.has(fieldSet(hostBoot)) || c.has(fieldSet(hostSampled, hostUptime))
}

func diskAsBefore(was *sysstat.Disk, t *subject, c *cells) bool {
	discards := was.DiscardSectors == 0 || c.has(fieldSet(diskDiscards, diskDiscardedSectors, diskDiscardSeconds))
	return t.isUsable(c) && discards
}

func linkAsBefore(was *sysstat.Interface, c *cells) bool {
	rest := was.RxCompressed|was.TxCompressed|was.Multicast == 0 ||
		c.has(fieldSet(nicRxCompressed, nicTxCompressed, nicMulticast))
	return rest && (was.SpeedMbit == 0 || c.has(fieldSet(nicSpeed)))
}
