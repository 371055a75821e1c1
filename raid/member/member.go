package member

import (
	"fmt"
	"io"
	"time"
)

// ChunkSize is the number of bytes of a stripe on one member (T16 §3.2), and the unit of every I/O.
// No common device has larger sectors.
const ChunkSize = 4096

// A Member is a drive of an array. Its methods are called concurrently. Every I/O is of whole
// chunks, with buffers aligned to pages.
type Member interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	fmt.Stringer // name of the member in messages

	// ReadVector reads consecutive bytes into several buffers, as one I/O.
	ReadVector(bufs [][]byte, off int64) error
	// Sync returns when all writes are durable.
	Sync() error
	// Zero makes a range read as zeros.
	Zero(off, n int64) error
	Size() int64
	// Direct reports whether I/O bypasses the page cache. If it does not, reads may come from
	// memory, and their latency shows little about the drive.
	Direct() bool
}

// A Slowdown returns the factor by which an I/O of a member that begins now takes longer. 1: no
// slowdown.
type Slowdown interface {
	Factor(member int, now time.Duration) float64
}

// A Slow member takes longer for reads and writes, by a factor: the delay layer of T16 §5. All else
// is unchanged.
type Slow struct {
	Member
	index    int
	slowdown Slowdown
	began    time.Time
}

// NewSlow slows down member number index. Time is counted from began, which all members of an array
// share.
func NewSlow(m Member, index int, s Slowdown, began time.Time) *Slow {
	return &Slow{m, index, s, began}
}

// ReadAt reads, and then sleeps for the rest of the time.
func (s *Slow) ReadAt(p []byte, off int64) (int, error) {
	defer s.wait()()
	return s.Member.ReadAt(p, off)
}

// ReadVector reads, and then sleeps for the rest of the time.
func (s *Slow) ReadVector(bufs [][]byte, off int64) error {
	defer s.wait()()
	return s.Member.ReadVector(bufs, off)
}

// WriteAt writes, and then sleeps for the rest of the time.
func (s *Slow) WriteAt(p []byte, off int64) (int, error) {
	defer s.wait()()
	return s.Member.WriteAt(p, off)
}

// wait draws a factor, and returns a function that sleeps. The caller calls it when the I/O is
// done.
func (s *Slow) wait() func() {
	start := time.Now() //nolint:forbidigo // latencies are real
	factor := s.slowdown.Factor(s.index, start.Sub(s.began))
	return func() {
		if factor > 1 {
			time.Sleep(time.Duration((factor - 1) * float64(time.Since(start))))
		}
	}
}
