package nbd

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func testExport() (Export, *memory) {
	m := &memory{bytes: make([]byte, 1<<20)}
	for i := range m.bytes {
		m.bytes[i] = byte(i * 7 >> 3)
	}
	return Export{Name: "array", Description: "an array", Device: m}, m
}

func smallOptions() Options {
	o := DefaultOptions()
	o.MaxRequest, o.InFlight = 1<<16, 1<<17
	return o
}

func TestNegotiation(t *testing.T) {
	e, _ := testExport()
	_, path := serve(t, e, DefaultOptions())
	for _, test := range []struct {
		name string
		opt  uint32
		data string
		want []uint32 // kinds of answers
	}{
		{"list", 3, "", []uint32{2, 1}},
		{"list with data", 3, "x", []uint32{1<<31 + 3}},
		{"info", 6, "\x00\x00\x00\x05array\x00\x00", []uint32{3, 3, 1}},
		{"info with all", 6, "\x00\x00\x00\x05array\x00\x02\x00\x01\x00\x02", []uint32{3, 3, 3, 3, 1}},
		{"info of another", 6, "\x00\x00\x00\x05other\x00\x00", []uint32{1<<31 + 6}},
		{"info cut", 6, "\x00\x00\x00\x09array\x00\x00", []uint32{1<<31 + 3}},
		{"info with too few", 6, "\x00\x00\x00\x00\x00\x02\x00\x01", []uint32{1<<31 + 3}},
		{"go to another", 7, "\x00\x00\x00\x05other\x00\x00", []uint32{1<<31 + 6}},
		{"structured replies", 8, "", []uint32{1}},
		{"structured replies with data", 8, "x", []uint32{1<<31 + 3}},
		{"contexts of what has none", 9, "\x00\x00\x00\x05array\x00\x00\x00\x00", []uint32{1}},
		{"contexts of another", 9, "\x00\x00\x00\x05other\x00\x00\x00\x00", []uint32{1<<31 + 6}},
		{"contexts cut", 9, "\x00\x00\x00\x05arr", []uint32{1<<31 + 3}},
		{"contexts before structured replies", 10, "\x00\x00\x00\x00\x00\x00\x00\x00", []uint32{1<<31 + 3}},
		{"TLS", 5, "", []uint32{1<<31 + 1}},
		{"unknown", 77, "abc", []uint32{1<<31 + 1}},
		{"too long", 6, strings.Repeat("x", maxOption+1), []uint32{1<<31 + 9}},
		{"abort", 2, "", []uint32{1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := dial(t, path)
			c.hello(3)
			for range 2 { // once more after a refusal
				c.option(test.opt, test.data)
				for i, want := range test.want {
					if got, _ := c.answer(test.opt); got != want {
						t.Fatalf("answer %d is %#x, want %#x", i, got, want)
					}
				}
				if test.opt == 2 {
					if _, err := c.Read(make([]byte, 1)); !ended(err) {
						t.Errorf("after ABORT: %v", err)
					}
					return
				}
			}
		})
	}
}

func TestInfo(t *testing.T) {
	e, _ := testExport()
	_, path := serve(t, e, DefaultOptions())
	c := dial(t, path)
	c.hello(3)
	c.option(6, "\x00\x00\x00\x00\x00\x02\x00\x01\x00\x02")
	for _, want := range []string{
		"\x00\x00" + "\x00\x00\x00\x00\x00\x10\x00\x00" + "\x01\x0d",
		"\x00\x03" + "\x00\x00\x00\x01" + "\x00\x00\x10\x00" + "\x02\x00\x00\x00",
		"\x00\x01array",
		"\x00\x02an array",
	} {
		if _, got := c.answer(6); string(got) != want {
			t.Errorf("info %q, want %q", got, want)
		}
	}
}

func TestExportName(t *testing.T) {
	e, m := testExport()
	e.ReadOnly = true
	_, path := serve(t, e, DefaultOptions())
	for flags, padding := range map[uint32]int{3: 0, 1: 124} {
		c := dial(t, path)
		c.hello(flags)
		c.option(1, "array")
		if size, flags := c.u64(), c.u16(); size != uint64(len(m.bytes)) || flags != 0x10f {
			t.Errorf("size %d, flags %#x", size, flags)
		}
		c.bytes(padding)
		c.request(0, 0, 9, 16, 16, nil)
		if failed, cookie := c.reply(); failed != 0 || cookie != 9 || !bytes.Equal(c.bytes(16), m.at(16, 16)) {
			t.Errorf("read: %d, %d", failed, cookie)
		}
		c.request(0, 1, 10, 0, 3, []byte("abc"))
		if failed, _ := c.reply(); failed != ePerm {
			t.Errorf("write to a read-only export: %d", failed)
		}
	}
	c := dial(t, path)
	c.hello(3)
	c.option(1, "other")
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("another export was entered")
	}
}

func TestRequests(t *testing.T) {
	e, m := testExport()
	s, path := serve(t, e, smallOptions())
	c := dial(t, path)
	c.enter()
	size := uint64(len(m.bytes))
	for i, test := range []struct {
		name       string
		flags, cmd uint16
		off        uint64
		length     uint32
		want       uint32
		syncs      int
	}{
		{"read", 0, 0, 5, 1000, 0, 0},
		{"read to the end", 0, 0, size - 10, 10, 0, 0},
		{"read beyond the end", 0, 0, size - 10, 11, eInvalid, 0},
		{"read far beyond", 0, 0, 1<<64 - 1, 2, eInvalid, 0},
		{"read too much", 0, 0, 0, 1<<16 + 1, eInvalid, 0},
		{"write", 0, 1, 77, 3000, 0, 0},
		{"write durably", 1, 1, 78, 3000, 0, 1},
		{"write beyond the end", 0, 1, size - 1, 2, eNoSpace, 0},
		{"write too much", 0, 1, 0, 1<<16 + 1, eInvalid, 0},
		{"flush", 0, 3, 0, 0, 0, 1},
		{"trim", 0, 4, 0, 4096, eInvalid, 0},
		{"write zeroes", 0, 6, 0, 4096, eInvalid, 0},
		{"unknown", 0, 99, 0, 0, eInvalid, 0},
		{"unknown flag", 4, 0, 0, 1, eInvalid, 0},
	} {
		var data []byte
		if test.cmd == 1 {
			data = bytes.Repeat([]byte{byte(200 + i)}, int(test.length))
		}
		c.request(test.flags, test.cmd, uint64(i), test.off, test.length, data)
		failed, cookie := c.reply()
		if failed != test.want || cookie != uint64(i) {
			t.Fatalf("%s: error %d of request %d, want %d of %d", test.name, failed, cookie, test.want, i)
		}
		if test.cmd == 0 && failed == 0 {
			if got := c.bytes(int(test.length)); !bytes.Equal(got, m.at(test.off, test.length)) {
				t.Errorf("%s: other bytes", test.name)
			}
		}
		if test.cmd == 1 && failed == 0 && !bytes.Equal(m.at(test.off, test.length), data) {
			t.Errorf("%s: other bytes were written", test.name)
		}
		if got := m.synced(); got != test.syncs {
			t.Errorf("%s: %d syncs, want %d", test.name, got, test.syncs)
		}
	}
	want := Counters{Connections: 1, Reads: 2, Writes: 2, Flushes: 1, BytesRead: 1010, BytesWrote: 6000, Failed: 9}
	if got := s.Counters(); got != want {
		t.Errorf("counters %+v, want %+v", got, want)
	}
}

// TestSideBySide: a request that takes long does not hold up others, and is
// answered when it ends.
func TestSideBySide(t *testing.T) {
	e, m := testExport()
	release := make(chan struct{})
	m.gate = func(off int64) error {
		if off == 0 {
			<-release
		}
		return nil
	}
	_, path := serve(t, e, DefaultOptions())
	c := dial(t, path)
	c.enter()
	c.request(0, 0, 1, 0, 8, nil)
	for i := range uint64(50) {
		c.request(0, 0, 100+i, 8, 8, nil)
	}
	seen := map[uint64]bool{}
	for range 50 {
		_, cookie := c.reply()
		seen[cookie] = true
		c.bytes(8)
	}
	if len(seen) != 50 || seen[1] {
		t.Errorf("answered %v", seen)
	}
	close(release)
	if _, cookie := c.reply(); cookie != 1 {
		t.Errorf("answered %d, want 1", cookie)
	}
}

// TestBudget: no more is in memory than allowed.
func TestBudget(t *testing.T) {
	e, m := testExport()
	release, asked := make(chan struct{}), make(chan struct{}, 100)
	m.gate = func(int64) error {
		asked <- struct{}{}
		<-release
		return nil
	}
	_, path := serve(t, e, smallOptions())
	c := dial(t, path)
	c.enter()
	for i := range uint64(5) {
		c.request(0, 0, i, 0, 1<<16, nil)
	}
	<-asked
	<-asked
	select {
	case <-asked:
		t.Error("three requests of half the budget each are under way")
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	for range 5 {
		c.reply()
		c.bytes(1 << 16)
	}
}

func TestDeviceFails(t *testing.T) {
	e, m := testExport()
	m.gate = func(int64) error { return errors.New("broken") }
	_, path := serve(t, e, DefaultOptions())
	c := dial(t, path)
	c.enter()
	c.request(0, 0, 1, 0, 8, nil)
	if failed, _ := c.reply(); failed != eIO {
		t.Errorf("error %d", failed)
	}
}

// TestClose answers what is under way, and ends idle connections.
func TestClose(t *testing.T) {
	e, m := testExport()
	begun, release := make(chan struct{}), make(chan struct{})
	m.gate = func(int64) error {
		close(begun)
		<-release
		return nil
	}
	s, path := serve(t, e, DefaultOptions())
	idle, shy, busy := dial(t, path), dial(t, path), dial(t, path)
	idle.enter()
	shy.hello(3)
	busy.enter()
	busy.request(0, 0, 1, 0, 8, nil)
	<-begun
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	if _, err := idle.Read(make([]byte, 1)); !ended(err) {
		t.Errorf("idle connection: %v", err)
	}
	if _, err := shy.Read(make([]byte, 1)); !ended(err) {
		t.Errorf("connection in negotiation: %v", err)
	}
	close(release)
	if failed, cookie := busy.reply(); failed != 0 || cookie != 1 {
		t.Errorf("request under way: %d, %d", failed, cookie)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("unix", path); err == nil {
		t.Error("a closed server takes connections")
	}
	l, err := Listen("127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(l); !errors.Is(err, ErrClosed) {
		t.Errorf("Serve after Close: %v", err)
	}
}

// ended says that the server ended a connection: the kernel tells a reset
// instead of an end where the server had not yet read all that was sent.
func ended(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)
}

func TestDisconnect(t *testing.T) {
	e, _ := testExport()
	o := DefaultOptions()
	o.Handshake = 500 * time.Millisecond
	reports := make(chan error, 10)
	o.Report = func(_ net.Addr, err error) { reports <- err }
	_, path := serve(t, e, o)
	c := dial(t, path)
	c.enter()
	c.request(0, 2, 1, 0, 0, nil)
	if _, err := c.Read(make([]byte, 1)); !ended(err) {
		t.Errorf("after DISC: %v", err)
	}
	select {
	case err := <-reports:
		t.Errorf("a client that disconnects is reported: %v", err)
	default:
	}
	dial(t, path).hello(3)
	if err := <-reports; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a client that says nothing: %v", err)
	}
	d := dial(t, path)
	d.enter()
	d.put("GET / HTTP/1.1\r\nHost: example\r\n\r\n")
	if err := <-reports; !errors.Is(err, errMagic) {
		t.Errorf("a client that speaks HTTP: %v", err)
	}
}

func TestListen(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", "192.0.2.1:10809", "example.org:10809", "10809", "unix:/no/such/dir/s"} {
		if l, err := Listen(address, false); err == nil {
			t.Errorf("listens on %s", l.Addr())
		}
	}
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Listen("unix:"+path, false); err == nil {
		t.Error("listens where another server answers")
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	again, err := Listen("unix:"+path, false)
	if err != nil {
		t.Fatalf("does not replace the socket of a dead server: %v", err)
	}
	defer again.Close()
	if stat, err := os.Stat(path); err != nil || stat.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", stat.Mode(), err)
	}
}

func TestNewServerRefuses(t *testing.T) {
	e, _ := testExport()
	for name, edit := range map[string]func(*Export, *Options){
		"no device":        func(e *Export, _ *Options) { e.Device = nil },
		"long name":        func(e *Export, _ *Options) { e.Name = strings.Repeat("x", 4097) },
		"odd request size": func(_ *Export, o *Options) { o.MaxRequest = 5000 },
		"small budget":     func(_ *Export, o *Options) { o.InFlight = o.MaxRequest - 1 },
		"no handshake":     func(_ *Export, o *Options) { o.Handshake = 0 },
		"little memory":    func(_ *Export, o *Options) { o.Memory = int64(o.InFlight) - 1 },
		"no stall":         func(_ *Export, o *Options) { o.Stall = 0 },
		"negative idle":    func(_ *Export, o *Options) { o.Idle = -1 },
	} {
		e, o := e, DefaultOptions()
		edit(&e, &o)
		if _, err := NewServer(e, o); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}
