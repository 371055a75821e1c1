package journal

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"

	"github.com/limpet-storage/limpet/engine/table"
)

// scan reads the records of a log, one after the other.
type scan struct {
	file *os.File
	in   *bufio.Reader
	Form Form
	Head fileHead

	ValidBytes int64  // size of the log up to the end of the last undamaged record, in bytes
	Number     uint64 // number of the next record
	record     head   // head of the last record
	bytes      []byte // the last record, with its head
	Damaged    bool   // true if the record that begins at the offset scan.ValidBytes is damaged
	Err        error  // error of the disk while reading
}

// scanBytes is the size of the read buffer, in bytes.
const scanBytes = 64 << 10

// openLog opens a log and reads its head.
func openLog(path string) (*scan, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	h, text, _, err := read(f, logMagic, maxFormBytes)
	s := &scan{file: f, Head: h, Number: h.Next, ValidBytes: headBytes + int64(len(text)) + 4}
	if err == nil {
		s.Form, err = parseForm(text)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	s.in = bufio.NewReaderSize(f, scanBytes)
	return s, nil
}

func (s *scan) Close() { s.file.Close() }

// Next reads the next record. It returns false at the end of the log, at an incomplete or damaged
// record, and if the disk cannot be read.
func (s *scan) Next() bool {
	ok := s.read()
	if !ok && s.Err == nil {
		s.judge()
	}
	return ok
}

func (s *scan) read() bool {
	b, err := s.in.Peek(recordHeadBytes)
	if err != nil {
		s.note(err)
		return false
	}
	h, ok := parseHead(b, &s.Form)
	if !ok || h.number != s.Number {
		return false
	}
	n := recordHeadBytes + h.length
	if cap(s.bytes) < n {
		s.bytes = make([]byte, n)
	}
	s.bytes = s.bytes[:n]
	if _, err := io.ReadFull(s.in, s.bytes); err != nil {
		s.note(err)
		return false
	}
	if !intact(s.bytes) {
		return false
	}
	s.record = h
	s.ValidBytes += int64(n)
	s.Number++
	return true
}

// note stores an error of the disk in s.Err. The end of the file is not an error.
func (s *scan) note(err error) {
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		s.Err = err
	}
}

// Kind returns the kind of the last record.
func (s *scan) Kind() Kind { return s.record.kind }

// Content returns the content of the last record.
func (s *scan) Content() []byte { return s.bytes[recordHeadBytes:] }

// End returns the end time of the row in the last record. The last record must be a row.
func (s *scan) End() int64 { return int64(binary.LittleEndian.Uint64(s.Content())) }

// judge decides whether the rest of the file is damaged. A killed process may leave the beginning
// of a record at the end of the file. This is not damage. After a loss of power, the file may also
// end with zeros: the file had grown, but the new content was not on disk yet. This is not damage
// either.
func (s *scan) judge() {
	info, err := s.file.Stat()
	if err != nil {
		s.Err = err
		return
	}
	rest := info.Size() - s.ValidBytes
	head := make([]byte, recordHeadBytes)
	if _, err := s.file.ReadAt(head, s.ValidBytes); err != nil { // the rest is shorter than the head of a record
		s.note(err)
		return
	}
	h, ok := parseHead(head, &s.Form)
	if ok && h.number == s.Number && int64(recordHeadBytes+h.length) > rest {
		return
	}
	s.Damaged = !s.onlyZeros(info.Size())
}

// onlyZeros reports whether the rest of the file consists of zeros.
func (s *scan) onlyZeros(size int64) bool {
	in := io.NewSectionReader(s.file, s.ValidBytes, size-s.ValidBytes)
	b := make([]byte, scanBytes)
	for {
		n, err := in.Read(b)
		if len(bytes.Trim(b[:n], "\x00")) > 0 {
			return false
		}
		if err != nil {
			s.note(err)
			return true
		}
	}
}

// NewRow returns an empty row of the form f, and a slice for the field Heard of the row.
func (f *Form) NewRow() (*table.Row, []bool) {
	r := &table.Row{Values: make([][]float64, len(f.Metrics)), Upkeep: make([]table.Work, f.Components)}
	for m := range r.Values {
		r.Values[m] = make([]float64, f.Components)
	}
	if f.Latencies {
		r.Latency = make([]*table.Latency, f.Components)
	}
	return r, make([]bool, f.Servers)
}
