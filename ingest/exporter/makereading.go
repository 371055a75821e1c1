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

// readInfo reads the labels of an info series (a series whose information is in its labels). The
// parameter `rival` is true if the labels come from a source whose samples are not used. Such
// labels only fill in missing values of a disk, and do not change the congestion control of a
// remote host. The duplex mode and the name of the server are taken from any source.
func (sv *server) readInfo(t *subject, b *Series, rival bool) {
	switch b.Kind {
	case ofDisk:
		if b.Mapper {
			t.mapper = cleanLabel(t.mapper, value(b.Labels, "name"))
			break
		}
		t.disk.readLabels(b.Labels, rival)
	case ofInterface:
		t.duplex = duplexOf(value(b.Labels, "duplex"))
	case ofPeer:
		if !rival {
			t.control = cleanLabel(t.control, value(b.Labels, "control"))
		}
	case ofHost:
		name := value(b.Labels, "nodename")
		if name == nil {
			name = value(b.Labels, "host")
		}
		if sv.Nodename != string(name) && CheckName(string(name)) == nil {
			sv.Nodename = string(name)
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

// makeReading makes a reading, which is the state of the server at the time of a scrape. The caller
// passes the memory for the reading.
func (sv *server) makeReading(p *scrape, r *Reading, now time.Time) {
	*r = Reading{Server: sv.File, Addresses: sv.addresses, Sample: sysstat.Sample{
		Disks: r.Sample.Disks[:0], Interfaces: r.Sample.Interfaces[:0],
		InterfaceErrors: r.Sample.InterfaceErrors[:0], Custom: r.Sample.Custom[:0],
	}}
	sv.readClock(p, r)
	sv.numberDisks(p)
	for _, t := range sv.subjects {
		if t == nil {
			continue
		}
		switch c := p.cellsOf(t); {
		case c.filled&^infoFields == 0:
		case !t.isUsable(c) && !t.begunBefore(c.filled, p.time): // a new disk or interface is left out until its other fields come
		case !t.isUsable(c):
			sv.trouble.set(now, "device %s of server %s is left out, because some of its counters are missing: do not drop series of this device at the sender", t.name, sv.Name)
		case t.service:
			sv.readService(t, c, r)
		case t.kind == ofDisk:
			sv.readDisk(t, c, r)
		case t.kind == ofInterface:
			readInterface(t, c, r)
		}
	}
	sv.readPeers(p, r)
	sv.sortItems(r)
	sv.readWaits(p, r)
}

// numberDisks gives new disks their device numbers in the order of their names. So
// the device numbers do not depend on the order of samples.
func (sv *server) numberDisks(p *scrape) {
	var fresh []string
	for name, t := range sv.disks {
		if c := p.cellsOf(t); !t.service && t.isUsable(c) && sv.roster.byName[name] == nil {
			fresh = append(fresh, name)
		}
	}
	sv.roster.prune(sv.disks)
	slices.Sort(fresh)
	for _, name := range fresh {
		sv.roster.register(name, &sv.disks[name].disk)
	}
}

// readDisk adds the counters of a disk to the reading r. It leaves out a disk without I/O, as the
// recorder does.
func (sv *server) readDisk(t *subject, c *cells, r *Reading) {
	d := diskOf(c, sv.roster.register(t.name, &t.disk))
	if d.IOs > 0 {
		r.Sample.Disks = append(r.Sample.Disks, d)
	}
}

// bytesPerMbit is the speed of a link of 1 Mbit/s, in bytes per second.
const bytesPerMbit = 1e6 / 8

func readInterface(t *subject, c *cells, r *Reading) {
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

// readPeers adds to the reading r the connections with remote hosts, sorted by address.
func (sv *server) readPeers(p *scrape, r *Reading) {
	var peers []tcpstat.Peer
	for _, t := range sv.peers {
		c := p.cellsOf(t)
		if !t.isUsable(c) {
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
	if sv.hasConnections = sv.hasConnections || len(peers) > 0; !sv.hasConnections {
		return
	}
	items := r.addCustom()
	for i := range peers {
		*items = tcpstat.Append(*items, &peers[i])
	}
	r.Connections = true
}

// addCustom adds a custom activity without items to r.Sample.Custom. A custom activity is a kind of
// data that sysstat itself does not have. The caller appends the items of the activity to the
// returned slice.
func (r *Reading) addCustom() *[]byte {
	n := len(r.Sample.Custom)
	if n < cap(r.Sample.Custom) {
		r.Sample.Custom = r.Sample.Custom[:n+1]
	} else {
		r.Sample.Custom = append(r.Sample.Custom, nil)
	}
	items := &r.Sample.Custom[n]
	*items = (*items)[:0]
	return items
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func peerOf(t *subject, c *cells) tcpstat.Peer {
	v := &c.values
	addr, _ := netip.ParseAddr(t.name)
	peer := tcpstat.Peer{
		Remote: addr, Dialled: t.dialled, Sockets: uint32(min(v[peerSockets], math.MaxUint32)),
		Cwnd: v[peerCwnd], RTT: v[peerRTT],
		Retrans: uint64(v[peerRetransmitted]), Delivered: uint64(v[peerDelivered]),
		Sent: uint64(v[peerSent]), Received: uint64(v[peerReceived]), CwndDelivered: uint64(v[peerCwndDelivered]),
	}
	if c.has(fieldSet(peerControl)) {
		peer.Control = tcpstat.ControlOf(c.control)
	}
	return peer
}

// readClock sets the time and the uptime of a reading. limpet-record exports the time and the
// uptime of its sample. For node_exporter, the time of the reading is the time of the scrape, and
// uptime = clock − boot time. The clock is the exported clock of the server, or the time of the
// scrape if the server exports no clock.
func (sv *server) readClock(p *scrape, r *Reading) {
	c := p.cellsOf(sv.host)
	at := p.time
	sv.skewMs = 0
	own := c.values[hostTime] * 1000
	if c.has(fieldSet(hostSampled, hostUptime)) {
		at = int64(math.Round(c.values[hostSampled] * 1000))
		// The time of the sample may be up to one interval before the time of the scrape. This does
		// not mean that the clock of the server is slow, so the later of the two times is used.
		own = max(float64(at), float64(p.time))
		r.Uptime = uint64(math.Round(c.values[hostUptime] * 100))
	} else {
		r.Uptime = uptime(c, p.time)
	}
	if own > 0 {
		sv.skewMs = int64(own) - p.time
	}
	r.Time = time.UnixMilli(at).UTC()
	r.Restarted = sv.restarted(at, r.Uptime)
}

// uptime returns the uptime in 1/100 s. If the boot time is unknown, it returns the time since
// 1970. This is sufficient, because this time also grows from reading to reading.
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

// restarted reports whether the server was restarted since the last reading:
// the uptime has fallen, or the boot time is after that reading.
func (sv *server) restarted(at int64, uptime uint64) bool {
	if sv.written == 0 {
		return false
	}
	const sinceBootMs = 10 // milliseconds in 1/100 s, the unit of the uptime
	return uptime < sv.uptime || at-int64(uptime)*sinceBootMs > sv.written
}

// sortItems sorts the disks of the reading by device number and the interfaces by name, because a
// record must have them in this order. It also adds the list of devices to the reading.
func (sv *server) sortItems(r *Reading) {
	slices.SortFunc(r.Sample.Disks, func(a, b sysstat.Disk) int {
		return cmp.Or(cmp.Compare(a.Major, b.Major), cmp.Compare(a.Minor, b.Minor))
	})
	slices.SortFunc(r.Sample.Interfaces, func(a, b sysstat.Interface) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(r.Sample.InterfaceErrors, func(a, b sysstat.InterfaceErrors) int { return strings.Compare(a.Name, b.Name) })
	if sv.roster.changed {
		sv.roster.sort()
	}
	r.Devices, r.Changed = sv.roster.list, sv.roster.changed
}
