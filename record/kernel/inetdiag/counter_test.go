package inetdiag

import (
	"errors"
	"io"
	"os"
	"slices"
	"syscall"
	"testing"
)

// A script is a kernel that answers what is written in it: a list of datagrams
// for each request, an error where there is none left to read.
type script struct {
	answers [][]step
	now     []step
	dialled int
}

type step struct {
	datagram []byte
	err      error
}

func (s *script) dial() (conn, error) { s.dialled++; return s, nil }
func (s *script) Close() error        { return nil }

func (s *script) Write(request []byte) (int, error) {
	s.now = []step{{datagram: doneMessage(0, 0)}}
	if len(s.answers) > 0 {
		s.now, s.answers = s.answers[0], s.answers[1:]
	}
	for i := range s.now {
		s.now[i].datagram = slices.Clone(s.now[i].datagram)
		for d := s.now[i].datagram; len(d) >= messageHeader; {
			copy(d[8:12], request[8:12])
			d = d[min(int(native.Uint32(d)), len(d)):]
		}
	}
	return len(request), nil
}

func (s *script) Read(datagram []byte) (int, error) {
	if len(s.now) == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	step := s.now[0]
	s.now = s.now[1:]
	return copy(datagram, step.datagram), step.err
}

func TestRetries(t *testing.T) {
	good := []step{{datagram: socketMessage(1)}, {datagram: slices.Concat(socketMessage(2), doneMessage(0, 0))}}
	interrupted := []step{{datagram: socketMessage(1)}, {datagram: doneMessage(flagInterrupted, 0)}}
	overrun := []step{{datagram: socketMessage(1)}, {err: syscall.ENOBUFS}}
	torn := []step{{datagram: socketMessage(1)[:90]}}
	busy := []step{{datagram: doneMessage(0, -int32(syscall.EBUSY))}}
	refused := []step{{datagram: doneMessage(0, -int32(syscall.EPERM))}}
	tests := map[string]struct {
		answers [][]step
		sockets uint32
		dialled int
		err     error
	}{
		"at once":           {[][]step{good}, 2, 1, nil},
		"interrupted":       {[][]step{interrupted, good}, 2, 1, nil},
		"interrupted twice": {[][]step{interrupted, interrupted}, 1, 1, nil},
		"overrun":           {[][]step{overrun, good}, 2, 2, nil},
		"overrun twice":     {[][]step{overrun, overrun}, 0, 2, syscall.ENOBUFS},
		"torn":              {[][]step{torn, good}, 2, 2, nil},
		"silence":           {[][]step{{{}}, good}, 2, 2, nil},
		"busy":              {[][]step{busy, good}, 2, 2, nil},
		"refused":           {[][]step{refused, good}, 0, 1, syscall.EPERM},
		"cut off":           {[][]step{{}, good}, 0, 1, io.ErrUnexpectedEOF},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := &script{}
			c, err := openVia(s.dial, DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			s.answers = tt.answers
			peers, err := c.Peers(nil)
			if !errors.Is(err, tt.err) || s.dialled != tt.dialled {
				t.Fatalf("got %v after %d connections, want %v after %d", err, s.dialled, tt.err, tt.dialled)
			}
			if err == nil && (len(peers) != 1 || peers[0].Sockets != tt.sockets) {
				t.Errorf("got %+v, want %d sockets", peers, tt.sockets)
			}
		})
	}
}

// TestAfterError: nothing is lost, and the next sample works.
func TestAfterError(t *testing.T) {
	good := []step{{datagram: slices.Concat(socketMessage(1), doneMessage(0, 0))}}
	s := &script{}
	c, err := openVia(s.dial, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	s.answers = [][]step{good, {}} // listeners cannot be had
	if peers, err := c.Peers(nil); err == nil || peers != nil {
		t.Fatalf("got %+v, %v", peers, err)
	}
	s.answers = [][]step{good}
	peers, err := c.Peers(nil)
	if err != nil || len(peers) != 1 || peers[0].Sockets != 1 || !peers[0].Dialled {
		t.Errorf("got %+v, %v", peers, err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := c.Peers(nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestUnsupported(t *testing.T) {
	for _, code := range []syscall.Errno{syscall.ENOENT, syscall.EOPNOTSUPP} {
		s := &script{answers: [][]step{{{datagram: doneMessage(0, -int32(code))}}}}
		if _, err := openVia(s.dial, DefaultOptions()); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%v: got %v", code, err)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, o := range []Options{{IdleSamples: -1}, {MaxIdle: -1}} {
		if _, err := Open(o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
	for _, o := range []Options{{}, DefaultOptions()} {
		if err := o.Validate(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
