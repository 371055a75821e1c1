package source

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/klauspost/compress/s2"
)

// A cell is a range of time, with its records in the order of the input.
type cell struct {
	chunks      []chunk
	rows        int
	first, last int64  // moments
	spill       *spill // that ends with this cell; nil: it has others
}

// A cellFeed reads cells of a spill, one after the other, each sorted by time.
type cellFeed struct {
	spill  *spill
	todo   []cell
	read   func(rows int64)
	packed []byte
	raw    []byte
	all    *records
	keys   []uint64
	order  []int32 // of the cell's records, by time
	left   []int32 // of that, what is not yet given out
}

// Feeds gives out the records, in the order of time, as at most n feeds for as
// many goroutines; read hears of rows as they are. All writers have flushed.
func (s *spill) Feeds(n int, read func(rows int64)) []feed {
	cells := s.cells()
	n = min(n, len(cells))
	var feeds []feed
	for i := range n {
		todo := cells[i*len(cells)/n : (i+1)*len(cells)/n]
		feeds = append(feeds, &cellFeed{spill: s, todo: todo, read: read, all: newRecords(s.Directions)})
	}
	return feeds
}

// cells are those that have records, in the order of time.
func (s *spill) cells() []cell {
	all := make([]cell, len(s.bounds))
	for i := range all {
		all[i].first, all[i].last = math.MaxInt64, math.MinInt64
	}
	for _, w := range s.writers {
		for _, k := range w.chunks {
			c := &all[k.cell]
			c.chunks, c.rows = append(c.chunks, k), c.rows+k.rows
			c.first, c.last = min(c.first, k.first), max(c.last, k.last)
		}
	}
	return slices.DeleteFunc(all, func(c cell) bool { return c.rows == 0 })
}

// pieceRows are handed on at a time: a cell is held once, and not again by
// each of those that take it.
const pieceRows = 8192

// Read appends a piece of a cell.
func (f *cellFeed) Read(ctx context.Context, out *records) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for len(f.left) == 0 {
		if len(f.todo) == 0 {
			return io.EOF
		}
		if err := f.next(ctx); err != nil {
			return err
		}
	}
	n := min(pieceRows, len(f.left))
	out.pick(f.all, f.left[:n])
	f.left = f.left[n:]
	f.read(int64(n))
	return nil
}

// next makes records of the next cell ready. A cell that does not fit into
// memory is cut into shorter ones; where it is of one moment its chunks are in
// order already, and are cells of their own.
func (f *cellFeed) next(ctx context.Context) error {
	c := f.todo[0]
	f.todo = f.todo[1:]
	switch {
	case c.rows > f.spill.MaxRows && c.first == c.last && len(c.chunks) > 1:
		var cells []cell
		for _, k := range c.chunks {
			cells = append(cells, cell{chunks: []chunk{k}, rows: k.rows, first: c.first, last: c.last})
		}
		cells[len(cells)-1].spill = c.spill
		f.todo = append(cells, f.todo...)
		return nil
	case c.rows > f.spill.MaxRows && c.first < c.last:
		return f.split(ctx, c)
	}
	return errors.Join(f.load(c.chunks), f.spill.end(c.spill))
}

// end closes a spill of cells that are read.
func (s *spill) end(child *spill) error {
	if child == nil {
		return nil
	}
	s.mu.Lock()
	s.children = slices.DeleteFunc(s.children, func(c *spill) bool { return c == child })
	s.mu.Unlock()
	return child.Close()
}

// split cuts a cell into shorter ones.
func (f *cellFeed) split(ctx context.Context, c cell) error {
	n := int64(min(2*c.rows/f.spill.MaxRows+1, mostCells))
	var bounds []int64
	for i := range n {
		bounds = append(bounds, c.first+(c.last-c.first+1)/n*i+min(i, (c.last-c.first+1)%n))
	}
	child, err := newSpill(f.spill.spillOptions, slices.Compact(bounds), 1)
	if err != nil {
		return err
	}
	f.spill.mu.Lock()
	f.spill.children = append(f.spill.children, child)
	f.spill.mu.Unlock()
	for _, k := range c.chunks {
		f.all.Reset()
		if err := cmp.Or(ctx.Err(), f.unpack(k)); err != nil {
			return err
		}
		if err := child.Writer(0).Add(f.all); err != nil {
			return err
		}
	}
	if err := child.Writer(0).Flush(); err != nil {
		return err
	}
	cells := child.cells()
	cells[len(cells)-1].spill = child
	f.todo = append(cells, f.todo...)
	return f.spill.end(c.spill)
}

// load reads the chunks of a cell, in the order of the input, and sorts them.
func (f *cellFeed) load(chunks []chunk) error {
	f.all.Reset()
	rows := 0
	for _, c := range chunks {
		rows += c.rows
	}
	f.all.grow(rows, f.spill.Finer)
	for _, c := range chunks {
		if err := f.unpack(c); err != nil {
			return err
		}
	}
	f.sort()
	f.left = f.order[:rows]
	return nil
}

// unpack appends the records of a chunk.
func (f *cellFeed) unpack(c chunk) error {
	f.packed = slices.Grow(f.packed[:0], int(c.size))[:c.size]
	_, err := c.file.ReadAt(f.packed, c.offset)
	if err == nil {
		f.raw, err = s2.Decode(f.raw[:cap(f.raw)], f.packed)
	}
	if err != nil {
		return fmt.Errorf("temporary file: %w", err)
	}
	f.all.addFrom(f.raw, c.rows, f.spill.Finer)
	return nil
}

// addFrom appends n records as appendTo left them.
func (r *records) addFrom(raw []byte, n int, finer bool) {
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
	if f.spill.Finer {
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
