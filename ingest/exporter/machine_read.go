package exporter

import (
	"cmp"
	"math"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// learn takes what a series tells by its labels. A rival only fills in.
func (m *machineSeries) learn(t *thing, b *Series, rival bool) {
	switch b.Kind {
	case ofDisk:
		t.disk.learn(b.Labels, rival)
	case ofInterface:
		t.duplex = duplexOf(value(b.Labels, "duplex"))
	case ofPeer:
		if !rival {
			t.control = same(t.control, value(b.Labels, "control"))
		}
	case ofHost:
		name := value(b.Labels, "nodename")
		if name == nil {
			name = value(b.Labels, "host")
		}
		if m.Nodename != string(name) && CheckName(string(name)) == nil {
			m.Nodename = string(name)
		}
	}
}

func value(labels []Label, name string) []byte {
	for _, l := range labels {
		if string(l.Name) == name {
			return l.Value
		}
	}
	return nil
}

func duplexOf(word []byte) uint8 {
	switch string(word) {
	case "full":
		return sysstat.FullDuplex
	case "half":
		return sysstat.HalfDuplex
	}
	return 0
}

// read makes a reading of a scrape, in memory that is used again.
func (m *machineSeries) read(p *scrape, r *Reading, now time.Time) {
	*r = Reading{Server: m.File, Addresses: m.addresses, Sample: sysstat.Sample{
		Disks: r.Sample.Disks[:0], Interfaces: r.Sample.Interfaces[:0],
		InterfaceErrors: r.Sample.InterfaceErrors[:0], Custom: r.Sample.Custom,
	}}
	m.readClock(p, r)
	m.number(p)
	for _, t := range m.things {
		if t == nil {
			continue
		}
		switch c := p.of(t); {
		case c.have&^told == 0:
		case !t.usable(c) && !t.begunBefore(c.have, p.time): // the rest of what is new may come late
		case !t.usable(c):
			m.trouble.say(now, "%s of %s lacks some of its counters and is left out: send all series that begin as these do", t.name, m.Name)
		case t.kind == ofDisk:
			m.readDisk(t, c, r)
		case t.kind == ofInterface:
			readInterface(t, c, r)
		}
	}
	m.readPeers(p, r)
	m.order(r)
}

// number gives disks that are new their numbers in the order of names, however
// their samples came.
func (m *machineSeries) number(p *scrape) {
	var fresh []string
	for name, t := range m.disks {
		if c := p.of(t); t.usable(c) && m.roster.byName[name] == nil {
			fresh = append(fresh, name)
		}
	}
	m.roster.prune(m.disks)
	slices.Sort(fresh)
	for _, name := range fresh {
		m.roster.settle(name, &m.disks[name].disk)
	}
}

// readDisk adds a disk. Those that have done nothing are left out, as in
// recorders' files.
func (m *machineSeries) readDisk(t *thing, c *cells, r *Reading) {
	d := diskOf(c, m.roster.settle(t.name, &t.disk))
	if d.IOs > 0 {
		r.Sample.Disks = append(r.Sample.Disks, d)
	}
}

// bytesPerMbit is those of a second at 1 Mbit/m.
const bytesPerMbit = 1e6 / 8

func readInterface(t *thing, c *cells, r *Reading) {
	v := &c.values
	n := sysstat.Interface{
		Name: t.name, Duplex: t.duplex,
		RxPackets: uint64(v[nicRxPackets]), TxPackets: uint64(v[nicTxPackets]),
		RxBytes: uint64(v[nicRxBytes]), TxBytes: uint64(v[nicTxBytes]),
		RxCompressed: uint64(v[nicRxCompressed]), TxCompressed: uint64(v[nicTxCompressed]),
		Multicast: uint64(v[nicMulticast]),
	}
	if speed := v[nicSpeed] / bytesPerMbit; speed > 0 && speed < math.MaxUint32 {
		n.SpeedMbit = uint32(math.Round(speed))
	}
	r.Sample.Interfaces = append(r.Sample.Interfaces, n)
	if !c.has(nicFaults) {
		return
	}
	r.Sample.InterfaceErrors = append(r.Sample.InterfaceErrors, sysstat.InterfaceErrors{
		Name: t.name, Collisions: uint64(v[nicCollisions]),
		RxErrors: uint64(v[nicRxErrors]), TxErrors: uint64(v[nicTxErrors]),
		RxDropped: uint64(v[nicRxDropped]), TxDropped: uint64(v[nicTxDropped]),
		RxFIFO: uint64(v[nicRxFIFO]), TxFIFO: uint64(v[nicTxFIFO]),
		RxFrame: uint64(v[nicRxFrame]), TxCarrier: uint64(v[nicTxCarrier]),
	})
}

// readPeers adds the connections, in the order of addresses.
func (m *machineSeries) readPeers(p *scrape, r *Reading) {
	var peers []tcpstat.Peer
	for _, t := range m.peers {
		c := p.of(t)
		if !t.usable(c) {
			continue
		}
		peers = append(peers, peerOf(t, c))
	}
	slices.SortFunc(peers, func(a, b tcpstat.Peer) int {
		if order := a.Remote.Compare(b.Remote); order != 0 {
			return order
		}
		return cmp.Compare(btoi(a.Dialled), btoi(b.Dialled))
	})
	if m.tells = m.tells || len(peers) > 0; !m.tells {
		r.Sample.Custom = nil
		return
	}
	if len(r.Sample.Custom) == 0 {
		r.Sample.Custom = make([][]byte, 1)
	}
	items := r.Sample.Custom[0][:0]
	for i := range peers {
		items = tcpstat.Append(items, &peers[i])
	}
	r.Sample.Custom[0], r.Connections = items, true
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func peerOf(t *thing, c *cells) tcpstat.Peer {
	v := &c.values
	addr, _ := netip.ParseAddr(t.name)
	peer := tcpstat.Peer{
		Remote: addr, Dialled: t.dialled, Sockets: uint32(min(v[peerSockets], math.MaxUint32)),
		Cwnd: v[peerCwnd], RTT: v[peerRTT],
		Retrans: uint64(v[peerRetransmitted]), Delivered: uint64(v[peerDelivered]),
		Sent: uint64(v[peerSent]), Received: uint64(v[peerReceived]), CwndDelivered: uint64(v[peerCwndDelivered]),
	}
	if c.has(fieldSet(peerControl)) {
		peer.Control = tcpstat.ControlOf(c.told)
	}
	return peer
}

// readClock tells when the reading is from, and for how long the machine has
// been running. A recorder tells both. Of others the time is the scrape's, and
// the uptime is by the machine's own clock where that is told.
func (m *machineSeries) readClock(p *scrape, r *Reading) {
	c := p.of(m.host)
	at := p.time
	m.skewMs = 0
	own := c.values[hostTime] * 1000
	if c.has(fieldSet(hostSampled, hostUptime)) {
		at = int64(math.Round(c.values[hostSampled] * 1000))
		own = max(float64(at), float64(p.time)) // a sample may be as old as its interval
		r.Uptime = uint64(math.Round(c.values[hostUptime] * 100))
	} else {
		r.Uptime = uptime(c, p.time)
	}
	if own > 0 {
		m.skewMs = int64(own) - p.time
	}
	r.Time = time.UnixMilli(at).UTC()
	r.Restarted = m.restarted(at, r.Uptime)
}

// uptime is in 1/100 m. Where nobody tells when the machine was started it is
// counted from 1970: it only has to grow.
func uptime(c *cells, ms int64) uint64 {
	now := float64(ms) / 1000
	if c.has(fieldSet(hostTime)) {
		now = c.values[hostTime]
	}
	boot := c.values[hostBoot]
	if boot >= now {
		boot = 0
	}
	return uint64(math.Round((now - boot) * 100))
}

// restarted says whether the machine was started since the last reading.
func (m *machineSeries) restarted(at int64, uptime uint64) bool {
	if m.written == 0 {
		return false
	}
	const sinceBootMs = 10 // a hundredth of a second
	return uptime < m.uptime || at-int64(uptime)*sinceBootMs > m.written
}

// order sorts what came in the order of a table, and lends the devices.
func (m *machineSeries) order(r *Reading) {
	slices.SortFunc(r.Sample.Disks, func(a, b sysstat.Disk) int {
		return cmp.Or(cmp.Compare(a.Major, b.Major), cmp.Compare(a.Minor, b.Minor))
	})
	slices.SortFunc(r.Sample.Interfaces, func(a, b sysstat.Interface) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(r.Sample.InterfaceErrors, func(a, b sysstat.InterfaceErrors) int { return strings.Compare(a.Name, b.Name) })
	if m.roster.changed {
		m.roster.sort()
	}
	r.Devices, r.Changed = m.roster.list, m.roster.changed
}
