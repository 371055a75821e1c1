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

// scan reads the records of a log one after the other.
type scan struct {
	file *os.File
	in   *bufio.Reader
	Form Form
	Head fileHead

	At      int64  // bytes that were good
	Number  uint64 // of the next record
	record  head   // the last one
	bytes   []byte // all of it
	Damaged bool   // it ended at a record that is not as it was written
	Err     error  // the disk could not be read
}

// scanBytes is how much is read at a time.
const scanBytes = 64 << 10

// openLog reads the head of a log.
func openLog(path string) (*scan, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	h, text, _, err := read(f, logMagic, maxFormBytes)
	s := &scan{file: f, Head: h, Number: h.Next, At: headBytes + int64(len(text)) + 4}
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

// Close ends reading.
func (s *scan) Close() { s.file.Close() }

// Next reads the next record. It returns false at the end, at a record that is
// cut short, and at one that is damaged.
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
	s.At += int64(n)
	s.Number++
	return true
}

// note keeps an error that is more than an end.
func (s *scan) note(err error) {
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		s.Err = err
	}
}

// Kind is that of the last record.
func (s *scan) Kind() Kind { return s.record.kind }

// Content is that of the last record.
func (s *scan) Content() []byte { return s.bytes[recordHeadBytes:] }

// End is the End of the last record, which is a row.
func (s *scan) End() int64 { return int64(binary.LittleEndian.Uint64(s.Content())) }

// judge tells what a process left that was killed as it wrote from damage. The
// former is the begin of a record, or nothing but zeros, where a file had grown
// and its content was not on the disk yet.
func (s *scan) judge() {
	info, err := s.file.Stat()
	if err != nil {
		s.Err = err
		return
	}
	rest := info.Size() - s.At
	head := make([]byte, recordHeadBytes)
	if _, err := s.file.ReadAt(head, s.At); err != nil { // less than a head is left
		s.note(err)
		return
	}
	h, ok := parseHead(head, &s.Form)
	if ok && h.number == s.Number && int64(recordHeadBytes+h.length) > rest {
		return
	}
	s.Damaged = !s.onlyZeros(info.Size())
}

// onlyZeros says whether nothing but zeros is left.
func (s *scan) onlyZeros(size int64) bool {
	in := io.NewSectionReader(s.file, s.At, size-s.At)
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

// NewRow returns a row of the form, and room for its servers.
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
