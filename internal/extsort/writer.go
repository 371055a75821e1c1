package extsort

import (
	"fmt"
	"math"
	"os"

	"github.com/klauspost/compress/s2"
)

// A Writer takes the records of one part of the input. Several goroutines may each use a writer of
// their own. In the order of the input, the records of the first writer come first, then the
// records of the second writer, and so on.
type Writer[R Records[R]] struct {
	sorter  *Sorter[R]
	held    []R // by range: records that are not written yet
	isHeld  []bool
	file    *os.File
	removed bool // the file has already been removed
	size    int64
	chunks  []chunk
	raw     []byte
	packed  []byte
}

// Add copies records into their ranges.
func (w *Writer[R]) Add(in R) error {
	for from := 0; from < in.Len(); {
		i := w.sorter.rangeOf(in.Key(from))
		begin, end := w.sorter.bounds[i], w.sorter.endOf(i)
		if i == 0 {
			begin = math.MinInt64
		}
		to := from + 1
		for to < in.Len() && in.Key(to) < end && in.Key(to) >= begin {
			to++
		}
		if !w.isHeld[i] {
			w.held[i], w.isHeld[i] = w.sorter.newRecords(), true
		}
		w.held[i].Add(in, from, to)
		if w.held[i].Len() >= w.sorter.options.ChunkRecords {
			if err := w.full(i); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}

// full compacts the records of a range. It writes them unless compacting has freed half of the
// room.
func (w *Writer[R]) full(rangeIndex int) error {
	compact(w.held[rangeIndex])
	if w.held[rangeIndex].Len() <= w.sorter.options.ChunkRecords/2 {
		return nil
	}
	return w.write(rangeIndex)
}

func compact[R any](records R) {
	if c, ok := any(records).(Compacter); ok {
		c.Compact()
	}
}

// Flush writes the records that are still in memory. Call it once, after the last Add.
func (w *Writer[R]) Flush() error {
	for i, isHeld := range w.isHeld {
		if !isHeld || w.held[i].Len() == 0 {
			continue
		}
		compact(w.held[i])
		if err := w.write(i); err != nil {
			return err
		}
	}
	w.held, w.isHeld = nil, nil
	return nil
}

// write writes the records of a range as a chunk.
func (w *Writer[R]) write(rangeIndex int) error {
	held := w.held[rangeIndex]
	w.raw = held.Encode(w.raw[:0])
	w.packed = s2.Encode(w.packed[:cap(w.packed)], w.raw)
	if _, err := w.file.Write(w.packed); err != nil {
		return fmt.Errorf("temporary file: %w; %s", err, w.sorter.options.NoSpace)
	}
	k := chunk{
		rangeIndex: rangeIndex, file: w.file, offset: w.size, size: int64(len(w.packed)),
		records: held.Len(), first: math.MaxInt64, last: math.MinInt64,
	}
	for i := range held.Len() {
		k.first, k.last = min(k.first, held.Key(i)), max(k.last, held.Key(i))
	}
	w.chunks = append(w.chunks, k)
	w.size += int64(len(w.packed))
	held.Reset()
	return nil
}
