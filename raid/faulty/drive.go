package faulty

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
)

// Errors of a drive.
var (
	ErrMedium = errors.New("medium error")
	ErrPower  = errors.New("power is lost")
)

// sector is the number of bytes that a drive writes completely or not at all.
const sector = 512

// A Drive is a member in memory, with a cache that is lost with the power. It is safe for
// concurrent use.
type Drive struct {
	name  string
	power *Power

	mu      sync.Mutex
	rng     *rand.Rand
	plan    Plan
	content []byte // content that reads return
	durable []byte // content at the last sync
	dirty   []write
	resume  chan struct{} // closed when hanging I/Os continue
	injured uint64        // number of I/Os that failed or hung
}

// A write is a write that was not synced.
type write struct {
	off  int64
	data []byte
}

// Power is the power supply of several drives. They lose power at the same time.
type Power struct{ off atomic.Bool }

// Cut makes all I/Os of all drives fail from now on. A hanging I/O hangs until its drive gets
// another plan.
func (p *Power) Cut() { p.off.Store(true) }

// NewDrive returns a drive full of zeros.
func NewDrive(name string, size int64, power *Power, seed uint64) *Drive {
	return &Drive{
		name: name, power: power, content: make([]byte, size), durable: make([]byte, size),
		rng: rand.New(rand.NewPCG(seed, 1)), resume: make(chan struct{}),
	}
}

// Follow gives the drive a new plan. Hanging I/Os continue.
func (d *Drive) Follow(p Plan) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.plan = p
	close(d.resume)
	d.resume = make(chan struct{})
}

// Injured returns the number of I/Os that failed or hung.
func (d *Drive) Injured() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.injured
}

// Restored returns the drive after a power cut, with a random part of the sectors that were not
// synced. If all is true, it has all of them, as after a kill of the process.
func (d *Drive) Restored(rng *rand.Rand, power *Power, all bool) *Drive {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := NewDrive(d.name, int64(len(d.content)), power, rng.Uint64())
	copy(n.durable, d.durable)
	likely := rng.IntN(5) // probability that a sector was written: 0 of 4 … 4 of 4
	for _, w := range d.dirty {
		for at := 0; at < len(w.data); at += sector {
			if (all || rng.IntN(4) < likely) && w.off+int64(at) < int64(len(n.durable)) {
				copy(n.durable[w.off+int64(at):], w.data[at:min(at+sector, len(w.data))])
			}
		}
	}
	copy(n.content, n.durable)
	return n
}

// Rot damages n bytes, as bit rot does.
func (d *Drive) Rot(off int64, n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range n {
		d.content[off+int64(i)] ^= 0x5a
		d.durable[off+int64(i)] ^= 0x5a
	}
}

// Truncate makes the drive shorter.
func (d *Drive) Truncate(size int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.content, d.durable = d.content[:size], d.durable[:size]
}

// fault returns the fault that the plan chooses for an I/O; "": none.
func (d *Drive) fault(op string) (fault string, resume <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.plan {
		if r.Op == op && d.rng.IntN(r.Every) == 0 {
			d.injured++
			return r.Fault, d.resume
		}
	}
	return "", nil
}

// do runs an I/O of n bytes, or the fault that the plan chooses. action gets the number of bytes to
// read or write.
func (d *Drive) do(op string, off int64, n int, action func(n int)) error {
	fault, resume := d.fault(op)
	if fault == "hang" {
		<-resume
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.power.off.Load():
		return fmt.Errorf("%s: %s: %w", d.name, op, ErrPower)
	case fault == "error":
		return fmt.Errorf("%s: %s: %w", d.name, op, ErrMedium)
	case off+int64(n) > int64(len(d.content)):
		return fmt.Errorf("%s: %s: %w", d.name, op, io.ErrUnexpectedEOF)
	case fault == "short":
		action(d.rng.IntN(n/sector+1) * sector)
		return fmt.Errorf("drive %s: only a part of the %s was done: %w", d.name, op, io.ErrUnexpectedEOF)
	}
	action(n)
	return nil
}

// ReadAt fills p or returns an error.
func (d *Drive) ReadAt(p []byte, off int64) (int, error) {
	return len(p), d.do("read", off, len(p), func(n int) { copy(p[:n], d.content[off:]) })
}

// ReadVector fills all of bufs or returns an error.
func (d *Drive) ReadVector(bufs [][]byte, off int64) error {
	for _, buf := range bufs {
		if _, err := d.ReadAt(buf, off); err != nil {
			return err
		}
		off += int64(len(buf))
	}
	return nil
}

// WriteAt writes p; if it fails, a part of p may be written.
func (d *Drive) WriteAt(p []byte, off int64) (int, error) {
	return len(p), d.do("write", off, len(p), func(n int) {
		copy(d.content[off:], p[:n])
		d.dirty = append(d.dirty, write{off, append([]byte(nil), p[:n]...)})
	})
}

// Sync makes all writes durable.
func (d *Drive) Sync() error {
	return d.do("sync", 0, 0, func(int) {
		for _, w := range d.dirty {
			if w.off < int64(len(d.durable)) {
				copy(d.durable[w.off:], w.data)
			}
		}
		d.dirty = nil
	})
}

// Zero writes zeros.
func (d *Drive) Zero(off, n int64) error {
	_, err := d.WriteAt(make([]byte, n), off)
	return err
}

// Size returns the size of the drive in bytes.
func (d *Drive) Size() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return int64(len(d.content))
}

// Direct returns true: a Drive has no page cache.
func (d *Drive) Direct() bool { return true }

// String returns the name of the drive.
func (d *Drive) String() string { return d.name }

// Close does nothing, so that a drive can be opened again.
func (d *Drive) Close() error { return nil }
