package nbd

import (
	"net"
	"sync/atomic"
	"testing"
	"time"
)

// TestCloseBeginsNothing: requests that a client has sent ahead, and that wait for
// their turn when the server closes, are not begun. The one under way is answered.
func TestCloseBeginsNothing(t *testing.T) {
	e, m := testExport()
	begun, gate := make(chan struct{}, 1000), make(chan struct{})
	m.gate = func(int64) error {
		begun <- struct{}{}
		<-gate
		return nil
	}
	o := smallOptions()
	o.InFlight = o.MaxRequest
	s, path := serve(t, e, o)
	c := dial(t, path)
	c.enter()
	for i := range uint64(100) {
		c.request(0, 0, i, 0, uint32(o.MaxRequest), nil)
	}
	<-begun
	var served *conn
	s.mu.Lock()
	for served = range s.conns {
		break
	}
	s.mu.Unlock()
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	for !served.quitting.Load() {
		time.Sleep(time.Millisecond)
	}
	close(gate)
	if failed, cookie := c.reply(); failed != 0 || cookie != 0 {
		t.Errorf("the request under way is answered %d of %d", failed, cookie)
	}
	c.bytes(o.MaxRequest)
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if n := s.Counters().Reads; n != 1 {
		t.Errorf("%d requests were begun", n)
	}
}

// deadlines is a connection that notes until when answers may be taken.
type deadlines struct {
	net.Conn
	last atomic.Pointer[time.Time]
}

func (d *deadlines) SetReadDeadline(time.Time) error { return nil }

func (d *deadlines) SetWriteDeadline(t time.Time) error {
	d.last.Store(&t)
	return nil
}

// TestLingerIsNotRenewed: whatever else the connection does when the server closes, its
// client has one and the same time to take the last answers.
func TestLingerIsNotRenewed(t *testing.T) {
	e, _ := testExport()
	s, err := NewServer(e, smallOptions())
	if err != nil {
		t.Fatal(err)
	}
	d := &deadlines{}
	c := newConn(s, d)
	c.quit()
	first := *d.last.Load()
	time.Sleep(5 * time.Millisecond)
	c.quit()
	if err := c.allowRead(time.Second); err != nil || !d.last.Load().Equal(first) {
		t.Errorf("first until %v, then until %v, %v", first, *d.last.Load(), err)
	}
}

// TestRequestsAreCounted: of a client that sends small requests and takes no answers,
// no more than mostRequests are under way, and the server closes as soon as they are
// done.
func TestRequestsAreCounted(t *testing.T) {
	e, m := testExport()
	var begun atomic.Int64
	gate := make(chan struct{})
	m.gate = func(int64) error {
		begun.Add(1)
		<-gate
		return nil
	}
	s, path := serve(t, e, DefaultOptions())
	c := dial(t, path)
	c.enter()
	for i := range uint64(mostRequests + 100) {
		c.request(0, 0, i, 0, 512, nil)
	}
	for begun.Load() < mostRequests {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
	if n := begun.Load(); n != mostRequests {
		t.Errorf("%d requests are under way", n)
	}
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	close(gate)
	if err := <-closed; err != nil {
		t.Error(err)
	}
}
