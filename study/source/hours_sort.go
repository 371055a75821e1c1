package source

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/internal/extsort"
)

// An hourSorter sorts records by time, in temporary files. Its ranges are hours, or parts of an
// hour that is too large for memory.
type hourSorter struct {
	*extsort.Sorter[*records]
	sortOptions
}

// sortOptions holds the form of the records and the limits of an hourSorter.
type sortOptions struct {
	Dir        string // directory for temporary files
	Directions int
	Finer      bool // records have times within the hour
	MaxRows    int  // largest number of records of a range in memory
}

// chunkRows is the number of records of a range that a writer holds before it writes them. More
// would need too much memory for many ranges; fewer would make writing slow.
const chunkRows = 4096

// mostRanges is the largest number of ranges of a sorter, because a writer holds some records of
// each range. A range that is too large is divided again.
const mostRanges = 256

// bytesOf returns how many bytes of memory a record takes while it is sorted.
func bytesOf(directions int) int64 { return 20 + 12*int64(directions) }

// newHourSorter creates temporary files for a number of writers. It computes the ranges from
// hours, which has the number of records of each hour.
func newHourSorter(o sortOptions, hours map[int32]int64, writers int) (*hourSorter, error) {
	var total int64
	for _, rows := range hours {
		total += rows
	}
	var bounds []int64
	for _, hour := range cutHours(hours, max(int64(o.MaxRows), total/mostRanges)) {
		bounds = append(bounds, int64(hour)*microsPerHour)
	}
	sorter, err := extsort.New(extsort.Options{
		Dir: o.Dir, FilePattern: "limpet-study-*", MaxRecords: o.MaxRows, MaxRanges: mostRanges, ChunkRecords: chunkRows,
		Purpose: "records cannot be sorted in temporary files", NoFile: "name another directory for temporary files",
		NoSpace: "free some space, or name another directory",
	}, o.newRecords, bounds, writers)
	if err != nil {
		return nil, err
	}
	return &hourSorter{sorter, o}, nil
}

func (o *sortOptions) newRecords() *records {
	r := newRecords(o.Directions)
	r.finer = o.Finer
	return r
}

// cutHours divides hours, given with their numbers of records, into ranges of at most most
// records. It returns the first hour of each range. An hour with more records is a range by
// itself.
func cutHours(rows map[int32]int64, most int64) []int32 {
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

// splitHours divides hours, given with their numbers of records, into at most n ranges with
// about the same number of records. It returns the first hour of each range.
func splitHours(rows map[int32]int64, n int) []int32 {
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

// microsPerHour is the number of microseconds in an hour.
const microsPerHour = int64(time.Hour / time.Microsecond)

// Key returns the time of a record, in microseconds since the epoch.
func (r *records) Key(i int) int64 {
	key := int64(r.Hour[i]) * microsPerHour
	if len(r.Micro) > 0 {
		key += int64(r.Micro[i])
	}
	return key
}

// Encode appends all columns to raw, one after the other.
func (r *records) Encode(raw []byte) []byte {
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
		panic(err) // cannot happen: all columns are numbers of fixed size
	}
	return raw
}

// Decode appends the n records that Encode wrote into raw.
func (r *records) Decode(raw []byte, n int) {
	r.Hour, raw = decodeColumn(r.Hour, raw, n)
	if r.finer {
		r.Micro, raw = decodeColumn(r.Micro, raw, n)
	}
	r.Group, raw = decodeColumn(r.Group, raw, n)
	r.Drive, raw = decodeColumn(r.Drive, raw, n)
	for i := range r.Measure {
		m := &r.Measure[i]
		m.IOs, raw = decodeColumn(m.IOs, raw, n)
		m.Latency, raw = decodeColumn(m.Latency, raw, n)
		m.Size, raw = decodeColumn(m.Size, raw, n)
	}
}

func decodeColumn[T any](out []T, raw []byte, n int) (column []T, rest []byte) {
	at := len(out)
	out = slices.Grow(out, n)[:at+n]
	read, err := binary.Decode(raw, binary.LittleEndian, out[at:])
	if err != nil {
		panic(err) // cannot happen: Encode wrote raw
	}
	return out, raw[read:]
}

// Feeds returns at most n feeds, one for each goroutine. Together they return all records in
// the order of time. Each feed calls read with the number of records that it has returned. All
// writers must be flushed before.
func (s *hourSorter) Feeds(n int, read func(rows int64)) []feed {
	var feeds []feed
	for _, r := range s.Readers(n) {
		feeds = append(feeds, &rangeFeed{reader: r, read: read, all: s.newRecords()})
	}
	return feeds
}

// A rangeFeed reads the ranges of a sorter and sorts each by time.
type rangeFeed struct {
	reader *extsort.Reader[*records]
	read   func(rows int64)
	all    *records // all records of the current range
	keys   []uint64
	order  []int32 // indexes into all, by time
	left   []int32 // the part of order that was not returned yet
}

// pieceRows is the number of records that a feed returns at a time, so that the next stages do
// not hold a whole range each.
const pieceRows = 8192

// Read appends a piece of a range.
func (f *rangeFeed) Read(ctx context.Context, out *records) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for len(f.left) == 0 {
		if err := f.reader.Next(ctx, f.all); err != nil {
			return err
		}
		f.sort()
		f.left = f.order
	}
	n := min(pieceRows, len(f.left))
	out.pick(f.all, f.left[:n])
	f.left = f.left[n:]
	f.read(int64(n))
	return nil
}

// sort sorts the records of a range by time, with a counting sort by hour and then a sort
// within each hour. Records of the same time keep their order.
func (f *rangeFeed) sort() {
	least, most := slices.Min(f.all.Hour), slices.Max(f.all.Hour)
	next := make([]int32, most-least+2)
	for _, h := range f.all.Hour {
		next[h-least+1]++
	}
	for i := range len(next) - 1 {
		next[i+1] += next[i]
	}
	f.order = slices.Grow(f.order[:0], f.all.Len())[:f.all.Len()]
	for i, h := range f.all.Hour {
		f.order[next[h-least]] = int32(i)
		next[h-least]++
	}
	if f.all.finer {
		f.sortHours(next)
	}
}

// sortHours sorts the records within each hour; ends has the index after the last record of
// each hour.
func (f *rangeFeed) sortHours(ends []int32) {
	from := int32(0)
	for _, to := range ends[:len(ends)-1] {
		f.keys = f.keys[:0]
		for _, i := range f.order[from:to] {
			f.keys = append(f.keys, uint64(f.all.Micro[i])<<32|uint64(i))
		}
		slices.Sort(f.keys)
		for k, key := range f.keys {
			f.order[from+int32(k)] = int32(uint32(key))
		}
		from = to
	}
}
