package member

import (
	"fmt"
	"io"
	"time"
)

// ChunkSize is what one member holds of a stripe (T16 §3.2), and the unit of
// every I/O: no device in the field has larger sectors.
const ChunkSize = 4096

// A Member is a drive of an array. Its methods are called concurrently; I/O is
// of whole chunks, from buffers aligned to pages.
type Member interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	fmt.Stringer // by which messages name it

	// ReadVector reads a row of bytes into several buffers, as one I/O.
	ReadVector(bufs [][]byte, off int64) error
	// Sync returns when what was written is durable.
	Sync() error
	// Zero makes a range read as zeros.
	Zero(off, n int64) error
	Size() int64
	// Direct is whether I/O goes past the page cache. Where it does not, reads
	// may be as fast as memory, and say little about the drive.
	Direct() bool
}

// A Slowdown says how many times longer than it would a member takes for an
// I/O that begins now. 1 is no slowdown.
type Slowdown interface {
	Factor(member int, now time.Duration) float64
}

// A Slow member takes longer, by a factor, for reads and for writes: the delay
// layer of T16 §5. Nothing else about it differs.
type Slow struct {
	Member
	index    int
	slowdown Slowdown
	began    time.Time
}

// NewSlow slows member number index. Time is counted from began, which the
// members of an array share.
func NewSlow(m Member, index int, s Slowdown, began time.Time) *Slow {
	return &Slow{m, index, s, began}
}

// ReadAt reads, and then waits for the rest of the time.
func (s *Slow) ReadAt(p []byte, off int64) (int, error) {
	defer s.wait()()
	return s.Member.ReadAt(p, off)
}

// ReadVector reads, and then waits for the rest of the time.
func (s *Slow) ReadVector(bufs [][]byte, off int64) error {
	defer s.wait()()
	return s.Member.ReadVector(bufs, off)
}

// WriteAt writes, and then waits for the rest of the time.
func (s *Slow) WriteAt(p []byte, off int64) (int, error) {
	defer s.wait()()
	return s.Member.WriteAt(p, off)
}

// wait draws a factor; what it returns, called when the I/O is done, sleeps.
func (s *Slow) wait() func() {
	start := time.Now() //nolint:forbidigo // latencies are real
	factor := s.slowdown.Factor(s.index, start.Sub(s.began))
	return func() {
		if factor > 1 {
			time.Sleep(time.Duration((factor - 1) * float64(time.Since(start))))
		}
	}
}
