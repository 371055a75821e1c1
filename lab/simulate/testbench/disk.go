// This file simulates a disk and the kernel's part of it: extents become requests, heads
// move, the platter turns, processes are served in turn, and another reader may use the
// disk without the kernel's counters. It keeps the counters that the kernel would keep.

package testbench

import (
	"math"
	"math/rand/v2"
)

// The kernel's part of a disk.
const (
	slice     = 0.5 // seconds that the kernel serves one process for while others wait (read_batch_expire)
	lookAhead = 8   // processes in the line whom the elevator prefers where the heads are
)

// A task is what one thread of the server, or a hog, asks of the disk: one
// stretch, in as many requests as the kernel makes of it.
type task[T any] struct {
	what   T
	write  bool
	at     float64 // bytes from the disk's begin
	left   float64
	piece  float64 // bytes of a request
	issued float64
	used   float64 // of its slice
}

// A Disk serves tasks in turn, each for a slice of time, and after each of their requests
// one of another reader (disk_stranger.go).
type Disk[T any] struct {
	model    *Model
	rng      *rand.Rand
	speed    float64 // against the model's
	slowness float64 // of seeks, against the model's
	finished func(T)

	line    []*task[T] // in which they wait
	turn    *task[T]   // whose slice it is
	free    []*task[T]
	now     float64 // until when it has worked
	head    float64 // where the heads are
	behind  stranger
	layout  layout
	request struct { // under way
		task  *task[T] // nil for the stranger's
		bytes float64
		until float64
	}
	inFlight float64 // requests
	counters Counters
}

// NewDisk returns an idle disk of a model, which tells of what it has finished.
// Disks of a model differ a little in speed, and in how slowly they seek.
func NewDisk[T any](m *Model, rng *rand.Rand, speed, slowness float64, finished func(T)) *Disk[T] {
	return &Disk[T]{model: m, rng: rng, speed: speed, slowness: slowness, finished: finished}
}

// Now is until when the disk has worked.
func (d *Disk[T]) Now() float64 { return d.now }

// Waiting is how many requests are waiting or under way.
func (d *Disk[T]) Waiting() float64 { return d.inFlight }

// Counters are those of /proc/diskstats.
type Counters struct {
	IOs                       uint64
	ReadBytes, WriteBytes     float64
	ReadSeconds, WriteSeconds float64
	BusySeconds, QueueSeconds float64
	accounted                 float64 // until when
}

// Counters are what the kernel has counted until now.
func (d *Disk[T]) Counters() Counters {
	d.account(d.now)
	return d.counters
}

// account brings the times up to now.
func (d *Disk[T]) account(now float64) {
	c := &d.counters
	if d.inFlight > 0 {
		c.BusySeconds += now - c.accounted
		c.QueueSeconds += d.inFlight * (now - c.accounted)
	}
	c.accounted = now
}

// Submit queues a stretch.
func (d *Disk[T]) Submit(what T, write bool, at, bytes float64) {
	d.SubmitPieces(what, write, at, bytes, d.model.RequestBytes)
}

// SubmitPieces queues a stretch that lies in pieces, or in larger requests'
// worth of them.
func (d *Disk[T]) SubmitPieces(what T, write bool, at, bytes, piece float64) {
	piece = min(piece, d.model.RequestBytes)
	d.account(d.now)
	t := &task[T]{}
	if n := len(d.free); n > 0 {
		t, d.free = d.free[n-1], d.free[:n-1]
	}
	*t = task[T]{what: what, write: write, at: at, left: bytes, piece: piece, issued: d.now}
	d.line = append(d.line, t)
	d.inFlight += math.Ceil(bytes / piece)
}

// Work serves until the given time.
func (d *Disk[T]) Work(until float64) {
	for d.request.bytes > 0 || d.begin() {
		if d.request.until > until {
			break
		}
		d.now = d.request.until
		d.end()
	}
	d.now = until
}

// begin starts the next request, and reports false where there is none.
func (d *Disk[T]) begin() bool {
	idle := d.turn == nil && len(d.line) == 0
	if at, ok := d.behind.wants(d.now, idle); ok {
		seconds := d.serve(nil, at, d.model.StrangeBytes, false)
		d.behind.served(d.now+seconds, seconds, d.model.StrangeBytes)
		return true
	}
	if idle {
		return false
	}
	d.turn = d.next()
	d.behind.passed()
	d.serve(d.turn, d.turn.at, min(d.turn.left, d.turn.piece), d.turn.write)
	return true
}

// serve puts a request under way and returns how long it takes.
func (d *Disk[T]) serve(t *task[T], at, bytes float64, write bool) float64 {
	m := d.model
	seconds := bytes / (m.BytesPerSecond * d.speed * d.layout.at(d.rng, d.now, m.LayoutSpread))
	if write && bytes <= m.CachedBytes {
		seconds += m.CachedSeconds * d.rng.ExpFloat64()
	} else {
		if at != d.head {
			seconds += d.position(at)
		}
		d.head = at + bytes
	}
	seconds = max(seconds, m.LeastSeconds)
	if t != nil {
		t.used += seconds
	}
	d.request.task, d.request.bytes, d.request.until = t, bytes, d.now+seconds
	return seconds
}

// position is how long the heads take, and then the platter.
func (d *Disk[T]) position(at float64) float64 {
	m := d.model
	far := math.Sqrt(math.Abs(at-d.head) / m.Size)
	return d.slowness*(m.SeekTrack+(m.SeekStroke-m.SeekTrack)*far) + m.Rotation*d.rng.Float64()
}

// next chooses whom to serve: the one whose slice it is, until it is over;
// then one who goes on where the heads are; then who has waited longest.
func (d *Disk[T]) next() *task[T] {
	if d.turn != nil && (d.turn.used < slice || len(d.line) == 0) {
		return d.turn
	}
	next := d.take(d.nearest())
	if d.turn != nil {
		d.line = append(d.line, d.turn)
	}
	return next
}

// nearest is the place in the line of one who goes on where the heads are, or
// of the first.
func (d *Disk[T]) nearest() int {
	for i := range min(lookAhead, len(d.line)) {
		if d.line[i].at == d.head {
			return i
		}
	}
	return 0
}

func (d *Disk[T]) take(i int) *task[T] {
	t := d.line[i]
	copy(d.line[i:], d.line[i+1:])
	d.line = d.line[:len(d.line)-1]
	t.used = 0
	return t
}

// end counts the request that is done.
func (d *Disk[T]) end() {
	t, bytes := d.request.task, d.request.bytes
	d.request.bytes = 0
	if t == nil {
		return
	}
	d.account(d.now)
	d.inFlight--
	d.counters.IOs++
	if t.write {
		d.counters.WriteBytes += bytes
		d.counters.WriteSeconds += d.now - t.issued
	} else {
		d.counters.ReadBytes += bytes
		d.counters.ReadSeconds += d.now - t.issued
	}
	t.at += bytes
	t.left -= bytes
	if t.left <= 0 {
		d.turn = nil
		d.finished(t.what)
		d.free = append(d.free, t)
	}
}
