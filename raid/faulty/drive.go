package faulty

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
)

// What a drive answers.
var (
	ErrMedium = errors.New("medium error")
	ErrPower  = errors.New("power is lost")
)

// sector is what a drive writes as a whole.
const sector = 512

// A Drive is a member in memory with a cache that a loss of power empties. It
// is safe for concurrent use.
type Drive struct {
	name  string
	power *Power

	mu      sync.Mutex
	rng     *rand.Rand
	plan    Plan
	content []byte // as it reads
	durable []byte // as it was at the last sync
	dirty   []write
	resume  chan struct{} // closed when what hangs goes on
	injured uint64        // I/Os that failed or hung
}

// A write is one that was not synced.
type write struct {
	off  int64
	data []byte
}

// Power is what drives share. It is lost for all at once.
type Power struct{ off atomic.Bool }

// Cut has all I/Os of all drives fail from now on. What hangs does until its
// drive follows another plan.
func (p *Power) Cut() { p.off.Store(true) }

// NewDrive is a drive of zeros.
func NewDrive(name string, size int64, power *Power, seed uint64) *Drive {
	return &Drive{
		name: name, power: power, content: make([]byte, size), durable: make([]byte, size),
		rng: rand.New(rand.NewPCG(seed, 1)), resume: make(chan struct{}),
	}
}

// Follow has the drive fail by a plan from now on. What hung goes on.
func (d *Drive) Follow(p Plan) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.plan = p
	close(d.resume)
	d.resume = make(chan struct{})
}

// Injured is how many I/Os failed or hung.
func (d *Drive) Injured() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.injured
}

// Restored is the drive after its power was cut, with any of the sectors that
// were not synced. With all of them it is as after a kill.
func (d *Drive) Restored(rng *rand.Rand, power *Power, all bool) *Drive {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := NewDrive(d.name, int64(len(d.content)), power, rng.Uint64())
	copy(n.durable, d.durable)
	likely := rng.IntN(5) // sectors arrive never … always
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

// Rot changes bytes where nobody wrote.
func (d *Drive) Rot(off int64, n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range n {
		d.content[off+int64(i)] ^= 0x5a
		d.durable[off+int64(i)] ^= 0x5a
	}
}

// Cut makes the drive shorter.
func (d *Drive) Cut(size int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.content, d.durable = d.content[:size], d.durable[:size]
}

// fault is what the plan has for an I/O: "" if nothing.
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

// do does an I/O of so many bytes, or what the plan has for it. The action is
// told how many bytes to do.
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

// ReadAt fills p or says why not.
func (d *Drive) ReadAt(p []byte, off int64) (int, error) {
	return len(p), d.do("read", off, len(p), func(n int) { copy(p[:n], d.content[off:]) })
}

// ReadVector fills all of bufs or says why not.
func (d *Drive) ReadVector(bufs [][]byte, off int64) error {
	for _, buf := range bufs {
		if _, err := d.ReadAt(buf, off); err != nil {
			return err
		}
		off += int64(len(buf))
	}
	return nil
}

// WriteAt writes p, all or in part.
func (d *Drive) WriteAt(p []byte, off int64) (int, error) {
	return len(p), d.do("write", off, len(p), func(n int) {
		copy(d.content[off:], p[:n])
		d.dirty = append(d.dirty, write{off, append([]byte(nil), p[:n]...)})
	})
}

// Sync makes durable what was written.
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

// Size is how many bytes it has.
func (d *Drive) Size() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return int64(len(d.content))
}

// Direct is true: reads take what they take.
func (d *Drive) Direct() bool { return true }

// String is its name.
func (d *Drive) String() string { return d.name }

// Close does nothing: whoever has the drive may open it again.
func (d *Drive) Close() error { return nil }
