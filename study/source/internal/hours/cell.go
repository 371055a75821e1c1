package hours

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/s2"
)

// A cellFeed reads cells of a spill, one after the other, each sorted by time.
type cellFeed struct {
	spill    *Spill
	from, to int // cells
	read     func(rows int64)
	packed   []byte
	raw      []byte
	all      *Records
	keys     []uint64
	order    []int32 // of the cell's records, by time
	left     []int32 // of that, what is not yet given out
}

// Feeds gives out the records, in the order of time, as at most n feeds for as
// many goroutines; read hears of rows as they are. All writers have flushed.
func (s *Spill) Feeds(n int, read func(rows int64)) []Feed {
	s.cells = make([][]chunk, len(s.bounds))
	for _, w := range s.writers {
		for _, c := range w.chunks {
			s.cells[c.cell] = append(s.cells[c.cell], c)
		}
	}
	n = min(n, len(s.cells))
	var feeds []Feed
	for i := range n {
		from, to := i*len(s.cells)/n, (i+1)*len(s.cells)/n
		feeds = append(feeds, &cellFeed{spill: s, from: from, to: to, read: read, all: NewRecords(s.directions)})
	}
	return feeds
}

// pieceRows are handed on at a time: a cell is held once, and not again by
// each of those that take it.
const pieceRows = 8192

// Read appends a piece of a cell.
func (f *cellFeed) Read(ctx context.Context, out *Records) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for len(f.left) == 0 {
		if f.from == f.to {
			return io.EOF
		}
		if err := f.load(f.spill.cells[f.from]); err != nil {
			return err
		}
		f.from++
	}
	n := min(pieceRows, len(f.left))
	out.pick(f.all, f.left[:n])
	f.left = f.left[n:]
	f.read(int64(n))
	return nil
}

// load reads the chunks of a cell, in the order of the input, and sorts them.
func (f *cellFeed) load(chunks []chunk) error {
	f.all.Reset()
	rows := 0
	for _, c := range chunks {
		rows += c.rows
	}
	f.all.grow(rows, f.spill.finer)
	for _, c := range chunks {
		f.packed = slices.Grow(f.packed[:0], int(c.size))[:c.size]
		if _, err := f.spill.writers[c.writer].file.ReadAt(f.packed, c.offset); err != nil {
			return fmt.Errorf("temporary file: %w", err)
		}
		var err error
		if f.raw, err = s2.Decode(f.raw[:cap(f.raw)], f.packed); err != nil {
			return fmt.Errorf("temporary file: %w", err)
		}
		f.all.addFrom(f.raw, c.rows, f.spill.finer)
	}
	if rows > 0 {
		f.sort()
	}
	f.left = f.order[:rows]
	return nil
}

// addFrom appends n records as appendTo left them.
func (r *Records) addFrom(raw []byte, n int, finer bool) {
	r.Hour, raw = columnFrom(r.Hour, raw, n)
	if finer {
		r.Micro, raw = columnFrom(r.Micro, raw, n)
	}
	r.Group, raw = columnFrom(r.Group, raw, n)
	r.Drive, raw = columnFrom(r.Drive, raw, n)
	for i := range r.Measure {
		m := &r.Measure[i]
		m.IOs, raw = columnFrom(m.IOs, raw, n)
		m.Latency, raw = columnFrom(m.Latency, raw, n)
		m.Size, raw = columnFrom(m.Size, raw, n)
	}
}

func columnFrom[T any](out []T, raw []byte, n int) (column []T, rest []byte) {
	at := len(out)
	out = slices.Grow(out, n)[:at+n]
	read, err := binary.Decode(raw, binary.LittleEndian, out[at:])
	if err != nil {
		panic(err) // as it was written
	}
	return out, raw[read:]
}

// sort orders the records of a cell by time, and those of one time as they
// came: by hour, counting; then within hours.
func (f *cellFeed) sort() {
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
	if f.spill.finer {
		f.sortHours(next)
	}
}

// sortHours orders the records within each hour; ends are where hours end.
func (f *cellFeed) sortHours(ends []int32) {
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
