package csv

import "io"

// NewPartReader returns a reader of the records that begin in a stretch of a
// plain file, from one offset up to another.
//
// A stretch may begin within a quoted field. So reading begins a longest
// record earlier: whoever began there in the middle of a field has found the
// next record by then, as a quote that does not add up costs a line.
func NewPartReader(src io.ReaderAt, size, from, to int64, separator byte) (*Reader, error) {
	start := max(0, from-MaxRecord)
	r := NewReader(io.NewSectionReader(src, start, size-start), separator)
	if start > 0 {
		if err := r.skipLine(); err != ErrLong && err != nil {
			return nil, err
		}
	}
	r.limit = from - start
	for {
		switch err := r.Next(); err {
		case nil, ErrQuotes, ErrLong:
		case io.EOF:
			r.limit, r.lines = to-start, 0
			return r, nil
		default:
			return nil, err
		}
	}
}
