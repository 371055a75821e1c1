package extsort

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/s2"
)

// A Reader returns ranges of records, in ascending order.
type Reader[R Records[R]] struct {
	sorter *Sorter[R]
	todo   []keyRange[R]
	packed []byte
	raw    []byte
}

// Readers returns at most n readers, which different goroutines can use. Together they have all
// records; the first reader has the smallest keys. All writers must have been flushed before.
func (s *Sorter[R]) Readers(n int) []*Reader[R] {
	ranges := s.ranges()
	n = min(n, len(ranges))
	var readers []*Reader[R]
	for i := range n {
		readers = append(readers, &Reader[R]{sorter: s, todo: ranges[i*len(ranges)/n : (i+1)*len(ranges)/n]})
	}
	return readers
}

// Next replaces the records of out by the records of the next range, in the order of the input, or
// returns io.EOF. A range comes in several parts only if all its records have the same key.
func (r *Reader[R]) Next(ctx context.Context, out R) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(r.todo) == 0 {
			return io.EOF
		}
		next := r.todo[0]
		r.todo = r.todo[1:]
		tooMany := next.records > r.sorter.options.MaxRecords
		switch {
		case tooMany && next.first < next.last:
			if err := r.split(ctx, next, out); err != nil {
				return err
			}
		case tooMany && len(next.chunks) > 1:
			r.todo = append(next.parts(), r.todo...)
		default:
			return errors.Join(r.load(next, out), r.sorter.release(next.child))
		}
	}
}

// parts returns a range for each chunk of a range with a single key. The chunks are already in
// order.
func (k *keyRange[R]) parts() (parts []keyRange[R]) {
	for _, c := range k.chunks {
		parts = append(parts, keyRange[R]{chunks: []chunk{c}, records: c.records, first: k.first, last: k.last})
	}
	parts[len(parts)-1].child = k.child
	return parts
}

// split splits a range into shorter ranges, which are in another temporary file. It uses the memory
// of out.
func (r *Reader[R]) split(ctx context.Context, k keyRange[R], out R) error {
	o := r.sorter.options
	n := min(2*k.records/o.MaxRecords+1, o.MaxRanges) // each with about MaxRecords/2 records
	child, err := New(o, r.sorter.newRecords, EvenBounds(k.first, k.last, n), 1)
	if err != nil {
		return err
	}
	r.sorter.adopt(child)
	w := child.Writer(0)
	for _, c := range k.chunks {
		out.Reset()
		if err := cmp.Or(ctx.Err(), r.read(c, out)); err != nil {
			return err
		}
		if err := w.Add(out); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	ranges := child.ranges()
	ranges[len(ranges)-1].child = child
	r.todo = append(ranges, r.todo...)
	return r.sorter.release(k.child)
}

// load replaces the records of out by all records of a range.
func (r *Reader[R]) load(k keyRange[R], out R) error {
	out.Reset()
	out.Grow(k.records)
	for _, c := range k.chunks {
		if err := r.read(c, out); err != nil {
			return err
		}
	}
	return nil
}

// read appends the records of a chunk to out.
func (r *Reader[R]) read(c chunk, out R) error {
	r.packed = slices.Grow(r.packed[:0], int(c.size))[:c.size]
	_, err := c.file.ReadAt(r.packed, c.offset)
	if err == nil {
		r.raw, err = s2.Decode(r.raw[:cap(r.raw)], r.packed)
	}
	if err != nil {
		return fmt.Errorf("temporary file: %w", err)
	}
	out.Decode(r.raw, c.records)
	return nil
}
