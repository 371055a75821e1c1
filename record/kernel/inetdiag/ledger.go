package inetdiag

import (
	"net/netip"
	"slices"

	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// absences is in how many samples a socket may be absent before it counts as
// closed. A dump is made in parts and goes on by position, so it passes over a
// socket when one before it closes meanwhile; if such a one was taken for a new
// one afterwards, all that it ever did would be counted again.
const absences = 3

// A ledger holds an account for each socket, and sums for each remote host.
type ledger struct {
	idleSamples uint64
	maxIdle     int
	sample      uint64 // the number of the one at hand
	accounts    map[uint64]*account
	closed      []*account // to be used again
	peers       map[side]*peer
	order       []*peer // sorted by side, after a sample
	idle        []*peer
	queues      [2]hoststat.Queues // of accepted connections, and of dialled ones
}

// An account is what is known of a socket.
type account struct {
	local, remote netip.AddrPort
	peer          *peer
	last          counts
	seen          uint64 // the last sample that had it
	unread        uint32 // bytes by then
	readAt        uint64 // the last sample since which a process has read from it
}

func newLedger(idleSamples, maxIdle int) *ledger {
	return &ledger{idleSamples: uint64(idleSamples), maxIdle: maxIdle, accounts: map[uint64]*account{}, peers: map[side]*peer{}}
}

// recognise finds the accounts of sockets and says how many have one. A cookie
// is not enough: sockets can be connected anew, and before Linux 4.1 cookies
// were used again.
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

// enter takes the sockets of a sample, after they were recognised. The side of
// a socket is what it was when it was first seen: listeners come and go.
func (l *ledger) enter(sockets []socket, ls listeners) {
	l.sample++
	l.queues = [2]hoststat.Queues{}
	for _, p := range l.order {
		p.begin()
	}
	seen := 0
	for i := range sockets {
		if l.enterSocket(&sockets[i], ls) {
			seen++
		}
	}
	if seen < len(l.accounts) {
		l.closeAbsent()
	}
	l.dropIdle()
	if !slices.IsSortedFunc(l.order, bySide) {
		slices.SortFunc(l.order, bySide)
	}
}

// enterSocket reports false where the sample had the socket already: a dump
// may tell of one twice.
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

// inService is for how many samples a socket may stay unread and still count as stuck. A
// process that has not read from a socket for longer does not wait for it: a forgotten session is
// no pause.
const inService = 120

// queue takes the queues of an established socket, and what it has counted since the sample
// before. What has arrived and is not there any more was read.
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
	if s.unread > 0 && l.sample-a.readAt <= inService {
		q.OldestMs = max(q.OldestMs, uint64(s.hold.quietMs))
	}
}

// open makes an account, in the place of another's that has the cookie.
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

// blank is an account that is in nobody's name.
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

// dropIdle forgets remote hosts that have had no socket for long, and more if
// there are too many.
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
