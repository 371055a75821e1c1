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

// A Device is what is served. Its methods are called concurrently.
type Device interface {
	io.ReaderAt
	io.WriterAt
	// Sync returns when all writes that have returned are durable.
	Sync() error
	Size() int64
}

// A Zeroer is a device that can zero a range otherwise than by writing it.
type Zeroer interface {
	// WriteZeroes has a range read as zeros; with punch it may become a hole.
	WriteZeroes(off, n int64, punch bool) error
	// Discard says that nobody needs a range any more.
	Discard(off, n int64) error
}

// A Mapper is a device that knows where it holds nothing.
type Mapper interface {
	// Extents tells of lengths from off on, in order, whether they are a hole,
	// which reads as zeros: of at least one, and n bytes or less in all.
	Extents(off, n int64, tell func(n int64, hole bool)) error
}

// An extent is bytes in a row that are a hole, or not.
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

// An Export is a device and what clients are told of it.
type Export struct {
	Name        string
	Description string
	Device      Device
	ReadOnly    bool
}

// Options are the bounds within which clients move.
type Options struct {
	// MaxRequest is how many bytes a request may read or write, a power of two.
	MaxRequest int
	// InFlight is how many bytes a connection may have in memory at once. The
	// next request waits for its turn.
	InFlight int
	// Memory is how many bytes all connections together may have in memory.
	Memory int64
	// Stall is how long a client may take to send what it began, or to take an
	// answer. Then it is disconnected: it holds memory.
	Stall time.Duration `name:"stall" above:"0s"`
	// Idle is after what time without a request a client is disconnected; 0:
	// never, as a disk that is mounted may be left alone for days.
	Idle time.Duration `name:"idle"`
	// TLS, if not nil, is how clients encrypt and say who they are. Then they
	// must.
	TLS *tls.Config
	// Connections is how many clients may be connected at once; more are
	// turned away.
	Connections int `name:"connections" least:"1"`
	// Handshake is how long a client may take to choose the export.
	Handshake time.Duration `name:"handshake" above:"0s"`
	// Report is told why a connection ended, where a client or the network is
	// to blame. Once a minute at most it is told that clients are turned away,
	// or, without a client, that none can be accepted at the moment. nil:
	// nobody is told.
	Report func(client net.Addr, err error)
}

// DefaultOptions take requests of 32 MiB, which clients assume where they do
// not ask.
func DefaultOptions() Options {
	return Options{
		MaxRequest: 32 << 20, InFlight: 128 << 20, Memory: 512 << 20, Connections: 64,
		Handshake: 10 * time.Second, Stall: 30 * time.Second,
	}
}

// MaxConnections is far more than an array has clients.
const MaxConnections = 10_000

// maxString is what the protocol allows of names.
const maxString = 4096

// Validate says what is wrong with the options.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(*o)}
	errs.Need(o.MaxRequest >= preferred && o.MaxRequest <= 1<<30 && o.MaxRequest&(o.MaxRequest-1) == 0,
		"a limit of %d bytes for a request is not possible: give a power of two from %d to %d", o.MaxRequest, preferred, 1<<30)
	errs.Need(o.InFlight >= o.MaxRequest, "%d bytes for requests in progress are too few: give at least %d bytes, the size of one request", o.InFlight, o.MaxRequest)
	errs.Need(o.Memory >= int64(o.InFlight), "%d bytes of memory are too few: give at least %d bytes, which one connection needs", o.Memory, o.InFlight)
	errs.Need(o.Connections <= MaxConnections, "%d connections are not possible: give 1 to %d connections", o.Connections, MaxConnections)
	return errs.Join()
}

// ErrClosed is what Serve returns after Close.
var ErrClosed = errors.New("the NBD server is closed")

// A Server serves one export.
type Server struct {
	export  Export
	options Options
	counts  counts
	buffers buffers
	budget  *budget // of all connections

	mu        sync.Mutex
	closed    bool
	listeners map[net.Listener]bool
	conns     map[*conn]bool
	running   sync.WaitGroup // connections
	full      listener.Reminder
}

// NewServer makes a server that listens nowhere yet.
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

// Serve takes connections until the listener fails for good or the server is
// closed. Errors that pass, such as of descriptors that ran out, are waited
// for. It closes the listener.
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

// track edits what is open, unless the server is closed.
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

// admit counts a client in, unless the server is closed or there are as many
// as may be.
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

// report tells of an error, if anybody listens. No client: it is the server's.
func (s *Server) report(client net.Addr, err error) {
	if s.options.Report != nil {
		s.options.Report(client, err)
	}
}

// Close takes no more connections and no more requests, answers those under
// way, and returns when all connections are closed. The device stays open.
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
