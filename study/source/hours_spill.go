// This file makes drive hours of records: it puts them into the order of
// time where they are not, folds those that are finer than hours, and puts
// those of a group together. It works on columns and opens no files but its
// own temporary ones.
//
// In the stream it stands between source, which reads the records, and the
// study.

package source

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/s2"
)

// A spill sorts records that are not in the order of time: they go to
// temporary files in chunks, each of one range of time, its cell; then a cell
// is read back as a whole and sorted in memory. Cells are cut so that each
// fits. One that does not fit after all, as an hour of a large fleet, is cut
// into shorter ones by a spill of its own.
//
// A file is removed as soon as it is open, where the system lets one: then
// nothing stays behind, however the program ends.
type spill struct {
	spillOptions
	bounds  []int64 // the first moment of every cell
	writers []*writer

	mu       sync.Mutex
	children []*spill // of cells that did not fit
}

// spillOptions say what is sorted, and in how much memory.
type spillOptions struct {
	Dir        string // of temporary files
	Directions int
	Finer      bool // records have times within the hour
	MaxRows    int  // of a cell that is held in memory
}

// A writer takes the records of a part of the input. Writers may work side by
// side; the first has the first part, and so on.
type writer struct {
	spill  *spill
	open   []*records // by cell: not yet written
	file   *os.File
	size   int64
	gone   bool // the file is removed
	chunks []chunk
	raw    []byte
	packed []byte
}

// A chunk is where some records of a cell are.
type chunk struct {
	cell         int
	file         *os.File
	offset, size int64
	rows         int
	first, last  int64 // moments
}

// microsPerHour is how many moments an hour has.
const microsPerHour = int64(time.Hour / time.Microsecond)

// moment is the time of a record, in microseconds since the epoch.
func (r *records) moment(i int) int64 {
	m := int64(r.Hour[i]) * microsPerHour
	if len(r.Micro) > 0 {
		m += int64(r.Micro[i])
	}
	return m
}

// chunkRows of a cell are held by every writer before they are written: enough
// to make writing cheap, few enough to have many cells.
const chunkRows = 4096

// bytesOf is what a record takes in memory while it is sorted.
func bytesOf(directions int) int64 { return 20 + 12*int64(directions) }

// cut cuts hours, of which it knows the rows, into ranges of at most so many,
// if no hour has more, and returns where each begins.
func cut(rows map[int32]int64, most int64) []int32 {
	var bounds []int32
	n := int64(0)
	for _, h := range slices.Sorted(maps.Keys(rows)) {
		if len(bounds) == 0 || n+rows[h] > most {
			bounds = append(bounds, h)
			n = 0
		}
		n += rows[h]
	}
	return bounds
}

// split cuts hours, of which it knows the rows, into at most n ranges of about
// as many each, and returns where each begins.
func split(rows map[int32]int64, n int) []int32 {
	var total, done int64
	for _, r := range rows {
		total += r
	}
	var bounds []int32
	for _, h := range slices.Sorted(maps.Keys(rows)) {
		if done*int64(n) >= total*int64(len(bounds)) {
			bounds = append(bounds, h)
		}
		done += rows[h]
	}
	return bounds
}

// mostCells bounds the cells of a spill, of each of which a writer holds some
// rows: a cell that is too large for it is cut again.
const mostCells = 256

// newHourSorter opens temporary files for so many writers. Hours are those that
// have records, with how many: the first cells are cut by them.
func newHourSorter(o spillOptions, hours map[int32]int64, writers int) (*spill, error) {
	var total int64
	for _, rows := range hours {
		total += rows
	}
	var bounds []int64
	for _, hour := range cut(hours, max(int64(o.MaxRows), total/mostCells)) {
		bounds = append(bounds, int64(hour)*microsPerHour)
	}
	return newSpill(o, bounds, writers)
}

func newSpill(o spillOptions, bounds []int64, writers int) (*spill, error) {
	s := &spill{spillOptions: o, bounds: bounds}
	for range writers {
		f, err := os.CreateTemp(o.Dir, "limpet-study-*")
		if err != nil {
			return nil, errors.Join(fmt.Errorf("sorting records takes temporary files: %w; name another directory for them", err), s.Close())
		}
		w := &writer{spill: s, open: make([]*records, len(bounds)), file: f, gone: os.Remove(f.Name()) == nil}
		s.writers = append(s.writers, w)
	}
	return s, nil
}

// Writer is the i-th.
func (s *spill) Writer(i int) *writer { return s.writers[i] }

// Close removes the files.
func (s *spill) Close() error {
	var errs []error
	for _, w := range s.writers {
		errs = append(errs, w.file.Close())
		if !w.gone {
			errs = append(errs, os.Remove(w.file.Name()))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, child := range s.children {
		errs = append(errs, child.Close())
	}
	s.writers, s.children = nil, nil
	return errors.Join(errs...)
}

// cellOf is the cell of a moment, whether or not its hour was counted.
func (s *spill) cellOf(moment int64) int {
	i, ok := slices.BinarySearch(s.bounds, moment)
	if !ok {
		i--
	}
	return max(0, i)
}

// Add puts records into their cells, run by run.
func (w *writer) Add(in *records) error {
	for from := 0; from < in.Len(); {
		cell := w.spill.cellOf(in.moment(from))
		end := int64(math.MaxInt64)
		if cell+1 < len(w.spill.bounds) {
			end = w.spill.bounds[cell+1]
		}
		to := from + 1
		for to < in.Len() && in.moment(to) < end && (cell == 0 || in.moment(to) >= w.spill.bounds[cell]) {
			to++
		}
		if w.open[cell] == nil {
			w.open[cell] = newRecords(w.spill.Directions)
		}
		w.open[cell].Add(in, from, to)
		if w.open[cell].Len() >= chunkRows {
			if err := w.write(cell); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}

// Flush writes what is held, after the last records.
func (w *writer) Flush() error {
	for cell, r := range w.open {
		if r == nil || r.Len() == 0 {
			continue
		}
		if err := w.write(cell); err != nil {
			return err
		}
	}
	w.open = nil
	return nil
}

// write writes what is held of a cell.
func (w *writer) write(cell int) error {
	r := w.open[cell]
	w.raw = r.appendTo(w.raw[:0])
	w.packed = s2.Encode(w.packed[:cap(w.packed)], w.raw)
	if _, err := w.file.Write(w.packed); err != nil {
		return fmt.Errorf("temporary file: %w; make room, or name another directory", err)
	}
	c := chunk{cell: cell, file: w.file, offset: w.size, size: int64(len(w.packed)), rows: r.Len(), first: math.MaxInt64, last: math.MinInt64}
	for i := range r.Len() {
		c.first, c.last = min(c.first, r.moment(i)), max(c.last, r.moment(i))
	}
	w.chunks = append(w.chunks, c)
	w.size += int64(len(w.packed))
	r.Reset()
	return nil
}

// appendTo appends all columns, one after the other.
func (r *records) appendTo(raw []byte) []byte {
	raw = appendColumn(raw, r.Hour)
	raw = appendColumn(raw, r.Micro)
	raw = appendColumn(raw, r.Group)
	raw = appendColumn(raw, r.Drive)
	for i := range r.Measure {
		m := &r.Measure[i]
		raw = appendColumn(appendColumn(appendColumn(raw, m.IOs), m.Latency), m.Size)
	}
	return raw
}

func appendColumn[T any](raw []byte, column []T) []byte {
	raw, err := binary.Append(raw, binary.LittleEndian, column)
	if err != nil {
		panic(err) // columns are of numbers
	}
	return raw
}
