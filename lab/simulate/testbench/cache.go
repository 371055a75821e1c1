package testbench

import "math/rand/v2"

// A cache is a server's page cache: what is stored is answered at once and
// goes to the disk later, in bursts. So the disk's queue is empty in one second
// and seconds long in the next, and await with it.
type cache struct {
	server   *server
	rng      *rand.Rand
	scale    float64 // bytes of a burst, about: kernels that have run for a while differ
	dirty    float64 // bytes that no one has written yet
	pieces   float64 // that they lie in
	flying   float64 // and those that the disk has been given
	flushAt  float64 // when the flusher comes by
	at       float64 // on the disk
	waiting  []*op   // writers that have to wait for the disk
	syncing  []*op   // who wait until all is on the disk
	flushing bool
	pressed  bool // the last burst was not the end of it
	op       op   // of a burst
}

// What kernels hold back, for disks of 3 MB/s.
const (
	burstBytes   = 3.5e6 // that the flusher writes at a time while it is pressed, about
	firstBurst   = 3     // times as much after a pause
	startBytes   = 5e6   // of dirty data, from which on it writes
	mostBytes    = 16e6  // beyond them writers wait
	largeBytes   = 32e3  // of a write to a large file, at least
	leastPiece   = 16e3  // of a request: pages of small files and their journal lie together
	flushSeconds = 2.5   // after which it writes whatever there is, about
)

func newCache(s *server, rng *rand.Rand) *cache {
	return &cache{server: s, rng: rng, scale: burstBytes * (0.5 + rng.Float64())}
}

// store takes what a client writes.
func (c *cache) store(o *op) {
	if c.dirty+c.flying > mostBytes {
		c.waiting = append(c.waiting, o)
		return
	}
	c.dirty += o.bytes
	c.pieces += c.piecesOf(o.bytes)
	c.server.answer(o)
}

// piecesOf is in how many requests a write ends: a block of a large file goes on
// where the last one ended, a small file lies by itself.
func (c *cache) piecesOf(bytes float64) float64 {
	if bytes >= largeBytes {
		return bytes / c.server.sim.model.RequestBytes
	}
	return 1
}

// sync answers when all that is dirty now is on the disk.
func (c *cache) sync(o *op) {
	if c.dirty+c.flying == 0 {
		c.server.answer(o)
		return
	}
	c.syncing = append(c.syncing, o)
}

// work starts the flusher when it is time.
func (c *cache) work(now float64) {
	if c.flying > 0 || c.dirty == 0 {
		return
	}
	if c.flushing = c.flushing || c.dirty >= startBytes || len(c.syncing) > 0 || now >= c.flushAt; c.flushing {
		c.flush(now)
	}
}

func (c *cache) flush(now float64) {
	piece := max(leastPiece, c.dirty/c.pieces)
	burst := c.scale * (0.2 + 1.6*c.rng.Float64())
	if !c.pressed {
		burst *= firstBurst
	}
	c.pressed = true
	c.flying = min(c.dirty, max(burst, piece))
	c.dirty -= c.flying
	c.pieces = c.dirty / piece
	c.server.disk.SubmitPieces(&c.op, true, c.at, c.flying, piece)
	c.at += c.flying
	c.flushAt = now + flushSeconds*(0.5+c.rng.Float64())
}

// finished ends a burst that is on the disk. The flusher goes on until little is left.
func (c *cache) finished() {
	c.flying = 0
	c.flushing = c.dirty > startBytes/4
	c.pressed = c.flushing
	waiting := c.waiting
	c.waiting = nil
	for _, o := range waiting {
		c.store(o)
	}
	if c.dirty == 0 || !c.flushing && len(c.syncing) > 0 {
		for _, o := range c.syncing {
			c.server.answer(o)
		}
		c.syncing = c.syncing[:0]
	}
}
