package exporter

import (
	"github.com/limpet-storage/limpet/record/sysstat"
)

// After a restart of ours nobody knows which series a machine has. Its files
// tell what its last reading had: a scrape that has all of that is whole.

// Recall asks the files what they hold of the machine, once. Its name in files
// is to be known.
func (m *machineSeries) Recall(files Files) (err error) {
	if m.recalled {
		return nil
	}
	if m.memory, err = files.Recall(m.File); err != nil {
		return err
	}
	m.roster = newRoster(m.memory.Devices)
	m.tells = m.memory.Connections
	m.written, m.uptime = 0, m.memory.Uptime
	if !m.memory.Time.IsZero() {
		m.written = m.memory.Time.UnixMilli()
	}
	m.recalled = true
	return nil
}

// asBefore says whether a scrape has all that the last reading had.
func (m *machineSeries) asBefore(p *scrape) bool {
	if !m.recalled || m.memory.Time.IsZero() || !m.clockAsBefore(p) {
		return false
	}
	for i := range m.memory.Disks {
		d := &m.memory.Disks[i]
		if t := m.disks[m.roster.nameOf(d.Major, d.Minor)]; t == nil || !diskAsBefore(d, t, p.of(t)) {
			return false
		}
	}
	for i := range m.memory.Interfaces {
		n := &m.memory.Interfaces[i]
		if t := m.nics[n.Name]; t == nil || !t.usable(p.of(t)) || !linkAsBefore(n, p.of(t)) {
			return false
		}
	}
	for i := range m.memory.Errors {
		if t := m.nics[m.memory.Errors[i].Name]; t == nil || !p.of(t).has(nicFaults) {
			return false
		}
	}
	for i := range m.memory.Peers {
		peer := &m.memory.Peers[i]
		if t := m.peers[peerKey{peer.Remote.String(), peer.Dialled}]; t == nil || !t.usable(p.of(t)) {
			return false
		}
	}
	return true
}

// clockAsBefore: a machine that told when it was started does so again.
func (m *machineSeries) clockAsBefore(p *scrape) bool {
	const hundredths, someYear = 100, 365 * 86400
	c := p.of(m.host)
	told := m.memory.Time.Unix()-int64(m.memory.Uptime/hundredths) > someYear
	return !told || c.has(fieldSet(hostBoot)) || c.has(fieldSet(hostSampled, hostUptime))
}

func diskAsBefore(was *sysstat.Disk, t *thing, c *cells) bool {
	discards := was.DiscardSectors == 0 || c.has(fieldSet(diskDiscards, diskDiscardedSectors, diskDiscardSeconds))
	return t.usable(c) && discards
}

func linkAsBefore(was *sysstat.Interface, c *cells) bool {
	rest := was.RxCompressed|was.TxCompressed|was.Multicast == 0 ||
		c.has(fieldSet(nicRxCompressed, nicTxCompressed, nicMulticast))
	return rest && (was.SpeedMbit == 0 || c.has(fieldSet(nicSpeed)))
}
