package inetdiag

import (
	"math"
	"net/netip"
	"slices"

	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// absences is the number of samples in which a socket may be absent before it counts as closed. The
// kernel makes a dump in parts and continues by position. If a socket closes meanwhile, the dump
// may skip a socket behind it. If the skipped socket then counted as new, all its traffic would be
// counted again.
const absences = 3

// A ledger holds an account for each socket, and sums for each remote host.
type ledger struct {
	idleSamples uint64
	maxIdle     int
	sample      uint64 // number of the current sample
	accounts    map[uint64]*account
	closed      []*account // to be used again
	peers       map[side]*peer
	order       []*peer // sorted by side, after a sample
	idle        []*peer
	queues      [2]hoststat.Queues // of accepted connections, and of dialled ones
	services    map[uint16]quiet   // by the local port of accepted connections, for the current sample
}

// quiet shows for how long the process behind a local port may have read nothing. A connection
// alone does not show it: some servers read the next request of a connection only when the last one
// is done, which takes as long as the disk.
type quiet struct {
	unreadMs uint32 // longest time since data arrived at a socket that has unread bytes
	readMs   uint32 // shortest time since data arrived that were read
}

// An account holds the last counters of a socket.
type account struct {
	local, remote netip.AddrPort
	peer          *peer
	last          counts
	seen          uint64 // number of the last sample with this socket
	unread        uint32 // unread bytes in the sample seen
	readAt        uint64 // number of the last sample before which a process had read from the socket
}

func newLedger(idleSamples, maxIdle int) *ledger {
	return &ledger{idleSamples: uint64(idleSamples), maxIdle: maxIdle, accounts: map[uint64]*account{}, peers: map[side]*peer{}, services: map[uint16]quiet{}}
}

// recognise finds the accounts of sockets and returns how many sockets have an account. A cookie is
// not enough: sockets can be connected again, and before Linux 4.1 cookies were used again.
func (l *ledger) recognise(sockets []socket) int {
	known := 0
	for i := range sockets {
		s := &sockets[i]
		s.account = l.accounts[s.cookie]
		if s.account != nil && s.account.belongsTo(s) {
			known++
		} else {
			s.account = nil
		}
	}
	return known
}

func (a *account) belongsTo(s *socket) bool { return a.local == s.local && a.remote == s.remote }

// enter adds the sockets of a sample, after recognise. The side of a socket is decided when the
// socket is first seen, because listeners come and go.
func (l *ledger) enter(sockets []socket, ls listeners) {
	l.sample++
	l.queues = [2]hoststat.Queues{}
	clear(l.services)
	for _, p := range l.order {
		p.begin()
	}
	seen := 0
	for i := range sockets {
		if l.enterSocket(&sockets[i], ls) {
			seen++
		}
	}
	for _, q := range l.services {
		l.queues[0].OldestMs = max(l.queues[0].OldestMs, uint64(min(q.unreadMs, q.readMs)))
	}
	if seen < len(l.accounts) {
		l.closeAbsent()
	}
	l.dropIdle()
	if !slices.IsSortedFunc(l.order, bySide) {
		slices.SortFunc(l.order, bySide)
	}
}

// enterSocket returns false if the sample had the socket already: a dump may list a socket twice.
func (l *ledger) enterSocket(s *socket, ls listeners) bool {
	a := s.account
	if a == nil {
		a = l.accounts[s.cookie]
		if a == nil || !a.belongsTo(s) {
			a = l.open(s, side{s.remote.Addr().Unmap(), !ls.accepted(s.local)})
			a.peer.count(a.last.begin(s.info.counts), s.info.cwnd)
		}
	}
	if a.seen == l.sample {
		return false
	}
	a.seen = l.sample
	by := a.last.grow(s.info.counts)
	if s.state == established {
		a.peer.add(s)
		l.queue(a, s, by)
	}
	a.unread = s.unread
	a.peer.count(by, s.info.cwnd)
	return true
}

// inService is the number of samples for which an unread socket counts as stuck. If a process has
// not read from a socket for longer, it does not wait for the socket: an abandoned session is not a
// stall.
const inService = 120

// queue adds the queues of an established socket, and its growth since the sample before. Bytes
// read = bytes unread before + bytes received - bytes unread now.
func (l *ledger) queue(a *account, s *socket, by counts) {
	q := &l.queues[0]
	if a.peer.dialled {
		q = &l.queues[1]
	}
	q.Sockets++
	q.Unread += uint64(s.unread)
	q.Unsent += uint64(s.unsent)
	if s.hold.closed {
		q.Closed++
	}
	if s.hold.closedThere {
		q.ClosedThere++
	}
	if s.unread > 0 {
		q.Waiting++
	}
	q.Taken += by.sent
	read := uint64(a.unread) + by.received
	read -= min(read, uint64(s.unread))
	switch q.Read += read; {
	case read > 0 || a.readAt == 0:
		a.readAt = l.sample
	case a.unread > 0 && l.sample-a.readAt <= inService:
		q.Stuck++
	}
	waiting := s.unread > 0 && l.sample-a.readAt <= inService
	switch {
	case waiting && a.peer.dialled:
		q.OldestMs = max(q.OldestMs, uint64(s.hold.quietMs))
	case waiting || s.unread == 0 && by.received > 0 && !a.peer.dialled:
		l.addQuiet(s)
	}
}

// addQuiet notes when data arrived at an accepted connection, and whether they were read. Data that
// arrived t ago and were read show that the process has stood still for t at most.
func (l *ledger) addQuiet(s *socket) {
	q, ok := l.services[s.local.Port()]
	if !ok {
		q.readMs = math.MaxUint32
	}
	if s.unread > 0 {
		q.unreadMs = max(q.unreadMs, s.hold.quietMs)
	} else {
		q.readMs = min(q.readMs, s.hold.quietMs)
	}
	l.services[s.local.Port()] = q
}

// open makes an account for a socket. It replaces an account with the same cookie.
func (l *ledger) open(s *socket, of side) *account {
	if former := l.accounts[s.cookie]; former != nil {
		l.close(s.cookie, former)
	}
	a := l.blank()
	*a = account{local: s.local, remote: s.remote, peer: l.peerOf(of)}
	a.peer.accounts++
	l.accounts[s.cookie] = a
	return a
}

// blank returns an account to be filled; if possible, the account of a closed socket.
func (l *ledger) blank() *account {
	n := len(l.closed)
	if n == 0 {
		return new(account)
	}
	a := l.closed[n-1]
	l.closed = l.closed[:n-1]
	return a
}

func (l *ledger) peerOf(of side) *peer {
	p := l.peers[of]
	if p == nil {
		p = &peer{side: of}
		l.peers[of] = p
		l.order = append(l.order, p)
	}
	return p
}

func (l *ledger) closeAbsent() {
	for cookie, a := range l.accounts {
		if l.sample-a.seen > absences {
			l.close(cookie, a)
		}
	}
}

func (l *ledger) close(cookie uint64, a *account) {
	delete(l.accounts, cookie)
	l.closed = append(l.closed, a)
	if a.peer.accounts--; a.peer.accounts == 0 {
		a.peer.idleSince = l.sample
	}
}

// dropIdle drops remote hosts that have had no socket for long, and more hosts if there are too
// many.
func (l *ledger) dropIdle() {
	l.idle = l.idle[:0]
	expired := 0
	for _, p := range l.order {
		if p.accounts > 0 {
			continue
		}
		l.idle = append(l.idle, p)
		if l.sample-p.idleSince >= l.idleSamples {
			expired++
		}
	}
	if n := max(expired, len(l.idle)-l.maxIdle); n > 0 {
		slices.SortFunc(l.idle, byIdleness)
		l.drop(l.idle[:n])
	}
}

func (l *ledger) drop(peers []*peer) {
	for _, p := range peers {
		delete(l.peers, p.side)
	}
	l.order = slices.DeleteFunc(l.order, func(p *peer) bool { return l.peers[p.side] == nil })
}

func (l *ledger) list(dst []tcpstat.Peer) []tcpstat.Peer {
	dst = slices.Grow(dst, len(l.order))
	for _, p := range l.order {
		dst = append(dst, p.stat())
	}
	return dst
}
