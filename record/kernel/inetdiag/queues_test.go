package inetdiag

import (
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
		{unread(1, 1800, 800, 700), unread(2, 1600, 0, 0), hoststat.Queues{Sockets: 2, Unread: 800, Waiting: 1, Stuck: 1, OldestMs: 700, Read: 600}},
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
