package testbench

import (
	"math"
	"math/rand/v2"
)

// A Seagate Barracuda 7200.10 (F10 §8), and the kernel's part of it.
const (
	diskBytes   = 72e6 // a second, of sequential transfer
	diskSize    = 320e9
	rotation    = 60. / 7200
	seekTrack   = 0.8e-3 // seconds, to the next track
	seekStroke  = 17e-3  // and across the whole disk; the mean is 8.5 ms
	kernelBytes = 512e3  // of a request: max_sectors_kb
	cachedBytes = 64e3   // writes up to this go to the drive's own cache
	cachedTime  = 1.2e-3 // seconds that such a write takes on average
	slice       = 0.5    // seconds that the kernel serves one process for while others wait (read_batch_expire)
	lookAhead   = 8      // processes in the line whom the elevator prefers where the heads are
)

// A task is what one thread of the server, or a hog, asks of the disk: one
// stretch, in as many requests as the kernel makes of it.
type task struct {
	op     *op
	write  bool
	at     float64 // bytes from the disk's begin
	left   float64
	issued float64
	used   float64 // of its slice
}

// A disk serves tasks in turn, each for a slice of time, and whoever reads
// behind the server's back after each of its requests.
type disk struct {
	rng      *rand.Rand
	speed    float64 // against diskBytes
	slowness float64 // of seeks, against the data sheet
	finished func(*op)

	line    []*task // in which they wait
	turn    *task   // whose slice it is
	free    []*task
	now     float64 // until when it has worked
	head    float64 // where the heads are
	behind  stranger
	layout  layout
	request struct { // under way
		task  *task // nil for the stranger's
		bytes float64
		until float64
	}
	inFlight float64 // requests
	counters
}

// counters are those of /proc/diskstats.
type counters struct {
	ios                       uint64
	readBytes, writeBytes     float64
	readSeconds, writeSeconds float64
	busySeconds, queueSeconds float64
	accounted                 float64 // until when
}

// account brings the times up to now.
func (d *disk) account(now float64) {
	if d.inFlight > 0 {
		d.busySeconds += now - d.accounted
		d.queueSeconds += d.inFlight * (now - d.accounted)
	}
	d.accounted = now
}

// submit queues a stretch.
func (d *disk) submit(o *op, write bool, at, bytes float64) {
	d.account(d.now)
	t := &task{}
	if n := len(d.free); n > 0 {
		t, d.free = d.free[n-1], d.free[:n-1]
	}
	*t = task{op: o, write: write, at: at, left: bytes, issued: d.now}
	d.line = append(d.line, t)
	d.inFlight += math.Ceil(bytes / kernelBytes)
}

// work serves until the given time.
func (d *disk) work(until float64) {
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
func (d *disk) begin() bool {
	idle := d.turn == nil && len(d.line) == 0
	if at, ok := d.behind.wants(d.now, idle); ok {
		seconds := d.serve(nil, at, strangeBytes, false)
		d.behind.served(d.now+seconds, seconds)
		return true
	}
	if idle {
		return false
	}
	d.turn = d.next()
	d.behind.passed()
	d.serve(d.turn, d.turn.at, min(d.turn.left, kernelBytes), d.turn.write)
	return true
}

// serve puts a request under way and returns how long it takes.
func (d *disk) serve(t *task, at, bytes float64, write bool) float64 {
	seconds := bytes / (diskBytes * d.speed * d.layout.at(d.rng, d.now))
	if write && bytes <= cachedBytes {
		seconds += cachedTime * d.rng.ExpFloat64()
	} else {
		if at != d.head {
			seconds += d.position(at)
		}
		d.head = at + bytes
	}
	if t != nil {
		t.used += seconds
	}
	d.request.task, d.request.bytes, d.request.until = t, bytes, d.now+seconds
	return seconds
}

// position is how long the heads take, and then the platter.
func (d *disk) position(at float64) float64 {
	far := math.Sqrt(math.Abs(at-d.head) / diskSize)
	return d.slowness*(seekTrack+(seekStroke-seekTrack)*far) + rotation*d.rng.Float64()
}

// next chooses whom to serve: the one whose slice it is, until it is over;
// then one who goes on where the heads are; then who has waited longest.
func (d *disk) next() *task {
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
func (d *disk) nearest() int {
	for i := range min(lookAhead, len(d.line)) {
		if d.line[i].at == d.head {
			return i
		}
	}
	return 0
}

func (d *disk) take(i int) *task {
	t := d.line[i]
	copy(d.line[i:], d.line[i+1:])
	d.line = d.line[:len(d.line)-1]
	t.used = 0
	return t
}

// end counts the request that is done.
func (d *disk) end() {
	t, bytes := d.request.task, d.request.bytes
	d.request.bytes = 0
	if t == nil {
		return
	}
	d.account(d.now)
	d.inFlight--
	d.ios++
	if t.write {
		d.writeBytes += bytes
		d.writeSeconds += d.now - t.issued
	} else {
		d.readBytes += bytes
		d.readSeconds += d.now - t.issued
	}
	t.at += bytes
	t.left -= bytes
	if t.left <= 0 {
		d.turn = nil
		d.finished(t.op)
		d.free = append(d.free, t)
	}
}

// strangeBytes is what sgm_dd asks for at a time (F10 §9).
const strangeBytes = 1e6

// A stranger reads from the disk where the server's kernel does not see it.
// His requests go to the head of the queue, but he asks for the next only when
// he has the last: so one of his is served after each of the server's.
type stranger struct {
	strength float64 // requests for each of the server's; 0: he is not there
	owed     float64
	at       float64
	rests    float64 // until then
}

// wants reports whether it is his turn, and where he reads.
func (s *stranger) wants(now float64, idle bool) (at float64, ok bool) {
	return s.at, s.strength > 0 && (s.owed >= 1 || idle && now >= s.rests)
}

// passed notes that a request of the server's is under way.
func (s *stranger) passed() { s.owed = min(s.owed+s.strength, max(1, s.strength)) }

func (s *stranger) served(now, seconds float64) {
	s.owed = max(0, s.owed-1)
	s.at += strangeBytes
	s.rests = now + seconds*max(0, 1/s.strength-1)
}

// A layout is how well allocators have placed what is read and written now:
// some stretches lie in more pieces than others, some further inside.
type layout struct {
	until, factor float64
}

const (
	layoutSpread = 0.25
	layoutLength = 2.0 // seconds that a stretch lasts, on average
)

func (l *layout) at(rng *rand.Rand, now float64) float64 {
	if now >= l.until {
		l.until = now + layoutLength*rng.ExpFloat64()
		l.factor = near(rng, layoutSpread)
	}
	return l.factor
}
