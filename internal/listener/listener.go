package listener

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"syscall"
	"time"
)

// Options are the bounds of a listener.
type Options struct {
	// Max is how many connections may be open at once. One more is closed as
	// soon as it is accepted. 0: no bound.
	Max int
	// Report is told that accepting fails and is tried again, and that
	// connections are refused, each once a minute at most; nil: nobody.
	Report func(error)
}

// Pauses between attempts.
const (
	firstPause = 5 * time.Millisecond
	lastPause  = time.Second
)

// A patient listener waits until errors have passed.
type patient struct {
	net.Listener
	options Options
	closing sync.Once
	closed  chan struct{}

	failing, full Reminder

	mu   sync.Mutex
	open int
}

// New makes a patient listener of another.
func New(l net.Listener, o Options) net.Listener {
	if o.Report == nil {
		o.Report = func(error) {}
	}
	return &patient{Listener: l, options: o, closed: make(chan struct{})}
}

// Accept returns the next connection. It fails where the listener is closed or
// broken for good.
func (p *patient) Accept() (net.Conn, error) {
	pause := time.Duration(0)
	for {
		c, err := p.Listener.Accept()
		switch {
		case err == nil:
			pause = 0
			if counted := p.admit(c); counted != nil {
				return counted, nil
			}
		case !passes(err):
			return nil, err
		default:
			if p.failing.Due() {
				p.options.Report(fmt.Errorf("no connection can be accepted; limpet tries again: %w%s", err, hint(err)))
			}
			pause = min(max(2*pause, firstPause), lastPause)
			p.wait(pause)
		}
	}
}

// wait waits, but not for a listener that is closed.
func (p *patient) wait(pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.closed:
	}
}

// Close closes the listener, also one that waits.
func (p *patient) Close() error {
	p.closing.Do(func() { close(p.closed) })
	return p.Listener.Close()
}

// admit counts a connection, or closes it where there are too many.
func (p *patient) admit(c net.Conn) net.Conn {
	if p.options.Max == 0 {
		return c
	}
	p.mu.Lock()
	full := p.open >= p.options.Max
	if !full {
		p.open++
	}
	p.mu.Unlock()
	if full && p.full.Due() {
		p.options.Report(Full(p.options.Max))
	}
	if full {
		c.Close()
		return nil
	}
	return &counted{Conn: c, done: p.done}
}

func (p *patient) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open--
}

// A Reminder says when it is time to say the same again, so that clients who
// come and go do not fill a log.
type Reminder struct {
	mu   sync.Mutex
	last time.Time
}

// Due says whether nothing was said for a minute. Then something is.
func (r *Reminder) Due() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now() //nolint:forbidigo // a network has a clock
	if !r.last.IsZero() && now.Sub(r.last) < time.Minute {
		return false
	}
	r.last = now
	return true
}

// Full is the error of connections beyond a bound.
func Full(most int) error {
	return fmt.Errorf("new connections are refused, because %d connections are open, which is the limit", most)
}

// A counted connection says when it is over.
type counted struct {
	net.Conn
	once sync.Once
	done func()
}

// Close closes the connection.
func (c *counted) Close() error {
	c.once.Do(c.done)
	return c.Conn.Close()
}

// passing are errors of accept(2) that say nothing of the next attempt: what
// the machine lacks at the moment, and what befell a client on its way.
var passing = []error{
	syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM,
	syscall.ECONNABORTED, syscall.ECONNRESET, syscall.EINTR, syscall.EAGAIN,
	syscall.EPERM, syscall.EPROTO, syscall.ENOPROTOOPT,
	syscall.ENETDOWN, syscall.ENETUNREACH, syscall.EHOSTDOWN, syscall.EHOSTUNREACH,
}

func passes(err error) bool {
	for _, p := range passing {
		if errors.Is(err, p) {
			return true
		}
	}
	return false
}

// hint is what to do about an error, if anything is to be done.
func hint(err error) string {
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return ": increase the limit of open files, or close connections"
	}
	return ""
}
