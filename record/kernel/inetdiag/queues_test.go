package inetdiag

import (
	"net/netip"
	"testing"

	"github.com/limpet-storage/limpet/record/hoststat"
)

// unread is a socket at which so many bytes have arrived, of which so many wait.
func unread(cookie, received uint64, waiting, quietMs uint32) socket {
	s := accepted(cookie, "10.0.0.3", 0)
	s.info.received, s.unread, s.hold.quietMs = received, waiting, quietMs
	return s
}

// TestStuck: a socket is stuck if it had bytes at the sample before and a process read none of
// them, and not if it reads some, however many are left.
func TestStuck(t *testing.T) {
	b := newBook()
	b.take(unread(1, 1000, 0, 0), unread(2, 1000, 0, 0))
	for i, step := range []struct {
		one, two socket
		want     hoststat.Queues
	}{
		{unread(1, 1500, 500, 30), unread(2, 1000, 0, 0), hoststat.Queues{Sockets: 2, Unread: 500, Waiting: 1, OldestMs: 30}},
		{unread(1, 1800, 800, 700), unread(2, 1600, 0, 0), hoststat.Queues{Sockets: 2, Unread: 800, Waiting: 1, Stuck: 1, Read: 600}}, // the process reads the other socket
		{unread(1, 1800, 800, 1700), unread(2, 1600, 0, 900), hoststat.Queues{Sockets: 2, Unread: 800, Waiting: 1, Stuck: 1, OldestMs: 1700}},
		{unread(1, 1900, 700, 10), unread(2, 1600, 0, 0), hoststat.Queues{Sockets: 2, Unread: 700, Waiting: 1, OldestMs: 10, Read: 200}},
		{unread(1, 1900, 0, 0), unread(2, 1600, 0, 0), hoststat.Queues{Sockets: 2, Read: 700}},
	} {
		b.take(step.one, step.two)
		if b.queues[0] != step.want || b.queues[1] != (hoststat.Queues{}) {
			t.Errorf("sample %d has %+v, not %+v", i, b.queues[0], step.want)
		}
	}
}

// TestOneConnectionWaits: a process that reads what arrives at one connection does not stand still,
// even if it leaves the next request of another connection unread: a chunk server of MooseFS does
// so while the disk works on the last request. Another port belongs to another process.
func TestOneConnectionWaits(t *testing.T) {
	other := func(s socket) socket {
		s.local = netip.AddrPortFrom(s.local.Addr(), s.local.Port()+1)
		return s
	}
	for name, tt := range map[string]struct {
		second socket
		want   uint64
	}{
		"the other was read 20 ms ago":            {unread(2, 1500, 0, 20), 20},
		"the other was read before the first":     {unread(2, 1500, 0, 800), 400},
		"the other waits too":                     {unread(2, 1500, 300, 250), 400},
		"nothing came to the other":               {unread(2, 1000, 0, 5), 400},
		"the other is another process":            {other(unread(2, 1500, 0, 20)), 400},
		"the other process is the one that waits": {other(unread(2, 1500, 200, 600)), 600},
	} {
		for _, order := range []string{"first", "last"} {
			b := newBook()
			b.listeners[netip.AddrPortFrom(server.Addr(), server.Port()+1)] = true
			before := unread(2, 1000, 0, 0)
			before.local = tt.second.local
			b.take(unread(1, 1000, 0, 0), before)
			if one := unread(1, 1008, 8, 400); order == "first" {
				b.take(one, tt.second)
			} else {
				b.take(tt.second, one)
			}
			if got := b.queues[0].OldestMs; got != tt.want {
				t.Errorf("%s, the waiting connection %s: %d ms, not %d", name, order, got, tt.want)
			}
		}
	}
}

// TestForgottenSession: a socket that nobody has read for long is not stuck any more.
func TestForgottenSession(t *testing.T) {
	b := newBook()
	b.take(unread(1, 1000, 0, 0))
	stuck := 0
	for range 2 * inService {
		b.take(unread(1, 1007, 7, 1000))
		stuck += int(b.queues[0].Stuck)
	}
	if stuck == 0 || stuck > inService || b.queues[0].Stuck != 0 || b.queues[0].OldestMs != 0 || b.queues[0].Waiting != 1 {
		t.Errorf("the socket is stuck in %d samples, and in the end %+v", stuck, b.queues[0])
	}
}
