package exporter

import (
	"net/netip"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/sysstat"
)

// usualInterval is taken for that of the scrapes until two have come.
const usualInterval = time.Minute

// peerKey names a remote host on one side.
type peerKey struct {
	remote  string
	dialled bool
}

// A server is a machine as far as its series have come.
type server struct {
	name     string // by its label
	nodename string // by itself
	file     string // in files, once it has any
	holder   teller // the one that is heard
	rival    teller // another, zero where there is none
	interval time.Duration
	// addresses are those that its label tells.
	addresses []sysstat.Address

	things []*thing // by index; nil: free
	free   []int
	disks  map[string]*thing
	nics   map[string]*thing
	peers  map[peerKey]*thing
	host   *thing

	pending []*scrape // in the order of time
	spare   []*scrape
	closed  int64 // time of the last scrape that was closed
	learnt  bool  // what a scrape of it has is known
	tells   bool  // of connections

	recalled bool
	memory   Memory
	roster   *roster
	written  int64  // time of the last reading, ms
	uptime   uint64 // then
	gaps     int    // in a row
	stuck    int    // scrapes that showed a sample that was shown before
	skewMs   int64  // by which the machine's clock is ahead of the scrape's

	touched bool // since it was last looked at
	failed  bool // its oldest scrape could not be written
	counts  Counts
	trouble trouble
}

func newServer(name string) *server {
	s := &server{
		name: name, interval: usualInterval,
		disks: map[string]*thing{}, nics: map[string]*thing{}, peers: map[peerKey]*thing{},
	}
	s.host = s.add(&thing{kind: ofHost})
	if a, err := netip.ParseAddr(name); err == nil && !a.IsLoopback() {
		s.addresses = []sysstat.Address{{Addr: a}}
	}
	return s
}

func (s *server) add(t *thing) *thing {
	if n := len(s.free); n > 0 {
		t.index, s.free = s.free[n-1], s.free[:n-1]
		s.things[t.index] = t
		return t
	}
	t.index = len(s.things)
	s.things = append(s.things, t)
	return t
}

// thing is the one that a series tells of, nil where there are too many.
func (s *server) thing(b *series, most int) *thing {
	var t *thing
	switch b.kind {
	case ofHost:
		return s.host
	case ofDisk:
		t = s.disks[string(b.key)]
	case ofInterface:
		t = s.nics[string(b.key)]
	case ofPeer:
		t = s.peers[peerKey{string(b.key), b.dialled}]
	}
	if t == nil && len(s.things)-len(s.free) <= most {
		t = s.newThing(b)
	}
	return t
}

// maxName bounds the names of things: an activity file has 15 bytes for an
// interface, an inventory 256 for a disk.
const (
	maxNICName  = 15
	maxDiskName = 128
)

func (s *server) newThing(b *series) *thing {
	t := &thing{kind: b.kind, name: string(b.key), dialled: b.dialled}
	if slices.ContainsFunc([]rune(t.name), func(r rune) bool { return printable(r) != r }) {
		return nil
	}
	switch {
	case b.kind == ofDisk && len(t.name) <= maxDiskName:
		s.disks[t.name] = s.add(t)
	case b.kind == ofInterface && len(t.name) <= maxNICName:
		s.nics[t.name] = s.add(t)
	case b.kind == ofPeer && isAddress(t.name):
		s.peers[peerKey{t.name, t.dialled}] = s.add(t)
	default:
		return nil
	}
	return t
}

// forget drops a thing of which nothing is expected and nothing pending.
func (s *server) forget(t *thing) {
	switch t.kind {
	case ofHost:
		return
	case ofDisk:
		delete(s.disks, t.name)
	case ofInterface:
		delete(s.nics, t.name)
	case ofPeer:
		delete(s.peers, peerKey{t.name, t.dialled})
	}
	s.things[t.index] = nil
	s.free = append(s.free, t.index)
}

// sweep forgets what is gone.
func (s *server) sweep() {
	for _, t := range s.things {
		if t != nil && t.live == 0 && !slices.ContainsFunc(s.pending, func(p *scrape) bool { return p.of(t).have != 0 }) {
			s.forget(t)
		}
	}
}

// scrape is the one of a time, which begins where there is none.
func (s *server) scrape(t int64) *scrape {
	at, found := slices.BinarySearchFunc(s.pending, t, func(p *scrape, t int64) int { return int(p.time - t) })
	if found {
		return s.pending[at]
	}
	p := &scrape{}
	if n := len(s.spare); n > 0 {
		p, s.spare = s.spare[n-1], s.spare[:n-1]
	}
	p.time = t
	s.pending = slices.Insert(s.pending, at, p)
	return p
}

// recycle takes the memory of the oldest scrape.
func (s *server) recycle() {
	p := s.pending[0]
	s.pending = slices.Delete(s.pending, 0, 1)
	clear(p.cells)
	*p = scrape{cells: p.cells[:0]}
	if len(s.spare) < 2 {
		s.spare = append(s.spare, p)
	}
}

func (s *server) dropPending() {
	for len(s.pending) > 0 {
		s.recycle()
	}
}
