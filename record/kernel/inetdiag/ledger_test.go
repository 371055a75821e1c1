package inetdiag

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/record/tcpstat"
)

// A book is a ledger with its listeners.
type book struct {
	*ledger
	listeners listeners
}

func newBook() *book {
	o := DefaultOptions()
	return &book{ledger: newLedger(o.IdleSamples, o.MaxIdle), listeners: listeners{server: true}}
}

func (b *book) take(sockets ...socket) []tcpstat.Peer {
	b.recognise(sockets)
	b.enter(sockets, b.listeners)
	return b.list(nil)
}

// accepted is a socket of the server that has sent so many bytes in as many
// segments, and received twice as many.
func accepted(cookie uint64, remote string, sent uint64) socket {
	return socket{
		cookie: cookie, state: established, local: server, remote: netip.AddrPortFrom(netip.MustParseAddr(remote), 900),
		info: info{10, 100, counts{uint32(sent) / 10, uint32(sent), sent, 2 * sent}}, control: tcpstat.ControlOf("cubic"),
	}
}

func want(t *testing.T, got []tcpstat.Peer, want ...tcpstat.Peer) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

// peerWith is the sum of accepted sockets.
func peerWith(remote string, sockets uint32, sent uint64) tcpstat.Peer {
	p := tcpstat.Peer{
		Remote: netip.MustParseAddr(remote), Sockets: sockets,
		Retrans: sent / 10, Delivered: sent, Sent: sent, Received: 2 * sent, CwndDelivered: 10 * sent,
	}
	if sockets > 0 {
		p.Cwnd, p.RTT, p.Control = 10, 100e-6, tcpstat.ControlOf("cubic")
	}
	return p
}

func TestSumsOutliveSockets(t *testing.T) {
	b := newBook()
	want(t, b.take(accepted(1, "10.0.0.3", 100), accepted(2, "10.0.0.3", 50)), peerWith("10.0.0.3", 2, 150))
	want(t, b.take(accepted(1, "10.0.0.3", 110)), peerWith("10.0.0.3", 1, 160))
	for range 10 {
		want(t, b.take(), peerWith("10.0.0.3", 0, 160))
	}
	want(t, b.take(accepted(3, "10.0.0.3", 40)), peerWith("10.0.0.3", 1, 200))
}

// TestHalfClosed: a socket that one end has closed goes on counting, and is no
// longer among those of which there are means.
func TestHalfClosed(t *testing.T) {
	for _, s := range []state{finWait1, finWait2, closeWait, lastAck, closing} {
		b := newBook()
		b.take(accepted(1, "10.0.0.3", 100), accepted(2, "10.0.0.3", 50))
		half := accepted(1, "10.0.0.3", 130)
		half.state, half.info.cwnd = s, 999
		one, none := peerWith("10.0.0.3", 1, 180), peerWith("10.0.0.3", 0, 180)
		one.CwndDelivered, none.CwndDelivered = 10*150+999*30, 10*150+999*30 // what it still delivers has its window
		want(t, b.take(half, accepted(2, "10.0.0.3", 50)), one)
		want(t, b.take(half), none)
	}
}

// TestAbsent: a dump passed over a socket.
func TestAbsent(t *testing.T) {
	b := newBook()
	b.take(accepted(1, "10.0.0.3", 100))
	for range absences {
		want(t, b.take(), peerWith("10.0.0.3", 0, 100))
	}
	want(t, b.take(accepted(1, "10.0.0.3", 130)), peerWith("10.0.0.3", 1, 130))
	for range absences + 1 {
		b.take()
	}
	if len(b.accounts) != 0 {
		t.Errorf("%d accounts are left", len(b.accounts))
	}
}

// TestTwice: a dump told of sockets twice, known ones and new ones.
func TestTwice(t *testing.T) {
	b := newBook()
	for _, sent := range []uint64{100, 120} {
		s := accepted(1, "10.0.0.3", sent)
		want(t, b.take(s, s), peerWith("10.0.0.3", 1, sent))
	}
}

func TestCookieAgain(t *testing.T) {
	b := newBook()
	b.take(accepted(1, "10.0.0.3", 100))
	want(t, b.take(accepted(1, "10.0.0.4", 30)), peerWith("10.0.0.3", 0, 100), peerWith("10.0.0.4", 1, 30))
	want(t, b.take(accepted(1, "10.0.0.4", 20)), peerWith("10.0.0.3", 0, 100), peerWith("10.0.0.4", 1, 50))
}

func TestLongLived(t *testing.T) {
	b := newBook()
	s := accepted(1, "10.0.0.3", 0)
	s.info.delivered = 7 << 29 // more than half of the range, at first sight
	b.take(s)
	s.info.delivered = 1 << 29 // around
	if got := b.take(s)[0].Delivered; got != 9<<29 {
		t.Errorf("got %d, want %d", got, uint64(9<<29))
	}
}

// TestSides: sockets keep the side that they had when they were first seen,
// and come in order.
func TestSides(t *testing.T) {
	b := newBook()
	dialled := accepted(2, "10.0.0.3", 10)
	dialled.local = netip.MustParseAddrPort("10.0.0.1:900")
	mapped := accepted(3, "::ffff:10.0.0.2", 10)
	mapped.local = netip.MustParseAddrPort("[::ffff:10.0.0.1]:2049")
	b.listeners[mapped.local] = true
	sockets := []socket{dialled, accepted(4, "2001:db8::1", 10), accepted(1, "10.0.0.3", 10), mapped}
	there := peerWith("10.0.0.3", 1, 10)
	there.Dialled = true
	all := []tcpstat.Peer{peerWith("10.0.0.2", 1, 10), peerWith("10.0.0.3", 1, 10), there, peerWith("2001:db8::1", 1, 10)}
	want(t, b.take(slices.Clone(sockets)...), all...)
	b.listeners = listeners{dialled.local: true}
	want(t, b.take(slices.Clone(sockets)...), all...)
}

func TestMeans(t *testing.T) {
	b := newBook()
	one, two, three := accepted(1, "10.0.0.3", 0), accepted(2, "10.0.0.3", 0), accepted(3, "10.0.0.3", 0)
	one.info, two.info, three.info = info{cwnd: 10, rttMicros: 200}, info{cwnd: 20}, info{cwnd: 60, rttMicros: 400}
	got := b.take(one, two, three)[0]
	if got.Cwnd != 30 || got.RTT != 300e-6 || got.Sockets != 3 {
		t.Errorf("got %+v", got)
	}
}

// TestWeightedByTraffic: a socket that stands at its initial window and does
// nothing is in the mean, and not in what is weighted by traffic.
func TestWeightedByTraffic(t *testing.T) {
	b := newBook()
	busy, idle := accepted(1, "10.0.0.3", 100), accepted(2, "10.0.0.3", 100)
	before := b.take(busy, idle)[0]
	for _, step := range []struct{ cwnd, segments uint32 }{{40, 300}, {4, 100}} {
		busy.info.cwnd = step.cwnd
		busy.info.delivered += step.segments
		now := b.take(busy, idle)[0]
		if got := now.CwndDelivered - before.CwndDelivered; got != uint64(step.cwnd*step.segments) || now.Cwnd != float64(step.cwnd+10)/2 {
			t.Errorf("%+v: %d over a mean of %v", step, got, now.Cwnd)
		}
		before = now
	}
	if again := b.take(busy, idle)[0]; again != before {
		t.Errorf("idle sockets: %+v became %+v", before, again)
	}
}

// TestControl: it is that of the established socket that has sent the most.
func TestControl(t *testing.T) {
	socketOf := func(cookie, sent uint64, control string) socket {
		s := accepted(cookie, "10.0.0.3", sent)
		s.control = tcpstat.ControlOf(control)
		return s
	}
	closing := socketOf(9, 999, "reno")
	closing.state = finWait1
	tests := map[string]struct {
		sockets []socket
		want    string
	}{
		"one":       {[]socket{socketOf(1, 5, "bbr")}, "bbr"},
		"the most":  {[]socket{socketOf(1, 5, "bbr"), socketOf(2, 7, "cubic"), socketOf(3, 6, "dctcp")}, "cubic"},
		"alike":     {[]socket{socketOf(1, 5, "cubic"), socketOf(2, 5, "bbr")}, "bbr"},
		"half open": {[]socket{closing, socketOf(1, 5, "bbr")}, "bbr"},
		"closing":   {[]socket{closing}, ""},
		"unsaid":    {[]socket{socketOf(1, 5, "")}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := newBook().take(tt.sockets...)[0].Control.String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestIdleLeave(t *testing.T) {
	b := newBook()
	b.take(accepted(1, "10.0.0.3", 100), accepted(2, "10.0.0.4", 100))
	stays := accepted(2, "10.0.0.4", 100)
	for range absences + b.idleSamples {
		want(t, b.take(stays), peerWith("10.0.0.3", 0, 100), peerWith("10.0.0.4", 1, 100))
	}
	want(t, b.take(stays), peerWith("10.0.0.4", 1, 100))
	want(t, b.take(stays, accepted(3, "10.0.0.3", 7)), peerWith("10.0.0.3", 1, 7), peerWith("10.0.0.4", 1, 100))
}

// TestMaxIdle: who left first is forgotten first.
func TestMaxIdle(t *testing.T) {
	b := newBook()
	b.maxIdle = 2
	for cookie, remote := range []string{"10.0.0.5", "10.0.0.6", "10.0.0.3", "10.0.0.4"} {
		b.take(accepted(uint64(cookie), remote, 1))
	}
	for range absences + 1 {
		b.take()
	}
	want(t, b.take(), peerWith("10.0.0.3", 0, 1), peerWith("10.0.0.4", 0, 1))
	if len(b.peers) != 2 {
		t.Errorf("%d are remembered", len(b.peers))
	}
}

// many are sockets of as many remote hosts.
func many(n int, first uint64) []socket {
	sockets := make([]socket, n)
	for i := range sockets {
		var remote [4]byte
		binary.BigEndian.PutUint32(remote[:], 10<<24+uint32(i))
		sockets[i] = accepted(first+uint64(i), netip.AddrFrom4(remote).String(), 100)
	}
	return sockets
}

// TestLedgerAllocations: none while sockets stay, and few when all of them are
// replaced in every sample.
func TestLedgerAllocations(t *testing.T) {
	b, sockets, peers := newBook(), many(1000, 0), []tcpstat.Peer(nil)
	sample := func() {
		b.recognise(sockets)
		b.enter(sockets, b.listeners)
		peers = b.list(peers[:0])
	}
	if n := testing.AllocsPerRun(100, sample); n > 0 {
		t.Errorf("%v allocations a sample", n)
	}
	churn := func() {
		for i := range sockets {
			sockets[i].cookie += 1000
		}
		sample()
	}
	for range 20 {
		churn()
	}
	if n := testing.AllocsPerRun(100, churn); n > 50 {
		t.Errorf("%v allocations a sample of 1000 new sockets", n)
	}
	if n := len(b.accounts); n != 1000*(absences+1) {
		t.Errorf("%d accounts", n)
	}
}

func BenchmarkLedger(b *testing.B) {
	book, sockets := newBook(), many(10_000, 0)
	peers := book.take(sockets...)
	for b.Loop() {
		book.recognise(sockets)
		book.enter(sockets, book.listeners)
		peers = book.list(peers[:0])
	}
}
