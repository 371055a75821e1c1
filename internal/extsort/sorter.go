package extsort

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
)

// Records is a batch of records in memory. R is the type that implements the interface.
type Records[R any] interface {
	// Len returns the number of records.
	Len() int
	// Key returns the key of the i-th record.
	Key(i int) int64
	// Reset removes all records and keeps their memory.
	Reset()
	// Grow makes room for n more records.
	Grow(n int)
	// Add appends the records of other from index from up to, but without, index to.
	Add(other R, from, to int)
	// Encode appends all records to raw.
	Encode(raw []byte) []byte
	// Decode appends the n records that Encode wrote into raw.
	Decode(raw []byte, n int)
}

// A Compacter is a type of [Records] that can merge several records into one. A writer compacts a
// chunk before it writes the chunk. Compact must not change the order of records that differ for
// the caller.
type Compacter interface{ Compact() }

// Options are the limits and the texts of a sorter.
type Options struct {
	// Dir is the directory of temporary files; empty: the directory of the
	// system.
	Dir string
	// FilePattern names the temporary files, as in [os.CreateTemp].
	FilePattern string
	// MaxRecords is the largest number of records that a reader holds.
	MaxRecords int
	// ChunkRecords is the number of records of one range that a writer
	// collects before it writes them.
	ChunkRecords int
	// MaxRanges is the largest number of ranges into which a range with too
	// many records is split: a writer holds up to ChunkRecords for each.
	MaxRanges int
	// Purpose begins the error of a temporary file that cannot be created:
	// "sorting records takes temporary files".
	Purpose string
	// NoFile is the advice at the end of that error. NoSpace is the advice
	// at the end of the error of a write.
	NoFile, NoSpace string
}

// A Sorter owns temporary files and the ranges in them.
type Sorter[R Records[R]] struct {
	options    Options
	newRecords func() R
	bounds     []int64 // first key of each range
	writers    []*Writer[R]

	mu       sync.Mutex
	children []*Sorter[R] // sorters of ranges that were larger than MaxRecords
}

// A chunk is the place of some records of a range in a temporary file.
type chunk struct {
	rangeIndex   int
	file         *os.File
	offset, size int64
	records      int
	first, last  int64 // the least and the greatest key
}

// New returns a sorter with writers writers, and creates a temporary file for each. Bounds are the
// first keys of the ranges, ascending; the first range also takes smaller keys.
func New[R Records[R]](o Options, newRecords func() R, bounds []int64, writers int) (*Sorter[R], error) {
	s := &Sorter[R]{options: o, newRecords: newRecords, bounds: bounds}
	for range writers {
		f, err := os.CreateTemp(o.Dir, o.FilePattern)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w; %s", o.Purpose, err, o.NoFile), s.Close())
		}
		w := &Writer[R]{sorter: s, held: make([]R, len(bounds)), isHeld: make([]bool, len(bounds)), file: f, removed: os.Remove(f.Name()) == nil}
		s.writers = append(s.writers, w)
	}
	return s, nil
}

// EvenBounds splits the keys from first to last into n ranges of the same length, and returns the
// first key of each range. If there are fewer than n keys, it returns fewer ranges.
func EvenBounds(first, last int64, n int) []int64 {
	var bounds []int64
	span, count := last-first+1, int64(n)
	for i := range count {
		bounds = append(bounds, first+span/count*i+min(i, span%count))
	}
	return slices.Compact(bounds)
}

// Writer returns the i-th writer.
func (s *Sorter[R]) Writer(i int) *Writer[R] { return s.writers[i] }

// Bytes returns the size of the temporary files of the writers.
func (s *Sorter[R]) Bytes() (size int64) {
	for _, w := range s.writers {
		size += w.size
	}
	return size
}

// Close closes and removes all temporary files. It may be called more than
// once.
func (s *Sorter[R]) Close() error {
	var errs []error
	for _, w := range s.writers {
		errs = append(errs, w.file.Close())
		if !w.removed {
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

// rangeOf returns the index of the range that a key belongs to.
func (s *Sorter[R]) rangeOf(key int64) int {
	i, ok := slices.BinarySearch(s.bounds, key)
	if !ok {
		i--
	}
	return max(0, i)
}

// endOf returns the first key after a range.
func (s *Sorter[R]) endOf(rangeIndex int) int64 {
	if rangeIndex+1 < len(s.bounds) {
		return s.bounds[rangeIndex+1]
	}
	return math.MaxInt64
}

// A keyRange is a range of keys, with its chunks in the order of the input.
type keyRange[R Records[R]] struct {
	chunks      []chunk
	records     int
	first, last int64      // the least and the greatest key
	child       *Sorter[R] // sorter to close after this range, its last one; nil: none
}

// ranges returns the ranges that have records, in ascending order.
func (s *Sorter[R]) ranges() []keyRange[R] {
	all := make([]keyRange[R], len(s.bounds))
	for i := range all {
		all[i].first, all[i].last = math.MaxInt64, math.MinInt64
	}
	for _, w := range s.writers {
		for _, k := range w.chunks {
			r := &all[k.rangeIndex]
			r.chunks, r.records = append(r.chunks, k), r.records+k.records
			r.first, r.last = min(r.first, k.first), max(r.last, k.last)
		}
	}
	return slices.DeleteFunc(all, func(r keyRange[R]) bool { return r.records == 0 })
}

// Open returns the number of sorters of split ranges whose files are still open.
func (s *Sorter[R]) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.children)
}

// adopt adds a child, which Close of the sorter also closes.
func (s *Sorter[R]) adopt(child *Sorter[R]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.children = append(s.children, child)
}

// release closes a child after all its ranges have been read. A nil child is allowed.
func (s *Sorter[R]) release(child *Sorter[R]) error {
	if child == nil {
		return nil
	}
	s.mu.Lock()
	s.children = slices.DeleteFunc(s.children, func(c *Sorter[R]) bool { return c == child })
	s.mu.Unlock()
	return child.Close()
}
