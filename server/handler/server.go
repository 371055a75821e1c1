// This file is an HTTP server that withstands hostile clients. It limits the number of connections,
// the size of headers and the time of requests, and stops within seconds.
//
// The size of a body is limited by the function that reads it. The file knows nothing of storage.

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

// ServerOptions are the options of a [Server].
type ServerOptions struct {
	Address     string       // "127.0.0.1:9714", or "unix:/run/limpet/api.sock"
	Listener    net.Listener // listener from [Bind]; nil: Listen calls Bind with Address
	TLS         *tls.Config
	Connections int // largest number of connections at a time; a further connection is closed as soon as it is accepted
	// Header, Request and Idle are the longest times for the headers of a request, for the whole
	// request, and between two requests.
	Header, Request, Idle time.Duration
	// Answer is the longest time of an answer. A handler that needs more time sets its own
	// deadline.
	Answer      time.Duration
	HeaderBytes int
	// Grace is the longest time for the requests in progress when the server stops.
	Grace time.Duration
	// Report is called with errors of connections, at a limited rate; nil: errors are not reported.
	Report func(error)
	// Ending is called when the server begins to stop, so that endless answers can be ended; nil:
	// there are no endless answers.
	Ending func()
}

// DefaultServerOptions returns limits for a site with a console in every operator's browser and a
// sender of samples on each of a few hundred servers.
func DefaultServerOptions() ServerOptions {
	return ServerOptions{
		Connections: 512, Header: 5 * time.Second, Request: 30 * time.Second, Idle: time.Minute, Answer: time.Minute,
		HeaderBytes: 16 << 10, Grace: 4 * time.Second,
	}
}

// A Server answers requests at one address.
type Server struct {
	http     http.Server
	listener net.Listener
	cancel   context.CancelFunc // cancels all requests
	grace    time.Duration
}

// Listen begins to listen. Package access decides before whether the address is sufficiently
// protected.
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
		ErrorLog:    log.New(io.Discard, "", 0), // discarded, because single clients could fill the log with their errors
	}
	if o.Ending != nil {
		s.http.RegisterOnShutdown(o.Ending)
	}
	return s, nil
}

// Address returns the address of the server.
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

// Shutdown stops the server. It accepts no new requests, and waits for the requests in progress.
// After [ServerOptions.Grace] it closes their connections.
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
			return nil, fmt.Errorf("%w: choose another address to listen on", err)
		}
		return l, nil
	}
	return listenUnix(path)
}

// listenUnix listens at a Unix socket that its owner and group may connect to. If the socket exists
// but no server answers on it, a killed server has left it, and listenUnix replaces it.
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
