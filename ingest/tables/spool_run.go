package tables

import (
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/s2"
)

// A run is sorted samples, in blocks one after the other, each compressed and
// behind its length.
type run struct{ from, to int64 }

const (
	blockBytes  = 32 << 10 // before they are compressed: memory of a run that is merged
	sampleBytes = 20       // without values
	valueBytes  = 8
	lengthBytes = 4
)

// A writer writes a run.
type writer struct {
	spool  *stepSorter
	run    run
	raw    []byte
	packed []byte
}

func (w *writer) add(s *sample) error {
	w.raw = binary.LittleEndian.AppendUint64(w.raw, uint64(s.Step))
	w.raw = binary.LittleEndian.AppendUint64(w.raw, uint64(s.Time))
	w.raw = binary.LittleEndian.AppendUint32(w.raw, uint32(s.Who))
	for _, v := range s.Values {
		w.raw = binary.LittleEndian.AppendUint64(w.raw, math.Float64bits(v))
	}
	if len(w.raw) < blockBytes {
		return nil
	}
	return w.flush()
}

func (w *writer) flush() error {
	if len(w.raw) == 0 {
		return nil
	}
	w.packed = s2.Encode(w.packed[:cap(w.packed)], w.raw)
	block := append(binary.LittleEndian.AppendUint32(nil, uint32(len(w.packed))), w.packed...)
	if _, err := w.spool.file.Write(block); err != nil {
		return fmt.Errorf("temporary file: %w; make room, or set TMPDIR to another directory", err)
	}
	w.spool.size += int64(len(block))
	w.raw = w.raw[:0]
	return nil
}

func (w *writer) end() error {
	err := w.flush()
	w.run.to = w.spool.size
	w.spool.runs = append(w.spool.runs, w.run)
	return err
}

// A spoolReader reads a run back.
type spoolReader struct {
	spool  *stepSorter
	run    run // what is left
	at     int // its place among the runs
	packed []byte
	raw    []byte
	left   []byte
	sample sample
}

// next makes the next sample the reader's.
func (r *spoolReader) next() error {
	if len(r.left) == 0 {
		if err := r.block(); err != nil {
			return err
		}
	}
	b := r.left
	r.sample.Step, r.sample.Time = int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
	r.sample.Who = int32(binary.LittleEndian.Uint32(b[16:]))
	b = b[sampleBytes:]
	for m := range r.sample.Values {
		r.sample.Values[m] = math.Float64frombits(binary.LittleEndian.Uint64(b[valueBytes*m:]))
	}
	r.left = b[valueBytes*len(r.sample.Values):]
	return nil
}

func (r *spoolReader) block() error {
	if r.run.from == r.run.to {
		return io.EOF
	}
	var length [lengthBytes]byte
	if _, err := r.spool.file.ReadAt(length[:], r.run.from); err != nil {
		return fmt.Errorf("temporary file: %w", err)
	}
	n := int64(binary.LittleEndian.Uint32(length[:]))
	if n > r.run.to-r.run.from-lengthBytes {
		return errors.New("temporary file: it was changed by another program")
	}
	r.packed = append(r.packed[:0], make([]byte, n)...)
	_, err := r.spool.file.ReadAt(r.packed, r.run.from+lengthBytes)
	if err == nil {
		r.raw, err = s2.Decode(r.raw[:cap(r.raw)], r.packed)
	}
	if err != nil {
		return fmt.Errorf("temporary file: %w", err)
	}
	r.run.from, r.left = r.run.from+lengthBytes+n, r.raw
	return nil
}

// A merge gives out the samples of all runs in order, and those that compare
// equal in the order of the file.
type merge struct {
	spool   *stepSorter
	readers []*spoolReader // a heap
	begun   bool
	out     sample
}

func newMerge(s *stepSorter) *merge {
	m := &merge{spool: s}
	for i, r := range s.runs {
		m.readers = append(m.readers, &spoolReader{spool: s, run: r, at: i, sample: sample{Values: make([]float64, s.metrics)}})
	}
	return m
}

func (m *merge) Len() int      { return len(m.readers) }
func (m *merge) Swap(i, k int) { m.readers[i], m.readers[k] = m.readers[k], m.readers[i] }
func (m *merge) Push(any)      {}

func (m *merge) Pop() any {
	m.readers = m.readers[:len(m.readers)-1]
	return nil
}

// Less orders by sample, then by place in the file.
func (m *merge) Less(i, k int) bool {
	a, b := m.readers[i], m.readers[k]
	if c := a.sample.compare(&b.sample); c != 0 {
		return c < 0
	}
	return a.at < b.at
}

// next gives out a sample, with later ones of the same component and time
// folded into it.
func (m *merge) next(out *sample) error {
	if !m.begun {
		if err := m.begin(); err != nil {
			return err
		}
	}
	if len(m.readers) == 0 {
		return io.EOF
	}
	values := m.out.Values[:0]
	m.out = m.readers[0].sample
	values = append(values, m.readers[0].sample.Values...)
	m.out.Values = values
	if err := m.pass(); err != nil {
		return err
	}
	for len(m.readers) > 0 && m.out.compare(&m.readers[0].sample) == 0 {
		m.spool.fold(m.out.Values, &m.readers[0].sample)
		if err := m.pass(); err != nil {
			return err
		}
	}
	*out = m.out
	return nil
}

func (m *merge) begin() error {
	m.begun = true
	for _, r := range m.readers {
		if err := r.next(); err != nil { // no run is empty
			return err
		}
	}
	heap.Init(m)
	return nil
}

// pass goes on in the run whose sample was taken.
func (m *merge) pass() error {
	switch err := m.readers[0].next(); err {
	case nil:
		heap.Fix(m, 0)
		return nil
	case io.EOF:
		last := len(m.readers) - 1
		m.Swap(0, last)
		m.Pop()
		if last > 0 {
			heap.Fix(m, 0)
		}
		return nil
	default:
		return err
	}
}
