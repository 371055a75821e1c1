package listener

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// script is a listener that fails as it is told, and then gives a connection.
type script struct {
	mu       sync.Mutex
	errs     []error
	attempts int
	closed   bool
}

func (s *script) Accept() (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.attempts++
	if s.closed {
		return nil, net.ErrClosed
	}
	if len(s.errs) > 0 {
		err := s.errs[0]
		s.errs = s.errs[1:]
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", err)}
	}
	c, _ := net.Pipe()
	return c, nil
}

func (s *script) Addr() net.Addr { return nil }

func (s *script) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

// TestPassingErrors: each is waited out, ever longer, and said once.
func TestPassingErrors(t *testing.T) {
	for _, err := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ECONNABORTED, syscall.ENOBUFS, syscall.ENOMEM} {
		synctest.Test(t, func(t *testing.T) {
			l, said := &script{}, []string{}
			for range 20 {
				l.errs = append(l.errs, err)
			}
			p := New(l, Options{Report: func(err error) { said = append(said, err.Error()) }})
			began := time.Now()
			c, got := p.Accept()
			if got != nil || c == nil {
				t.Fatalf("%v ends the listener: %v", err, got)
			}
			if took := time.Since(began); took < 10*time.Second || took > 15*time.Second {
				t.Errorf("20 attempts took %v", took)
			}
			if len(said) != 1 || !strings.Contains(said[0], err.Error()) {
				t.Errorf("of %v is said %q", err, said)
			}
		})
	}
}

// TestLastingErrors: others end it at once, also where it is closed while it
// waits.
func TestLastingErrors(t *testing.T) {
	p := New(&script{errs: []error{syscall.EINVAL}}, Options{})
	if _, err := p.Accept(); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("got %v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		l := &script{}
		for range 1000 {
			l.errs = append(l.errs, syscall.EMFILE)
		}
		p := New(l, Options{})
		ended := make(chan error)
		go func() {
			_, err := p.Accept()
			ended <- err
		}()
		time.Sleep(2500 * time.Millisecond)
		began := time.Now()
		p.Close()
		if err := <-ended; !errors.Is(err, net.ErrClosed) || time.Since(began) > 0 {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

// TestMax: connections beyond the bound are closed, and that is said once; one
// that ends makes room.
func TestMax(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	p := New(l, Options{Max: 2, Report: func(err error) { said = append(said, err.Error()) }})
	defer p.Close()
	held := make(chan net.Conn, 10)
	go func() {
		for {
			c, err := p.Accept()
			if err != nil {
				return
			}
			c.Write([]byte("x"))
			held <- c
		}
	}()
	dial := func() error {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		_, err = io.ReadFull(c, make([]byte, 1))
		return err
	}
	for i, want := range []bool{true, true, false, false} {
		if err := dial(); (err == nil) != want {
			t.Errorf("connection %d: %v", i+1, err)
		}
	}
	c := <-held
	c.Close()
	c.Close() // counts once
	for i, want := range []bool{true, false} {
		if err := dial(); (err == nil) != want {
			t.Errorf("after one was closed, connection %d: %v", i+1, err)
		}
	}
	if got := fmt.Sprint(said); got != "[new connections are refused, because 2 connections are open, which is the limit]" {
		t.Errorf("said is %s", got)
	}
}
