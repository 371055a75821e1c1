package exporter

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// usualInterval is the interval between scrapes that limpet assumes for a
// server until the second scrape shows the real interval.
const usualInterval = time.Minute

// peerKey is a remote host and the direction of the connections to this host.
type peerKey struct {
	remote  string
	dialled bool
}

// A server holds the state of one server: its subjects (disks, interfaces, remote hosts and the
// server itself), and the scrapes that are not complete yet. Only one goroutine at a time may use
// it.
//
// Samples with the same time form one scrape, even if they arrive in several requests. A complete
// scrape becomes a reading. An incomplete scrape becomes a gap. So a missing counter never counts
// as zero, and a device without samples does not count as removed. Counters are written without
// change; readers of the files compute differences. Methods do not read the clock: callers pass the
// present time.
type server struct {
	Name     string // name from the server label
	Nodename string // name in the info series of the server; empty if no such series has arrived
	File     string // name in files; set before the first Close
	Counts   Counts

	services bool          // true if the server represents the services of a cluster, such as the OSDs of a Ceph cluster
	from     Sender        // sender of the first sample; the server counts as a server of this sender
	active   source        // source whose samples are used
	rival    source        // another source of samples of this server; zero if there is no other source
	interval time.Duration // time between scrapes
	// addresses has the IP address of the server, if the server label contains an address.
	addresses []sysstat.Address

	subjects []*subject // subjects by subject.index; nil if the index is free
	free     []int      // free indexes in subjects
	disks    map[string]*subject
	nics     map[string]*subject
	peers    map[peerKey]*subject
	systems  map[string]*subject // file systems, by the name of their device
	sensors  map[string]*subject // temperatures, by the name of the NVMe controller
	host     *subject

	pending        []*scrape // scrapes that wait for more samples, in time order
	spare          []*scrape // scrapes that were removed, and whose memory is used again
	closed         int64     // time of the last scrape that takes no more samples, ms
	fieldsKnown    bool      // true if it is known which fields a complete scrape must have
	hasConnections bool      // true if a reading of the server has connections
	hasWaits       bool      // true if a reading of the server has waits

	recalled bool // true if Recall has set server.memory
	memory   Memory
	roster   *roster
	written  int64  // time of the last reading that was written, ms
	uptime   uint64 // uptime in the last reading that was written, 1/100 s
	gaps     int    // number of consecutive gaps (scrapes that lacked samples)
	stuck    int    // number of consecutive scrapes that repeated the sample of a recorder
	skewMs   int64  // time by which the server's clock is ahead of the time of the scrape, ms

	failed  bool // true if the oldest scrape could not be written
	trouble trouble
}

// Waits reports whether there are scrapes that still wait for samples.
func (sv *server) Waits() bool { return len(sv.pending) > 0 }

// ClosedAfter reports whether a scrape that is later than t was closed (takes no more samples).
func (sv *server) ClosedAfter(t time.Time) bool { return sv.closed > t.UnixMilli() }

// newServer returns a server. The name comes from the server label.
func newServer(name string) *server {
	sv := &server{
		Name: name, interval: usualInterval,
		disks: map[string]*subject{}, nics: map[string]*subject{}, peers: map[peerKey]*subject{},
		systems: map[string]*subject{}, sensors: map[string]*subject{},
	}
	sv.host = sv.add(&subject{kind: ofHost})
	if a, err := netip.ParseAddr(name); err == nil && !a.IsLoopback() {
		sv.addresses = []sysstat.Address{{Addr: a}}
	}
	return sv
}

func (sv *server) add(t *subject) *subject {
	if n := len(sv.free); n > 0 {
		t.index, sv.free = sv.free[n-1], sv.free[:n-1]
		sv.subjects[t.index] = t
		return t
	}
	t.index = len(sv.subjects)
	sv.subjects = append(sv.subjects, t)
	return t
}

// subject returns the subject that a series describes: a disk, an interface, a remote host or
// another part of the server. It adds the subject if it is new. It returns nil if the name of a new
// subject is invalid, or if there are too many subjects.
func (sv *server) subject(b *Series, most int) *subject {
	var t *subject
	switch b.Kind {
	case ofHost:
		return sv.host
	case ofDisk:
		t = sv.disks[string(b.Key)]
	case ofInterface:
		t = sv.nics[string(b.Key)]
	case ofPeer:
		t = sv.peers[peerKey{string(b.Key), b.Dialled}]
	case ofFileSystem:
		t = sv.systems[string(b.Key)]
	case ofSensor:
		t = sv.sensors[string(b.Key)]
	}
	if t == nil && !sv.isFull(most) {
		t = sv.newSubject(b)
	}
	return t
}

// isFull reports whether the server has at least `most` devices, interfaces and remote hosts, so
// that no other subject can be added. The server itself is also one of its subjects, and is not
// counted.
func (sv *server) isFull(most int) bool { return len(sv.subjects)-len(sv.free) > most }

// Largest lengths of the names of interfaces and disks, in bytes. An activity file has 15 bytes for
// the name of an interface. An inventory (list of devices in an activity file) has 256 bytes for
// the name of a disk, but 128 bytes are enough.
const (
	maxNICName  = 15
	maxDiskName = 128
)

func (sv *server) newSubject(b *Series) *subject {
	t := &subject{kind: b.Kind, name: string(b.Key), dialled: b.Dialled, service: b.Service}
	if t.service {
		t.placing.number, _ = osdNumber(b.Key)
	}
	if strings.ContainsFunc(t.name, func(r rune) bool { return !isVisible(r) }) {
		return nil
	}
	switch {
	case b.Kind == ofDisk && len(t.name) <= maxDiskName:
		sv.disks[t.name] = sv.add(t)
	case b.Kind == ofInterface && len(t.name) <= maxNICName:
		sv.nics[t.name] = sv.add(t)
	case b.Kind == ofPeer && isAddress(t.name):
		sv.peers[peerKey{t.name, t.dialled}] = sv.add(t)
	case b.Kind == ofFileSystem && len(t.name) <= maxDiskName:
		sv.systems[t.name] = sv.add(t)
	case b.Kind == ofSensor && len(t.name) <= maxDiskName:
		sv.sensors[t.name] = sv.add(t)
	default:
		return nil
	}
	return t
}

// forget drops a subject, such as a disk, of which no samples are expected any more.
func (sv *server) forget(t *subject) {
	switch t.kind {
	case ofHost:
		return
	case ofDisk:
		delete(sv.disks, t.name)
	case ofInterface:
		delete(sv.nics, t.name)
	case ofPeer:
		delete(sv.peers, peerKey{t.name, t.dialled})
	case ofFileSystem:
		delete(sv.systems, t.name)
	case ofSensor:
		delete(sv.sensors, t.name)
	}
	sv.subjects[t.index] = nil
	sv.free = append(sv.free, t.index)
}

// Sweep drops the subjects (disks, interfaces and others) of which no samples are expected, and of
// which no incomplete scrape has samples.
func (sv *server) Sweep() {
	for _, t := range sv.subjects {
		if t != nil && t.live == 0 && !slices.ContainsFunc(sv.pending, func(p *scrape) bool { return p.cellsOf(t).filled != 0 }) {
			sv.forget(t)
		}
	}
	if alone := len(sv.subjects)-len(sv.free) == 1; alone && sv.host.live == 0 && len(sv.pending) == 0 {
		// Only the server itself is left as a subject, and no field of the server is expected. All
		// other subjects, such as disks, interfaces and remote hosts, are dropped. So the endpoint
		// has stopped sending. If it sends samples again later, it may send other series.
		sv.fieldsKnown, sv.recalled = false, false
	}
}

// Size returns the number of cells of the server. A cell is memory for one subject, such as a disk,
// and takes 200 or 450 bytes (see Options.MaxCells).
func (sv *server) Size() int {
	return (len(sv.subjects) - len(sv.free)) * (1 + len(sv.pending) + len(sv.spare))
}

// scrape returns the scrape with the time t that still takes samples. If there is no such scrape,
// it begins a new scrape. But if `full` is true, it returns nil instead.
func (sv *server) scrape(t int64, full bool) *scrape {
	at, found := slices.BinarySearchFunc(sv.pending, t, func(p *scrape, t int64) int { return cmp.Compare(p.time, t) })
	if found {
		return sv.pending[at]
	}
	if full {
		return nil
	}
	p := &scrape{}
	if n := len(sv.spare); n > 0 {
		p, sv.spare = sv.spare[n-1], sv.spare[:n-1]
	}
	p.time = t
	sv.pending = slices.Insert(sv.pending, at, p)
	return p
}

// recycle removes the oldest scrape, and keeps its memory for another scrape.
func (sv *server) recycle() {
	p := sv.pending[0]
	sv.pending = slices.Delete(sv.pending, 0, 1)
	clear(p.cells)
	*p = scrape{cells: p.cells[:0]}
	if len(sv.spare) < 2 {
		sv.spare = append(sv.spare, p)
	}
}

func (sv *server) dropPending() {
	for len(sv.pending) > 0 {
		sv.recycle()
	}
}

func isAddress(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}
