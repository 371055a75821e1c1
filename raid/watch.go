package raid

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

// Errors counts the failures of a member since the array was opened, or since the member was added.
// After one failed write or sync, the member is lost.
type Errors struct {
	Reads, Writes, Syncs uint64
	Rot                  uint64 // chunks that were read and differ from the bytes that were written
	Mended               uint64 // chunks that were computed from other members and written again
}

// oneAtATime returns a function that calls report, never twice at the same time.
func oneAtATime(report func(error)) func(error) {
	if report == nil {
		return nil
	}
	var mu sync.Mutex
	return func(err error) {
		mu.Lock()
		defer mu.Unlock()
		report(err)
	}
}

// failures counts the errors of a member while it is in the array.
type failures struct {
	place                int
	name                 string
	reads, writes, syncs atomic.Uint64
	rot, mended          atomic.Uint64
	last                 atomic.Pointer[error]
	report               func(error) // nil: errors are not reported
}

func (f *failures) count() Errors {
	return Errors{f.reads.Load(), f.writes.Load(), f.syncs.Load(), f.rot.Load(), f.mended.Load()}
}

// lastError returns the last error; nil: none.
func (f *failures) lastError() error {
	if err := f.last.Load(); err != nil {
		return *err
	}
	return nil
}

// note counts an error. Errors of late I/O on a closed member do not count.
func (f *failures) note(n *atomic.Uint64, err error) error {
	if err == nil || errors.Is(err, os.ErrClosed) {
		return err
	}
	f.last.Store(&err)
	if n.Add(1) == 1 && n == &f.reads {
		f.tell(fmt.Errorf("a read failed: %w", err), "limpet computed the data from the other members: run limpet raid scrub --repair. If reads of this member fail again, replace the member")
	}
	return err
}

// noteRot counts damaged chunks.
func (f *failures) noteRot(err *rotError) {
	n := uint64(len(err.stripes))
	if f.rot.Add(n) == n {
		f.tell(fmt.Errorf("the data of this member are damaged: %w", err), "limpet computed the data from the other members: run limpet raid scrub --repair. If data of this member are damaged again, replace the member")
	}
}

func (f *failures) tell(err error, hint string) {
	if f.report != nil {
		f.report(&MemberError{f.place, f.name, err, hint})
	}
}

// A watched member counts its errors.
type watched struct {
	Member
	failures *failures
}

// ReadAt reads, and counts an error.
func (w *watched) ReadAt(p []byte, off int64) (int, error) {
	n, err := w.Member.ReadAt(p, off)
	return n, w.failures.note(&w.failures.reads, err)
}

// ReadVector reads, and counts an error.
func (w *watched) ReadVector(bufs [][]byte, off int64) error {
	return w.failures.note(&w.failures.reads, w.Member.ReadVector(bufs, off))
}

// WriteAt writes, and counts an error.
func (w *watched) WriteAt(p []byte, off int64) (int, error) {
	n, err := w.Member.WriteAt(p, off)
	return n, w.failures.note(&w.failures.writes, err)
}

// Sync syncs, and counts an error.
func (w *watched) Sync() error { return w.failures.note(&w.failures.syncs, w.Member.Sync()) }
