package tables

import (
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/internal/extsort"
)

// A stepSorter sorts the samples of a file by time, in a temporary file. It is used if the samples
// do not fit into the memory limit.
//
// Samples of the same component and time are merged into one sample. If two such samples have a
// value of the same metric, the value of the later line is kept. Samples are merged before they are
// written, and again when they are read. So a file with many equal lines takes little space on
// disk.
type stepSorter struct {
	*extsort.Sorter[*samples]
	reader     *extsort.Reader[*samples]
	duplicates duplicates
}

// duplicates counts the values that occur twice in a file, with the same component, metric and
// time.
type duplicates struct {
	values    int
	mixed     int   // number of lines with another value than an earlier line of the same component and time
	component int32 // component of the earliest duplicate value, by its number in the file (see roster)
	time      int64 // time of the earliest duplicate value, in ns
}

// leastChunk is the smallest number of samples that are written at a time. A smaller block of
// samples cannot be compressed well.
const leastChunk = 64

// newStepSorter creates a sorter for the samples of a file. The parameter `scan` describes this
// file. At most maxSamples samples are in memory at a time.
func newStepSorter(dir string, metrics int, scan *tableScan, maxSamples int) (*stepSorter, error) {
	const mostChunk = 4096
	s := &stepSorter{}
	ranges := min(2*scan.samples/maxSamples+1, maxSamples/(2*leastChunk), mostRanges)
	sorter, err := extsort.New(extsort.Options{
		Dir: dir, FilePattern: "limpet-tables-*",
		MaxRecords: maxSamples, MaxRanges: ranges, ChunkRecords: min(maxSamples/(2*ranges), mostChunk),
		Purpose: "limpet needs temporary files to sort the samples by time", NoFile: "set TMPDIR to another directory",
		NoSpace: "free some space, or set TMPDIR to another directory",
	}, func() *samples { return &samples{metrics: metrics, duplicates: &s.duplicates} }, extsort.EvenBounds(scan.first, scan.last, ranges), 1)
	s.Sorter = sorter
	return s, err
}

// mostRanges is the largest number of time ranges into which the samples of a file are
// divided. A range with too many samples is divided again.
const mostRanges = 256

// Add adds samples. Samples must be added in the order of their lines in the file.
func (s *stepSorter) Add(in *samples) error { return s.Writer(0).Add(in) }

// Flush writes the samples that are still in memory. Call it after the last sample was added, and
// before the first call of Next.
func (s *stepSorter) Flush() error {
	if err := s.Writer(0).Flush(); err != nil {
		return err
	}
	s.reader = s.Readers(1)[0]
	return nil
}

// Next replaces the samples in `out` by the samples of the next time range. It returns their
// indexes, sorted by step, component and time. It returns io.EOF if there are no more samples.
func (s *stepSorter) Next(ctx context.Context, out *samples, stepSeconds int64) ([]int32, error) {
	if err := s.reader.Next(ctx, out); err != nil {
		return nil, err
	}
	order := out.byStep(stepSeconds)
	kept := order[:0]
	for from := 0; from < len(order); {
		step, to := stepOf(out.times[order[from]], stepSeconds), from+1
		for to < len(order) && stepOf(out.times[order[to]], stepSeconds) == step {
			to++
		}
		kept = out.fold(kept, order[from:to], &s.duplicates)
		from = to
	}
	return kept, nil
}

// fold merges samples of the same component and time into the first of these samples. The parameter
// `order` has the indexes of the samples, which fold sorts by component and time. fold appends the
// indexes of the remaining samples to the list `kept`, and returns this list. It counts the
// duplicate values in `twice`.
func (s *samples) fold(kept, order []int32, twice *duplicates) []int32 {
	compare := func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.components[a], s.components[b]), cmp.Compare(s.times[a], s.times[b]))
	}
	if !slices.IsSortedFunc(order, compare) {
		slices.SortStableFunc(order, compare)
	}
	first := len(kept)
	for _, i := range order {
		if n := len(kept); n > first && compare(kept[n-1], i) == 0 {
			s.foldInto(int(kept[n-1]), int(i), twice)
			continue
		}
		kept = append(kept, i)
	}
	return kept
}

// foldInto copies the values of a sample into an earlier sample of the same component and time. The
// caller passes the index of the earlier sample first.
func (s *samples) foldInto(to, from int, twice *duplicates) {
	into, mixed := s.valuesOf(to), false
	for m, v := range s.valuesOf(from) {
		if math.IsNaN(v) {
			continue
		}
		if !math.IsNaN(into[m]) {
			twice.note(s.components[to], s.times[to])
			mixed = mixed || differ(into[m], v)
		}
		into[m] = v
	}
	if mixed {
		twice.mixed++
	}
}

func (d *duplicates) note(who int32, time int64) {
	if d.values == 0 || time < d.time || time == d.time && who < d.component {
		d.component, d.time = who, time
	}
	d.values++
}

// An [extsort.Sorter] needs the methods Len, Key, Reset, Grow, Add, Encode, Decode and Compact to
// sort samples.

// Len returns the number of samples.
func (s *samples) Len() int { return len(s.times) }

// Key returns the time of a sample, in nanoseconds since the epoch.
func (s *samples) Key(i int) int64 { return s.times[i] }

// Reset removes all samples and keeps their memory.
func (s *samples) Reset() { s.clear() }

// Grow allocates memory for n more samples.
func (s *samples) Grow(n int) { s.grow(n) }

// Add appends the samples of `other` whose index i satisfies `from` ≤ i < `to`.
func (s *samples) Add(other *samples, from, to int) {
	s.times = append(s.times, other.times[from:to]...)
	s.components = append(s.components, other.components[from:to]...)
	s.values = append(s.values, other.values[from*s.metrics:to*s.metrics]...)
}

// Encode appends all samples to `raw`, column by column.
func (s *samples) Encode(raw []byte) []byte {
	for _, column := range []any{s.times, s.components, s.values} {
		var err error
		if raw, err = binary.Append(raw, binary.LittleEndian, column); err != nil {
			panic(err) // cannot happen: all columns are numbers
		}
	}
	return raw
}

// Decode appends the n samples that Encode wrote into `raw`.
func (s *samples) Decode(raw []byte, n int) {
	at := s.Len()
	s.times = slices.Grow(s.times, n)[:at+n]
	s.components = slices.Grow(s.components, n)[:at+n]
	s.values = slices.Grow(s.values, n*s.metrics)[:(at+n)*s.metrics]
	for _, column := range []any{s.times[at:], s.components[at:], s.values[at*s.metrics:]} {
		read, err := binary.Decode(raw, binary.LittleEndian, column)
		if err != nil {
			panic(err) // cannot happen: Encode wrote these bytes
		}
		raw = raw[read:]
	}
}

// Compact merges samples of the same component and time into one sample.
func (s *samples) Compact() {
	order := make([]int32, s.Len())
	for i := range order {
		order[i] = int32(i)
	}
	if kept := s.fold(order[:0], order, s.duplicates); len(kept) < s.Len() {
		s.keepOnly(kept)
	}
}

// sortOnDisk sorts all remaining samples in a temporary file: the samples that are in memory, and
// the rest of the file. The cursor can then yield the samples of the first time range.
func (c *tableCursor) sortOnDisk(ctx context.Context) (err error) {
	if c.sorter, err = newStepSorter(c.tempDir, c.samples.metrics, &c.file.scan, c.maxSamples); err != nil {
		return err
	}
	for {
		if err := c.sorter.Add(&c.samples); err != nil {
			return err
		}
		c.samples.clear()
		if c.table == nil {
			break
		}
		if err := c.read(ctx); err != nil {
			return err
		}
	}
	c.samples = samples{metrics: c.samples.metrics}
	if err := c.sorter.Flush(); err != nil {
		return err
	}
	return c.nextRange(ctx)
}

// nextRange reads the samples of the next time range into c.samples. The cursor can then yield
// them.
func (c *tableCursor) nextRange(ctx context.Context) (err error) {
	c.order, err = c.sorter.Next(ctx, &c.samples, c.stepSeconds)
	c.next, c.ready = 0, len(c.order)
	if err == io.EOF {
		return nil
	}
	return err
}
