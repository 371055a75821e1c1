package raid

import (
	"bytes"
	"errors"
)

// ErrReadOnly is returned by writes to an array that is open read-only.
var ErrReadOnly = errors.New("the array is open read-only")

// enterToWrite enters the gate for an operation that writes.
func (a *Array) enterToWrite() error {
	if a.options.ReadOnly {
		return ErrReadOnly
	}
	return a.gate.enter()
}

// overlay makes readers see the chunks that recover would write: the chunks of complete batches
// replace the chunks in place. Nothing is written.
func (a *Array) overlay(last state) error {
	if last.clean {
		return nil
	}
	whole, drop, err := a.wholeBatches(last.floor)
	defer drop()
	if err != nil {
		return err
	}
	r := a.roster.Load()
	next := r.with(r.state)
	for _, i := range r.readable().members() {
		over := map[int64][]byte{}
		for _, s := range whole {
			for n := range s.records[i].zero.count {
				over[a.geometry.offset(s.records[i].zero.from+n)] = zeroChunk[:]
			}
			for n := range s.records[i].chunks {
				over[a.geometry.offset(s.records[i].stripe(n))] = bytes.Clone(s.records[i].chunk(n))
			}
		}
		next.members[i] = &overlaid{r.members[i], over}
		for _, s := range whole {
			if a.geometry.Checksums {
				if err := r.tables[i].SetInMemory(s.records[i].sums()); err != nil {
					return err
				}
			}
		}
	}
	a.roster.Store(next)
	return nil
}

// An overlaid member has chunks, by offset, that replace the chunks on the drive. They are on the
// heap and not in the pool, because late answers may come after the array is closed.
type overlaid struct {
	Member
	over map[int64][]byte
}

// ReadAt reads from the drive, and then replaces the overlaid chunks.
func (o *overlaid) ReadAt(p []byte, off int64) (int, error) {
	n, err := o.Member.ReadAt(p, off)
	o.lay(p, off)
	return n, err
}

// ReadVector does the same for several buffers.
func (o *overlaid) ReadVector(bufs [][]byte, off int64) error {
	err := o.Member.ReadVector(bufs, off)
	for _, buf := range bufs {
		o.lay(buf, off)
		off += int64(len(buf))
	}
	return err
}

func (o *overlaid) lay(p []byte, off int64) {
	for at := 0; at < len(p); at += ChunkSize {
		copy(p[at:], o.over[off+int64(at)])
	}
}
