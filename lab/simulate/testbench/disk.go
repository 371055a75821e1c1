// This file simulates a disk and the kernel's part of it: extents become requests, heads move, the
// platter turns, processes are served in turn, and another reader may use the disk without the
// kernel's counters. It keeps the counters that the kernel would keep.

package testbench

import (
	"math"
	"math/rand/v2"
)

// The kernel's part of a disk.
const (
	slice     = 0.5 // seconds for which the kernel serves one process while others wait (read_batch_expire)
	lookAhead = 8   // number of waiting tasks among which the elevator prefers one at the heads
)

// A task is a contiguous range of the disk that one thread of the server, or a hog, reads or
// writes. The kernel splits it into requests.
type task[T any] struct {
	what   T
	write  bool
	at     float64 // byte position on the disk
	left   float64
	piece  float64 // bytes of a request
	issued float64
	used   float64 // seconds used of its slice
}

// A Disk serves tasks in turn, each for a slice of time. After each of their requests, it may serve
// a request of another reader (disk_stranger.go).
type Disk[T any] struct {
	model    *Model
	rng      *rand.Rand
	speed    float64 // relative to the model
	slowness float64 // factor of the model's seek times
	finished func(T)

	line    []*task[T] // waiting tasks
	turn    *task[T]   // task whose slice it is
	free    []*task[T]
	now     float64 // time until which the disk is simulated
	head    float64 // position of the heads
	behind  stranger
	layout  layout
	request struct { // request in service
		task  *task[T] // nil: a request of the stranger
		bytes float64
		until float64
	}
	inFlight float64 // number of requests
	counters Counters
}

// NewDisk returns an idle disk of a model. It calls finished for each task that is done. Disks of a
// model differ a little in speed and in seek times.
func NewDisk[T any](m *Model, rng *rand.Rand, speed, slowness float64, finished func(T)) *Disk[T] {
	return &Disk[T]{model: m, rng: rng, speed: speed, slowness: slowness, finished: finished}
}

// Now returns the time until which the disk is simulated.
func (d *Disk[T]) Now() float64 { return d.now }

// Waiting returns the number of requests that wait or are in service.
func (d *Disk[T]) Waiting() float64 { return d.inFlight }

// Counters are the counters of /proc/diskstats.
type Counters struct {
	IOs                       uint64
	ReadBytes, WriteBytes     float64
	ReadSeconds, WriteSeconds float64
	BusySeconds, QueueSeconds float64
	accounted                 float64 // time until which seconds are counted
}

// Counters returns the counters of the kernel at this time.
func (d *Disk[T]) Counters() Counters {
	d.account(d.now)
	return d.counters
}

// account adds the seconds until now to the counters.
func (d *Disk[T]) account(now float64) {
	c := &d.counters
	if d.inFlight > 0 {
		c.BusySeconds += now - c.accounted
		c.QueueSeconds += d.inFlight * (now - c.accounted)
	}
	c.accounted = now
}

// Submit queues a task.
func (d *Disk[T]) Submit(what T, write bool, at, bytes float64) {
	d.SubmitPieces(what, write, at, bytes, d.model.RequestBytes)
}

// SubmitPieces queues a task with requests of piece bytes, up to the model's RequestBytes.
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

// Work simulates the disk until the given time.
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

// begin starts the next request, and reports false if there is none.
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

// serve starts a request and returns how long it takes.
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

// position returns the seek time plus the rotational delay.
func (d *Disk[T]) position(at float64) float64 {
	m := d.model
	far := math.Sqrt(math.Abs(at-d.head) / m.Size)
	return d.slowness*(m.SeekTrack+(m.SeekStroke-m.SeekTrack)*far) + m.Rotation*d.rng.Float64()
}

// next chooses the task to serve: the current task until its slice is over, then a task that
// continues at the heads, then the task that has waited longest.
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

// nearest returns the index in the line of a task that continues at the heads, or 0 if there is
// none.
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
