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
	// Max is the largest number of open connections. Further connections
	// are closed as soon as they are accepted. 0: no bound.
	Max int
	// Report is called if accepting fails and is tried again, and if
	// connections are refused, each at most once a minute; nil: no reports.
	Report func(error)
}

// The first and the longest pause between two attempts.
const (
	firstPause = 5 * time.Millisecond
	lastPause  = time.Second
)

// A patient listener tries again after a temporary error.
type patient struct {
	net.Listener
	options Options
	closing sync.Once
	closed  chan struct{}

	failing, full Reminder

	mu   sync.Mutex
	open int
}

// New returns a listener that accepts connections from l, and tries again after temporary errors.
func New(l net.Listener, o Options) net.Listener {
	if o.Report == nil {
		o.Report = func(error) {}
	}
	return &patient{Listener: l, options: o, closed: make(chan struct{})}
}

// Accept returns the next connection. It returns an error only if the listener is closed, or if the
// error is not temporary.
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
		case !isTemporary(err):
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

// wait waits for pause, or until the listener is closed.
func (p *patient) wait(pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.closed:
	}
}

// Close closes the listener, and ends an Accept that waits.
func (p *patient) Close() error {
	p.closing.Do(func() { close(p.closed) })
	return p.Listener.Close()
}

// admit counts a connection and returns it. If there are too many connections, it closes the
// connection and returns nil.
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

// A Reminder limits a repeated message to one a minute, so that clients cannot fill a log.
type Reminder struct {
	mu   sync.Mutex
	last time.Time
}

// Due reports whether the message may be printed: the last one is a minute ago. If true, Due notes
// that the message is printed now.
func (r *Reminder) Due() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now() //nolint:forbidigo // network code may use the real time
	if !r.last.IsZero() && now.Sub(r.last) < time.Minute {
		return false
	}
	r.last = now
	return true
}

// Full returns the error for connections beyond the limit.
func Full(most int) error {
	return fmt.Errorf("new connections are refused, because %d connections are open, which is the limit", most)
}

// A counted connection calls done when it is closed.
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

// temporary are the temporary errors of accept(2). The machine has no resources at the moment, or
// the connection to one client has failed.
var temporary = []error{
	syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM,
	syscall.ECONNABORTED, syscall.ECONNRESET, syscall.EINTR, syscall.EAGAIN,
	syscall.EPERM, syscall.EPROTO, syscall.ENOPROTOOPT,
	syscall.ENETDOWN, syscall.ENETUNREACH, syscall.EHOSTDOWN, syscall.EHOSTUNREACH,
}

func isTemporary(err error) bool {
	for _, p := range temporary {
		if errors.Is(err, p) {
			return true
		}
	}
	return false
}

// hint returns advice about an error; "" if there is none.
func hint(err error) string {
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return ": increase the limit of open files, or close connections"
	}
	return ""
}
