package nbd

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// A memory is a device whose reads can be held back.
type memory struct {
	mu    sync.RWMutex
	bytes []byte
	syncs int
	gate  func(off int64) error // nil: none
}

func (m *memory) Size() int64 { return int64(len(m.bytes)) }

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	if m.gate != nil {
		if err := m.gate(off); err != nil {
			return 0, err
		}
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	n := copy(p, m.bytes[off:])
	if off+int64(n) == m.Size() {
		return n, io.EOF
	}
	return n, nil
}

func (m *memory) WriteAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return copy(m.bytes[off:], p), nil
}

// at is a copy of what the device holds.
func (m *memory) at(off uint64, n uint32) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return bytes.Clone(m.bytes[off:][:n])
}

// synced is how often since it was asked last.
func (m *memory) synced() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.syncs
	m.syncs = 0
	return n
}

func (m *memory) Sync() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.syncs++
	return nil
}

// serve starts a server on a Unix socket.
func serve(t testing.TB, e Export, o Options) (*Server, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	l, err := Listen("unix:"+path, false)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewServer(e, o)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Close()
		if err := <-served; !errors.Is(err, ErrClosed) {
			t.Errorf("Serve: %v", err)
		}
	})
	return s, path
}

// A client writes and reads the protocol's fields.
type client struct {
	t testing.TB
	net.Conn
}

func dial(t testing.TB, path string) *client {
	t.Helper()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(2 * time.Minute))
	return &client{t, c}
}

func (c *client) put(fields ...any) {
	c.t.Helper()
	var b []byte
	for _, f := range fields {
		switch f := f.(type) {
		case string:
			b = append(b, f...)
		case []byte:
			b = append(b, f...)
		default:
			var err error
			if b, err = binary.Append(b, binary.BigEndian, f); err != nil {
				c.t.Fatal(err)
			}
		}
	}
	if _, err := c.Write(b); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) bytes(n int) []byte {
	c.t.Helper()
	b := make([]byte, n)
	if _, err := io.ReadFull(c, b); err != nil {
		c.t.Fatal(err)
	}
	return b
}

func (c *client) u16() uint16 { c.t.Helper(); return binary.BigEndian.Uint16(c.bytes(2)) }
func (c *client) u32() uint32 { c.t.Helper(); return binary.BigEndian.Uint32(c.bytes(4)) }
func (c *client) u64() uint64 { c.t.Helper(); return binary.BigEndian.Uint64(c.bytes(8)) }

// hello takes the greeting.
func (c *client) hello(flags uint32) {
	c.t.Helper()
	if got := string(c.bytes(16)); got != "NBDMAGICIHAVEOPT" {
		c.t.Fatalf("greeting %q", got)
	}
	if got := c.u16(); got != 3 {
		c.t.Fatalf("server flags %#x", got)
	}
	c.put(flags)
}

func (c *client) option(opt uint32, data string) {
	c.t.Helper()
	c.put("IHAVEOPT", opt, uint32(len(data)), data)
}

// answer takes one answer to an option.
func (c *client) answer(opt uint32) (kind uint32, data []byte) {
	c.t.Helper()
	if magic, got := c.u64(), c.u32(); magic != 0x3e889045565a9 || got != opt {
		c.t.Fatalf("answer %#x to option %d, want to %d", magic, got, opt)
	}
	kind = c.u32()
	return kind, c.bytes(int(c.u32()))
}

// enter chooses the default export.
func (c *client) enter() {
	c.t.Helper()
	c.hello(3)
	c.option(7, "\x00\x00\x00\x00\x00\x00")
	for {
		kind, _ := c.answer(7)
		switch kind {
		case 1:
			return
		case 3:
		default:
			c.t.Fatalf("GO is answered by %#x", kind)
		}
	}
}

func (c *client) request(flags, cmd uint16, cookie, off uint64, length uint32, data []byte) {
	c.t.Helper()
	c.put(uint32(0x25609513), flags, cmd, cookie, off, length, data)
}

// reply takes the header of a reply.
func (c *client) reply() (failed uint32, cookie uint64) {
	c.t.Helper()
	if magic := c.u32(); magic != 0x67446698 {
		c.t.Fatalf("reply begins with %#x", magic)
	}
	failed = c.u32()
	return failed, c.u64()
}
