package replay

import (
	"math/rand/v2"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/raid"
)

// An emulated member takes as long for an I/O as a model of a drive. Without it, files in memory
// would answer in microseconds, and always equally fast. An I/O waits for the I/Os before it, as on
// a disk with one arm.
type emulated struct {
	raid.Member
	model model
	speed float64

	mu   sync.Mutex
	dice *rand.Rand
	head int64     // end of the last I/O on the drive
	free time.Time // time at which the last I/O ends
}

// emulate returns a member that takes as long as a drive of this kind.
func (d Drive) emulate(m raid.Member, place int, o Options) (*emulated, error) {
	model, err := d.model(m.Size())
	if err != nil {
		return nil, err
	}
	return &emulated{Member: m, model: model, speed: o.Speed, dice: rand.New(rand.NewPCG(o.Seed, uint64(place)))}, nil
}

func (e *emulated) ReadAt(p []byte, off int64) (int, error) {
	defer sleepUntil(e.ends(off, int64(len(p)), time.Now())) //nolint:forbidigo // latencies are real
	return e.Member.ReadAt(p, off)
}

func (e *emulated) ReadVector(bufs [][]byte, off int64) error {
	bytes := int64(0)
	for _, b := range bufs {
		bytes += int64(len(b))
	}
	defer sleepUntil(e.ends(off, bytes, time.Now())) //nolint:forbidigo // latencies are real
	return e.Member.ReadVector(bufs, off)
}

func (e *emulated) WriteAt(p []byte, off int64) (int, error) {
	defer sleepUntil(e.ends(off, int64(len(p)), time.Now())) //nolint:forbidigo // latencies are real
	return e.Member.WriteAt(p, off)
}

func sleepUntil(t time.Time) { time.Sleep(time.Until(t)) }

// ends returns the time at which an I/O that arrives now ends.
func (e *emulated) ends(off, bytes int64, now time.Time) time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.free.Before(now) {
		e.free = now
	}
	service := e.model.service(e.dice.Float64(), e.dice.Float64(), e.head, off, bytes)
	e.head, e.free = off+bytes, e.free.Add(scaled(service, 1/e.speed))
	return e.free
}
