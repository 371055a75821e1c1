package nbd

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid/nbd/nbdtest"
)

// A sparse device knows what was zeroed.
type sparse struct {
	*memory
	zeroed, discarded, punched int64
}

func (s *sparse) WriteZeroes(off, n int64, punch bool) error {
	if s.zeroed += n; punch {
		s.punched += n
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.bytes[off:][:n])
	return nil
}

func (s *sparse) Discard(_, n int64) error {
	s.discarded += n
	return nil
}

func (s *sparse) Extents(off, n int64, tell func(int64, bool)) error {
	const edge = 1 << 19
	tell(max(0, min(n, edge-off)), false)
	tell(max(0, off+n-max(edge, off)), true)
	return nil
}

// TestSparse trims, zeroes and asks for holes, and reads with structured
// replies, errors among them.
func TestSparse(t *testing.T) {
	e, m := testExport()
	d := &sparse{memory: m}
	e.Device = d
	s, path := serve(t, e, smallOptions())
	c, err := nbdtest.Dial("unix:"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got := make([]byte, 5000)
	if _, err := c.ReadAt(got, 77); err != nil || !bytes.Equal(got, m.at(77, 5000)) {
		t.Errorf("read: %v", err)
	}
	if err := errors.Join(c.WriteZeroes(77, 500_000), c.Discard(0, 900_000), c.Sync()); err != nil {
		t.Fatal(err)
	}
	if d.zeroed != 500_000 || d.punched != 500_000 || d.discarded != 900_000 || m.synced() != 2 {
		t.Errorf("device has %+v", d)
	}
	if list, err := c.Status(1<<19-10, 30); err != nil || len(list) != 4 || list[0] != 10 || list[1] != 0 || list[2] != 20 || list[3] != 3 {
		t.Errorf("extents %v, %v", list, err)
	}
	var refused nbdtest.Error
	if _, err := c.ReadAt(got, c.Size()-10); !errors.As(err, &refused) || refused != eInvalid {
		t.Errorf("read beyond the end: %v", err)
	}
	if err := c.WriteZeroes(c.Size()-10, 11); !errors.As(err, &refused) || refused != eNoSpace {
		t.Errorf("zeros beyond the end: %v", err)
	}
	if _, err := c.Status(0, 0); !errors.As(err, &refused) || refused != eInvalid {
		t.Errorf("extents of nothing: %v", err)
	}
	if n := s.Counters(); n.Trims != 1 || n.Zeroes != 1 || n.Statuses != 1 || n.Failed != 3 {
		t.Errorf("counters %+v", n)
	}
}

// TestMemory: clients that do not take their answers hold no more memory than
// all may have, and no longer than they may stall. Then others are served.
func TestMemory(t *testing.T) {
	e, m := testExport()
	m.bytes = make([]byte, 8<<20)
	o := DefaultOptions()
	o.MaxRequest, o.InFlight, o.Memory, o.Stall = 1<<20, 4<<20, 16<<20, 500*time.Millisecond
	s, path := serve(t, e, o)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 24 {
		c := dial(t, path)
		c.enter()
		for i := range uint64(16) {
			c.request(0, 0, i, 0, 1<<20, nil)
		}
	}
	time.Sleep(200 * time.Millisecond)
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 32<<20 {
		t.Errorf("24 clients that take no answers hold %d MiB", held>>20)
	}
	c, err := nbdtest.Dial("unix:"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	began := time.Now()
	if _, err := c.ReadAt(make([]byte, 1<<20), 0); err != nil || time.Since(began) > time.Minute {
		t.Errorf("another client waited for %v: %v", time.Since(began), err)
	}
	for end := time.Now().Add(time.Minute); s.Counters().Connections > 1 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if n := s.Counters().Connections; n > 1 {
		t.Errorf("%d clients that take no answers are connected", n-1)
	}
}

// TestStall: clients that begin a request and do not go on are disconnected long
// before those that send nothing.
func TestStall(t *testing.T) {
	e, _ := testExport()
	o := DefaultOptions()
	o.Stall, o.Idle = 500*time.Millisecond, 5*time.Minute
	reports := make(chan error, 10)
	o.Report = func(_ net.Addr, err error) { reports <- err }
	_, path := serve(t, e, o)
	slow, silent, half := dial(t, path), dial(t, path), dial(t, path)
	silent.enter()
	slow.enter()
	slow.request(0, 1, 1, 0, 4096, []byte("some of what was promised"))
	half.enter()
	half.put(uint32(0x25609513))
	for name, c := range map[string]*client{"slow": slow, "half": half} {
		began := time.Now()
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("%s: after %v %v", name, time.Since(began), err)
		}
	}
	silent.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	if _, err := silent.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("silent, before its time: %v", err)
	}
	if err := <-reports; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("said is %v", err)
	}
}

// TestIdle: clients that send nothing are disconnected in their time.
func TestIdle(t *testing.T) {
	e, _ := testExport()
	o := DefaultOptions()
	o.Idle = 300 * time.Millisecond
	_, path := serve(t, e, o)
	silent := dial(t, path)
	began := time.Now()
	silent.enter()
	if _, err := silent.Read(make([]byte, 1)); !errors.Is(err, io.EOF) || time.Since(began) < o.Idle {
		t.Errorf("silent: after %v %v", time.Since(began), err)
	}
}
