package raid

import (
	"bytes"
	"errors"
)

// ErrReadOnly is of what would write to an array that was opened to be read.
var ErrReadOnly = errors.New("the array is open read-only")

// enterToWrite lets those in that write.
func (a *Array) enterToWrite() error {
	if a.options.ReadOnly {
		return ErrReadOnly
	}
	return a.gate.enter()
}

// overlay has readers see what recover would write: the chunks of batches that
// are whole lie over those in place. Nothing is written.
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
				if err := r.tables[i].Lay(s.records[i].sums()); err != nil {
					return err
				}
			}
		}
	}
	a.roster.Store(next)
	return nil
}

// An overlaid member has chunks that it does not hold yet, by their offsets.
// They are the heap's, as late answers may come after the array is closed.
type overlaid struct {
	Member
	over map[int64][]byte
}

// ReadAt reads, and lays the chunks over it.
func (o *overlaid) ReadAt(p []byte, off int64) (int, error) {
	n, err := o.Member.ReadAt(p, off)
	o.lay(p, off)
	return n, err
}

// ReadVector does the same.
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
