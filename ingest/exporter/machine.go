// This file makes readings of one machine out of the samples of its
// series, as they come.
//
// Counters stay as they are: who reads the files differences them. Samples are
// joined by time, however many requests they come in. A reading is whole or it
// is a gap: a counter that did not come is never taken for zero, nor a device
// whose counters did not come for one that has gone.
//
// It has no clock and opens no file. Time is told by whoever calls.

package exporter

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// usualInterval is taken for that of the scrapes until two have come.
const usualInterval = time.Minute

// peerKey names a remote host on one side.
type peerKey struct {
	remote  string
	dialled bool
}

// A machineSeries is what its series have told so far. It is for one goroutine at a
// time.
type machineSeries struct {
	Name     string // by its label
	Nodename string // by itself, empty where it does not say
	File     string // in files; it is to be set ahead of the first Close
	Counts   Counts

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

	failed  bool // its oldest scrape could not be written
	trouble trouble
}

// Waits says whether scrapes wait to be closed.
func (m *machineSeries) Waits() bool { return len(m.pending) > 0 }

// ClosedAfter says whether scrapes are closed up to after a time.
func (m *machineSeries) ClosedAfter(t time.Time) bool { return m.closed > t.UnixMilli() }

// newMachineSeries makes a machine that a label names.
func newMachineSeries(name string) *machineSeries {
	m := &machineSeries{
		Name: name, interval: usualInterval,
		disks: map[string]*thing{}, nics: map[string]*thing{}, peers: map[peerKey]*thing{},
	}
	m.host = m.add(&thing{kind: ofHost})
	if a, err := netip.ParseAddr(name); err == nil && !a.IsLoopback() {
		m.addresses = []sysstat.Address{{Addr: a}}
	}
	return m
}

func (m *machineSeries) add(t *thing) *thing {
	if n := len(m.free); n > 0 {
		t.index, m.free = m.free[n-1], m.free[:n-1]
		m.things[t.index] = t
		return t
	}
	t.index = len(m.things)
	m.things = append(m.things, t)
	return t
}

// thing is the one that a series tells of, nil where there are too many.
func (m *machineSeries) thing(b *Series, most int) *thing {
	var t *thing
	switch b.Kind {
	case ofHost:
		return m.host
	case ofDisk:
		t = m.disks[string(b.Key)]
	case ofInterface:
		t = m.nics[string(b.Key)]
	case ofPeer:
		t = m.peers[peerKey{string(b.Key), b.Dialled}]
	}
	if t == nil && len(m.things)-len(m.free) <= most {
		t = m.newThing(b)
	}
	return t
}

// maxName bounds the names of things: an activity file has 15 bytes for an
// interface, an inventory 256 for a disk.
const (
	maxNICName  = 15
	maxDiskName = 128
)

func (m *machineSeries) newThing(b *Series) *thing {
	t := &thing{kind: b.Kind, name: string(b.Key), dialled: b.Dialled}
	if strings.ContainsFunc(t.name, func(r rune) bool { return !visible(r) }) {
		return nil
	}
	switch {
	case b.Kind == ofDisk && len(t.name) <= maxDiskName:
		m.disks[t.name] = m.add(t)
	case b.Kind == ofInterface && len(t.name) <= maxNICName:
		m.nics[t.name] = m.add(t)
	case b.Kind == ofPeer && isAddress(t.name):
		m.peers[peerKey{t.name, t.dialled}] = m.add(t)
	default:
		return nil
	}
	return t
}

// forget drops a thing of which nothing is expected and nothing pending.
func (m *machineSeries) forget(t *thing) {
	switch t.kind {
	case ofHost:
		return
	case ofDisk:
		delete(m.disks, t.name)
	case ofInterface:
		delete(m.nics, t.name)
	case ofPeer:
		delete(m.peers, peerKey{t.name, t.dialled})
	}
	m.things[t.index] = nil
	m.free = append(m.free, t.index)
}

// Sweep forgets what is gone.
func (m *machineSeries) Sweep() {
	for _, t := range m.things {
		if t != nil && t.live == 0 && !slices.ContainsFunc(m.pending, func(p *scrape) bool { return p.of(t).have != 0 }) {
			m.forget(t)
		}
	}
	if alone := len(m.things)-len(m.free) == 1; alone && m.host.live == 0 && len(m.pending) == 0 {
		// The endpoint is gone. When it comes back nobody knows what it has.
		m.learnt, m.recalled = false, false
	}
}

// Size is how many cells the machine takes, of 200 bytes each.
func (m *machineSeries) Size() int {
	return (len(m.things) - len(m.free)) * (1 + len(m.pending) + len(m.spare))
}

// scrape is the one of a time, which begins where there is none. It is nil
// where there is no room for another.
func (m *machineSeries) scrape(t int64, full bool) *scrape {
	at, found := slices.BinarySearchFunc(m.pending, t, func(p *scrape, t int64) int { return cmp.Compare(p.time, t) })
	if found {
		return m.pending[at]
	}
	if full {
		return nil
	}
	p := &scrape{}
	if n := len(m.spare); n > 0 {
		p, m.spare = m.spare[n-1], m.spare[:n-1]
	}
	p.time = t
	m.pending = slices.Insert(m.pending, at, p)
	return p
}

// recycle takes the memory of the oldest scrape.
func (m *machineSeries) recycle() {
	p := m.pending[0]
	m.pending = slices.Delete(m.pending, 0, 1)
	clear(p.cells)
	*p = scrape{cells: p.cells[:0]}
	if len(m.spare) < 2 {
		m.spare = append(m.spare, p)
	}
}

func (m *machineSeries) dropPending() {
	for len(m.pending) > 0 {
		m.recycle()
	}
}

func isAddress(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}
