package nbd

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/internal/listener"
)

// A Device is a block device to serve. Its methods are called concurrently.
type Device interface {
	io.ReaderAt
	io.WriterAt
	// Sync returns when all writes that have returned are durable.
	Sync() error
	Size() int64
}

// A Zeroer is a device that can zero a range without writing zeros.
type Zeroer interface {
	// WriteZeroes makes a range read as zeros; with punch, the range may become a hole.
	WriteZeroes(off, n int64, punch bool) error
	// Discard frees the space of a range that is no longer needed.
	Discard(off, n int64) error
}

// A Mapper is a device that can find its holes.
type Mapper interface {
	// Extents calls tell with consecutive ranges from off on, and whether each is a hole, which
	// reads as zeros. It calls tell at least once, and for at most n bytes in all.
	Extents(off, n int64, tell func(n int64, hole bool)) error
}

// An extent is a range of bytes that is a hole, or data.
type extent struct {
	len  int64
	hole bool
}

func (e *Export) zeroes() Zeroer {
	z, _ := e.Device.(Zeroer)
	return z
}

func (e *Export) maps() Mapper {
	m, _ := e.Device.(Mapper)
	return m
}

// An Export is a device and its description for clients.
type Export struct {
	Name        string
	Description string
	Device      Device
	ReadOnly    bool
}

// Options are the limits of clients.
type Options struct {
	// MaxRequest is the largest number of bytes that a request may read or write, a power of two.
	MaxRequest int
	// InFlight is the largest number of bytes in memory for one connection. The next request waits.
	InFlight int
	// Memory is the largest number of bytes in memory for all connections together.
	Memory int64
	// Stall is how long a client may take to send the rest of a request, or to receive an answer.
	// After that it is disconnected, because its requests hold memory.
	Stall time.Duration `name:"stall" above:"0s"`
	// Idle is the time without a request after which a client is disconnected; 0: never, because a
	// mounted disk may be idle for days.
	Idle time.Duration `name:"idle"`
	// TLS, if not nil, is the configuration of TLS. Clients then must encrypt and show a
	// certificate.
	TLS *tls.Config
	// Connections is the largest number of connected clients; further clients are refused.
	Connections int `name:"connections" least:"1"`
	// Handshake is how long a client may take to choose the export.
	Handshake time.Duration `name:"handshake" above:"0s"`
	// Report, if not nil, is called with the error that ended a connection, if the client or the
	// network caused it. It is also called, at most once a minute, when clients are refused, and,
	// with client nil, when no client can be accepted at the moment.
	Report func(client net.Addr, err error)
}

// DefaultOptions returns a limit of 32 MiB for a request, which clients assume if they do not ask
// for the limit.
func DefaultOptions() Options {
	return Options{
		MaxRequest: 32 << 20, InFlight: 128 << 20, Memory: 512 << 20, Connections: 64,
		Handshake: 10 * time.Second, Stall: 30 * time.Second,
	}
}

// MaxConnections is far larger than the number of clients of any array.
const MaxConnections = 10_000

// maxString is the largest size of a name in the protocol, in bytes.
const maxString = 4096

// Validate returns an error if an option is out of range.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(*o)}
	errs.Need(o.MaxRequest >= preferred && o.MaxRequest <= 1<<30 && o.MaxRequest&(o.MaxRequest-1) == 0,
		"a limit of %d bytes for a request is not possible: give a power of two from %d to %d", o.MaxRequest, preferred, 1<<30)
	errs.Need(o.InFlight >= o.MaxRequest, "a limit of %d bytes for all requests in progress is too small: give at least %d bytes, the size of one request", o.InFlight, o.MaxRequest)
	errs.Need(o.Memory >= int64(o.InFlight), "%d bytes of memory are too few: give at least %d bytes, which one connection needs", o.Memory, o.InFlight)
	errs.Need(o.Connections <= MaxConnections, "%d connections are not possible: give 1 to %d connections", o.Connections, MaxConnections)
	return errs.Join()
}

// ErrClosed is the error of Serve after Close.
var ErrClosed = errors.New("the NBD server is closed")

// A Server serves one export.
type Server struct {
	export  Export
	options Options
	counts  counts
	buffers buffers
	budget  *budget // budget of all connections

	mu        sync.Mutex
	closed    bool
	listeners map[net.Listener]bool
	conns     map[*conn]bool
	running   sync.WaitGroup // open connections
	full      listener.Reminder
}

// NewServer returns a server that does not listen yet.
func NewServer(e Export, o Options) (*Server, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if e.Device == nil {
		return nil, fmt.Errorf("the export %q has no device: name the array that is served", e.Name)
	}
	if len(e.Name) > maxString || len(e.Description) > maxString || strings.ContainsRune(e.Name+e.Description, 0) {
		return nil, fmt.Errorf("the name or the description of an export is too long or has a zero byte: give at most %d bytes", maxString)
	}
	return &Server{export: e, options: o, budget: newBudget(int(o.Memory)), listeners: map[net.Listener]bool{}, conns: map[*conn]bool{}}, nil
}

// Serve accepts connections until the listener fails permanently or the server is closed. After
// temporary errors, such as too few file descriptors, it waits and tries again. Serve closes the
// listener.
func (s *Server) Serve(l net.Listener) error {
	l = listener.New(l, listener.Options{Report: func(err error) { s.report(nil, err) }})
	defer l.Close()
	if !s.track(func() { s.listeners[l] = true }) {
		return ErrClosed
	}
	for {
		c, err := l.Accept()
		if err != nil {
			if !s.track(func() { delete(s.listeners, l) }) {
				return ErrClosed
			}
			return err
		}
		s.start(c)
	}
}

// track calls edit, under the lock, to change the listeners or connections. It returns false if the
// server is closed.
func (s *Server) track(edit func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	edit()
	return true
}

func (s *Server) start(nc net.Conn) {
	c := newConn(s, nc)
	if !s.admit(c) {
		nc.Close()
		return
	}
	go func() {
		defer s.running.Done()
		err := c.serve()
		s.mu.Lock()
		delete(s.conns, c)
		s.mu.Unlock()
		if err != nil {
			s.report(nc.RemoteAddr(), err)
		}
	}()
}

// admit counts a client, unless the server is closed or has the largest number of clients.
func (s *Server) admit(c *conn) bool {
	admitted, full := false, false
	s.track(func() {
		if full = len(s.conns) >= s.options.Connections; full {
			s.counts.refused.Add(1)
			return
		}
		s.conns[c], admitted = true, true
		s.running.Add(1)
	})
	if full && s.full.Due() {
		s.report(c.net.RemoteAddr(), listener.Full(s.options.Connections))
	}
	return admitted
}

// report reports an error, if Options.Report is set. client is nil if the error is the server's.
func (s *Server) report(client net.Addr, err error) {
	if s.options.Report != nil {
		s.options.Report(client, err)
	}
}

// Close accepts no more connections and requests, answers the requests in flight, and returns when
// all connections are closed. The device stays open.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	var err error
	for l := range s.listeners {
		err = errors.Join(err, l.Close())
	}
	clear(s.listeners)
	for c := range s.conns {
		c.quit()
	}
	s.mu.Unlock()
	s.running.Wait()
	return err
}
