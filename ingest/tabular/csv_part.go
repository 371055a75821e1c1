package tabular

import "io"

// newPartReader returns a reader of the records that begin in a part of a plain (uncompressed)
// file. The caller passes the size of the file, and the offsets at which the part begins and ends.
//
// A part may begin within a quoted field. So reading begins MaxRecord bytes before the part. If
// that offset is within another quoted field, the reader finds an unbalanced quote and skips one
// line. From then on it reads whole records. So when it reaches the part, it is at the beginning of
// a record.
func newPartReader(src io.ReaderAt, size, from, to int64, separator byte) (*reader, error) {
	start := max(0, from-MaxRecord)
	r := newReader(io.NewSectionReader(src, start, size-start), separator)
	if start > 0 {
		if err := r.skipLine(); err != errLong && err != nil {
			return nil, err
		}
	}
	r.limit = from - start
	for {
		switch err := r.Next(); err {
		case nil, errQuotes, errLong:
		case io.EOF:
			r.limit, r.lines = to-start, 0
			return r, nil
		default:
			return nil, err
		}
	}
}
