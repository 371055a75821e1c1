// This file is an HTTP server that outlives hostile clients: it bounds
// connections, headers and time, and ends within seconds.
//
// Bodies are bounded by whoever reads them. It knows nothing of storage.

package handler

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/listener"
)

// ServerOptions are those of a server.
type ServerOptions struct {
	Address     string       // "127.0.0.1:9714", or "unix:/run/limpet/api.sock"
	Listener    net.Listener // that [Bind] returned; nil: Listen calls Bind with Address
	TLS         *tls.Config
	Connections int // at once; one more is closed as soon as it is accepted
	// Header, Request and Idle are how long a client may take for its headers, for
	// its whole request, and between two requests.
	Header, Request, Idle time.Duration
	// Answer is how long an answer may take. Handlers that take longer set a
	// deadline of their own.
	Answer      time.Duration
	HeaderBytes int
	// Grace is how long requests that are under way may take when the server ends.
	Grace time.Duration
	// Report is told of trouble with connections, seldom; nil: nobody.
	Report func(error)
	// Ending is called when the server begins to end, so that answers which go on
	// for ever do not; nil: there are none.
	Ending func()
}

// DefaultServerOptions are bounds for a site with a console in every operator's browser
// and a sender on every server of a few hundred.
func DefaultServerOptions() ServerOptions {
	return ServerOptions{
		Connections: 512, Header: 5 * time.Second, Request: 30 * time.Second, Idle: time.Minute, Answer: time.Minute,
		HeaderBytes: 16 << 10, Grace: 4 * time.Second,
	}
}

// A Server answers at one address.
type Server struct {
	http     http.Server
	listener net.Listener
	cancel   context.CancelFunc // of all requests
	grace    time.Duration
}

// Listen begins to listen. Whether the address is protected well enough is decided
// before (package access).
func Listen(o ServerOptions, handler http.Handler) (*Server, error) {
	l, err := o.Listener, error(nil)
	if l == nil {
		l, err = Bind(o.Address)
	}
	if err != nil {
		return nil, err
	}
	l = listener.New(l, listener.Options{Max: o.Connections, Report: o.Report})
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{listener: l, cancel: cancel, grace: o.Grace}
	s.http = http.Server{
		Handler: handler, ReadHeaderTimeout: o.Header, ReadTimeout: o.Request, WriteTimeout: o.Answer, IdleTimeout: o.Idle,
		MaxHeaderBytes: o.HeaderBytes, TLSConfig: o.TLS, HTTP2: &http.HTTP2Config{MaxConcurrentStreams: 64},
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    log.New(io.Discard, "", 0), // of single clients, who could fill a log
	}
	if o.Ending != nil {
		s.http.RegisterOnShutdown(o.Ending)
	}
	return s, nil
}

// Address is where the server answers.
func (s *Server) Address() net.Addr { return s.listener.Addr() }

// Serve answers until the server is shut down; then it returns nil.
func (s *Server) Serve() error {
	var err error
	if s.http.TLSConfig != nil {
		err = s.http.ServeTLS(s.listener, "", "")
	} else {
		err = s.http.Serve(s.listener)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Shutdown ends the server: nobody new is answered, requests that are under way are
// finished, and what is not done after [Options.Grace] is cut off.
func (s *Server) Shutdown() {
	ctx, cancel := context.WithTimeout(context.Background(), s.grace)
	defer cancel()
	unfinished := s.http.Shutdown(ctx)
	s.cancel()
	if unfinished != nil {
		s.http.Close()
	}
}

// Bind opens an address or a Unix socket to listen at. Connections wait until [Server.Serve] is
// called.
func Bind(address string) (net.Listener, error) {
	path, ok := strings.CutPrefix(address, "unix:")
	if !ok {
		l, err := net.Listen("tcp", address)
		if err != nil {
			return nil, fmt.Errorf("%w: choose another address to listen at", err)
		}
		return l, nil
	}
	return listenUnix(path)
}

// listenUnix listens at a socket that its owner and group may connect to. One that
// nobody answers on is that of a server that was killed, and is replaced.
func listenUnix(path string) (net.Listener, error) {
	if stat, err := os.Lstat(path); err == nil && stat.Mode()&os.ModeSocket != 0 {
		if c, err := net.Dial("unix", path); err == nil {
			c.Close()
			return nil, fmt.Errorf("cannot listen on %s: another server uses this socket: stop the other server, or choose another path", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o660); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}
