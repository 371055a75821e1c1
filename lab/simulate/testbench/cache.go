package testbench

import "math/rand/v2"

// A cache is the page cache of a server. Stored data are answered at once and go to the disk later,
// in bursts. So the queue of the disk is empty in one second and seconds long in the next, and
// await varies in the same way.
type cache struct {
	server   *server
	rng      *rand.Rand
	scale    float64 // approximate bytes of a burst; differs between servers
	dirty    float64 // bytes that are not given to the disk yet
	pieces   float64 // number of requests for the dirty bytes
	flying   float64 // bytes that the disk has and has not written yet
	flushAt  float64 // time of the next flush
	at       float64 // position on the disk
	waiting  []*op   // writes that wait for the disk
	syncing  []*op   // operations that wait until all is on the disk
	flushing bool
	pressed  bool // data were left after the last burst
	op       op   // operation of a burst
}

// The limits of the page cache, for disks of 3 MB/s.
const (
	burstBytes   = 3.5e6 // approximate bytes of a burst of the flusher while data are left
	firstBurst   = 3     // factor of the first burst after a pause
	startBytes   = 5e6   // dirty bytes from which on the flusher writes
	mostBytes    = 16e6  // dirty bytes from which on writers wait
	largeBytes   = 32e3  // least bytes of a write to a large file
	leastPiece   = 16e3  // least bytes of a request: pages of small files and their journal are adjacent
	flushSeconds = 2.5   // mean time until the flusher writes all dirty data
)

func newCache(s *server, rng *rand.Rand) *cache {
	return &cache{server: s, rng: rng, scale: burstBytes * (0.5 + rng.Float64())}
}

// store takes the data of a client's write.
func (c *cache) store(o *op) {
	if c.dirty+c.flying > mostBytes {
		c.waiting = append(c.waiting, o)
		return
	}
	c.dirty += o.bytes
	c.pieces += c.piecesOf(o.bytes)
	c.server.answer(o)
}

// piecesOf returns the number of requests to the disk for a write. A block of a large file follows
// the block before it; a small file needs a request of its own.
func (c *cache) piecesOf(bytes float64) float64 {
	if bytes >= largeBytes {
		return bytes / c.server.sim.model.RequestBytes
	}
	return 1
}

// sync answers an operation when all data that are dirty now are on the disk.
func (c *cache) sync(o *op) {
	if c.dirty+c.flying == 0 {
		c.server.answer(o)
		return
	}
	c.syncing = append(c.syncing, o)
}

// work starts the flusher when it is due.
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

// finished ends a burst that is on the disk. The flusher continues until few data are left.
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
