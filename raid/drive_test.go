package raid

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// A drive is a member in memory with a cache that a loss of power empties.
type drive struct {
	name   string
	faults func(op string) (time.Duration, error) // nil: none
	lag    time.Duration                          // before every I/O: others come first

	mu      sync.Mutex
	content []byte // as it reads
	durable []byte // as it was at the last sync
	dirty   []extent
	closed  bool
}

// An extent is a write that was not synced.
type extent struct {
	off  int64
	data []byte
}

func newDrive(name string, size int64) *drive {
	return &drive{name: name, content: make([]byte, size), durable: make([]byte, size)}
}

func (d *drive) String() string { return d.name }
func (d *drive) Size() int64    { return int64(len(d.content)) }
func (d *drive) Direct() bool   { return d.name != "cached" }

func (d *drive) do(op string, f func()) error {
	if d.lag > 0 {
		time.Sleep(d.lag)
	}
	if d.faults != nil {
		wait, err := d.faults(op)
		if wait > 0 {
			time.Sleep(wait)
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", d.name, op, err)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if f(); d.closed {
		return errors.New("closed")
	}
	return nil
}

func (d *drive) ReadAt(p []byte, off int64) (int, error) {
	return len(p), d.do("read", func() { copy(p, d.content[off:off+int64(len(p))]) })
}

func (d *drive) ReadVector(bufs [][]byte, off int64) error {
	return d.do("read", func() {
		for _, buf := range bufs {
			off += int64(copy(buf, d.content[off:]))
		}
	})
}

func (d *drive) WriteAt(p []byte, off int64) (int, error) {
	return len(p), d.do("write", func() {
		copy(d.content[off:off+int64(len(p))], p)
		d.dirty = append(d.dirty, extent{off, append([]byte(nil), p...)})
	})
}

func (d *drive) Sync() error {
	return d.do("sync", func() {
		for _, e := range d.dirty {
			copy(d.durable[e.off:], e.data)
		}
		d.dirty = nil
	})
}

func (d *drive) Zero(off, n int64) error {
	_, err := d.WriteAt(make([]byte, n), off)
	return err
}

func (d *drive) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	return nil
}

// sector is what a drive writes as a whole.
const sector = 512

// afterPowerLoss is the drive with any of the sectors that were not synced.
func (d *drive) afterPowerLoss(rng *rand.Rand) *drive {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := newDrive(d.name, d.Size())
	copy(n.durable, d.durable)
	likely := rng.IntN(5) // sectors arrive never … always
	for _, e := range d.dirty {
		for at := 0; at < len(e.data); at += sector {
			if rng.IntN(4) < likely {
				copy(n.durable[e.off+int64(at):], e.data[at:at+sector])
			}
		}
	}
	copy(n.content, n.durable)
	return n
}

// clone is the drive as it reads, opened anew.
func (d *drive) clone() *drive {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := newDrive(d.name, d.Size())
	copy(n.content, d.content)
	copy(n.durable, d.content)
	return n
}

// testGeometry is small, so that batches are split and slots used again.
var testGeometry = Geometry{Data: 4, Stripes: 24, Journal: 3, Checksums: true}

// plainGeometry is the same without checksums, as arrays had none.
var plainGeometry = Geometry{Data: 4, Stripes: 24, Journal: 3}

func newDrives(t testing.TB, g Geometry) []*drive {
	t.Helper()
	drives := make([]*drive, g.Members())
	for i := range drives {
		drives[i] = newDrive(fmt.Sprintf("drive%d", i), g.MemberSize())
	}
	got, err := Create(membersOf(drives), CreateOptions{Journal: g.Journal, Checksums: g.Checksums})
	if err != nil || got != g {
		t.Fatalf("Create: %+v, %v, want %+v", got, err, g)
	}
	return drives
}

// membersOf takes nil for nil.
func membersOf(drives []*drive) []Member {
	members := make([]Member, len(drives))
	for i, d := range drives {
		if d != nil {
			members[i] = d
		}
	}
	return members
}

func cloneAll(drives []*drive) []*drive {
	list := make([]*drive, len(drives))
	for i, d := range drives {
		list[i] = d.clone()
	}
	return list
}

func testOptions(kind policy.Kind) Options {
	o := DefaultOptions()
	o.Policy = policy.Default(kind)
	o.Degraded = true
	o.Window = 5
	return o
}

func openDrives(t testing.TB, drives []*drive, kind policy.Kind) *Array {
	t.Helper()
	a, err := Open(membersOf(drives), testOptions(kind))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// noise is n bytes that follow from the seed.
func noise(seed uint64, n int) []byte {
	p := make([]byte, n)
	rand.NewChaCha8([32]byte(slices.Repeat(binary.LittleEndian.AppendUint64(nil, seed), 4))).Read(p)
	return p
}

func readAll(t testing.TB, a *Array) []byte {
	t.Helper()
	p := make([]byte, a.Size())
	if n, err := a.ReadAt(p, 0); err != nil || n != len(p) {
		t.Fatalf("read %d of %d bytes: %v", n, len(p), err)
	}
	return p
}

// checkScrub wants nothing to be wrong.
func checkScrub(t testing.TB, a *Array) {
	t.Helper()
	s, err := a.Scrub(t.Context(), ScrubOptions{})
	if err != nil || s.Faulty != 0 || s.Checked != a.geometry.Stripes {
		t.Fatalf("scrub: %+v, %v", s, err)
	}
}

// checkBuffers wants all to come back, when late answers have come.
func checkBuffers(t testing.TB, a *Array) {
	t.Helper()
	for end := time.Now().Add(time.Minute); a.pool.InUse() > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if left := a.pool.InUse(); left != 0 {
		t.Errorf("%d buffers did not come back", left)
	}
}
