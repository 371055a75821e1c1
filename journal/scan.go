package journal

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"

	"github.com/limpet-storage/limpet/table"
)

// logScan reads the records of a log one after the other.
type logScan struct {
	file *os.File
	in   *bufio.Reader
	form form
	head fileHead

	at      int64  // bytes that were good
	number  uint64 // of the next record
	record  head   // the last one
	bytes   []byte // all of it
	damaged bool   // it ended at a record that is not as it was written
	err     error  // the disk could not be read
}

// scanBytes is how much is read at a time.
const scanBytes = 64 << 10

// openLog reads the head of a log.
func openLog(path string) (*logScan, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	h, text, _, err := readFile(f, logMagic, maxFormBytes)
	s := &logScan{file: f, head: h, number: h.next, at: fileHeadBytes + int64(len(text)) + 4}
	if err == nil {
		s.form, err = parseForm(text)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	s.in = bufio.NewReaderSize(f, scanBytes)
	return s, nil
}

func (s *logScan) close() { s.file.Close() }

// next reads the next record. It returns false at the end, at a record that is
// cut short, and at one that is damaged.
func (s *logScan) next() bool {
	ok := s.read()
	if !ok && s.err == nil {
		s.judge()
	}
	return ok
}

func (s *logScan) read() bool {
	b, err := s.in.Peek(recordHeadBytes)
	if err != nil {
		s.note(err)
		return false
	}
	h, ok := parseHead(b, &s.form)
	if !ok || h.number != s.number {
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
	s.at += int64(n)
	s.number++
	return true
}

// note keeps an error that is more than an end.
func (s *logScan) note(err error) {
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		s.err = err
	}
}

// content is that of the last record.
func (s *logScan) content() []byte { return s.bytes[recordHeadBytes:] }

// end is the End of the last record, which is a row.
func (s *logScan) end() int64 { return int64(binary.LittleEndian.Uint64(s.content())) }

// judge tells what a process left that was killed as it wrote from damage. The
// former is the begin of a record, or nothing but zeros, where a file had grown
// and its content was not on the disk yet.
func (s *logScan) judge() {
	info, err := s.file.Stat()
	if err != nil {
		s.err = err
		return
	}
	rest := info.Size() - s.at
	head := make([]byte, recordHeadBytes)
	if _, err := s.file.ReadAt(head, s.at); err != nil { // less than a head is left
		s.note(err)
		return
	}
	h, ok := parseHead(head, &s.form)
	if ok && h.number == s.number && int64(recordHeadBytes+h.length) > rest {
		return
	}
	s.damaged = !s.onlyZeros(info.Size())
}

// onlyZeros says whether nothing but zeros is left.
func (s *logScan) onlyZeros(size int64) bool {
	in := io.NewSectionReader(s.file, s.at, size-s.at)
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

// newRow returns a row of the form, and room for its servers.
func (f *form) newRow() (*table.Row, []bool) {
	r := &table.Row{Values: make([][]float64, len(f.Metrics))}
	for m := range r.Values {
		r.Values[m] = make([]float64, f.Components)
	}
	return r, make([]bool, f.Servers)
}
