// Package lines reads the lines of a table, and their fields:
//
//	time,group,drive,role,ios,latency_us,size_bytes
//	2026-01-01T00:00:00Z,d00001,d00001-01,data,51234,4310,32768
//
// A record is a line: fields may stand in quotes, but none runs over lines, as
// no name of a drive does. So plain files can be cut anywhere, a stray quote
// costs its line, and a fault is found where it is said to be.
//
// It stands below columns and knows of no columns.
package lines

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// A Format is how lines are stored. Part is how many bytes of a plain file are
// read in one go; one that is compressed has a single part.
type Format struct {
	Packing Packing
	Part    int64
}

const (
	// PartBytes is how much plain CSV is read in one go: some tenths of a
	// second, so that all cores have some.
	PartBytes = 32 << 20
	// MaxLine is the longest line believed.
	MaxLine = 64 << 10
)

// Parts is how many there are of a file of some size.
func (f Format) Parts(size int64) int {
	if f.Packing != Unpacked {
		return 1
	}
	return max(1, int((size+f.Part-1)/f.Part))
}

// A Reader reads the lines that begin in a part of a file.
type Reader struct {
	src    *bufio.Reader
	unpack func()
	left   int64 // bytes of the part
	number int64 // lines read
}

// Open begins to read a part of a file, after a byte-order mark. What the reader
// returns beside io.EOF and ErrLong is wrong with the file.
func (f Format) Open(file io.ReaderAt, size int64, part int) (*Reader, error) {
	from := int64(part) * f.Part
	r := &Reader{left: 1 << 62}
	if f.Packing == Unpacked {
		r.left = min(f.Part, size-from)
	}
	start := max(0, from-1)
	src, unpack, err := f.Packing.open(io.NewSectionReader(file, start, size-start))
	if err != nil {
		return nil, err
	}
	r.src, r.unpack = bufio.NewReaderSize(src, MaxLine), unpack
	if part > 0 {
		return r, r.toNextLine()
	}
	if mark, _ := r.src.Peek(3); string(mark) == "\ufeff" {
		_, _ = r.src.Discard(len(mark))          // it was just peeked at
		r.left = max(1, r.left-int64(len(mark))) // the first line is the first part's
	}
	return r, nil
}

// toNextLine passes over what belongs to the line that began in the part
// before. The last byte of that part was read too: where it is a newline, a
// line begins here.
func (r *Reader) toNextLine() error {
	for {
		text, err := r.src.ReadSlice('\n')
		r.left -= int64(len(text))
		switch {
		case err == nil:
			r.left++
			return nil
		case err == io.EOF:
			r.left = 0
			return nil
		case err != bufio.ErrBufferFull:
			return err
		}
	}
}

// ErrLong is a line that is passed over.
var ErrLong = errors.New("the line is too long")

// Line returns the next line without its end, valid until the next call;
// io.EOF after the last, ErrLong where one was passed over.
func (r *Reader) Line() ([]byte, error) {
	if r.left <= 0 {
		return nil, io.EOF
	}
	text, err := r.src.ReadSlice('\n')
	r.left -= int64(len(text))
	switch {
	case err == bufio.ErrBufferFull:
		r.number++
		if err := r.skip(); err != nil {
			return nil, err
		}
		return nil, ErrLong
	case err == io.EOF && len(text) == 0:
		return nil, io.EOF
	case err != nil && err != io.EOF:
		return nil, err
	}
	r.number++
	return bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r")), nil
}

// skip passes over the rest of a line.
func (r *Reader) skip() error {
	for {
		text, err := r.src.ReadSlice('\n')
		r.left -= int64(len(text))
		switch {
		case err == nil || err == io.EOF:
			return nil
		case err != bufio.ErrBufferFull:
			return err
		}
	}
}

// Number counts the lines read so far.
func (r *Reader) Number() int64 { return r.number }

// Close ends reading.
func (r *Reader) Close() error {
	r.unpack()
	return nil
}
