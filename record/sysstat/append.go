package sysstat

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// After a recorder is killed, its last record is incomplete. After a loss of power, there are zeros
// or old content of the disk behind the synced part of the file, and sometimes inside it:
//
//	header | record | record | rec
//	header | record | record | rec 00 00 00 00 00 00
//	header | record | 00 00 00 | record | rec 5f 1c 9a

// ErrOther is the error of Append for a file that it must not continue.
var ErrOther = errors.New("the recorder cannot continue this file; start a new file")

// A Tail describes the file that Append continues.
type Tail struct {
	Records    int       // number of whole records
	Last       time.Time // time of the last whole record, in the host's zone; zero: no record
	LastUptime uint64    // uptime of the last Stats record
	Cut        int64     // bytes behind the last whole record, which Append removed
	Zeros      int64     // number of zeros at their end: a sign of a loss of power
	// Damaged is the number of damaged bytes that have whole records behind them. They stay in the
	// file. This package reads the records behind them, sar and sadf do not: then it is better to
	// begin a new file.
	Damaged int64
}

// Append continues a file that was begun with the same options, at the end of its last whole
// record; Created may differ. Append removes all bytes behind that record. If a file has no whole
// header, or is empty, Append begins it.
//
// If the reader is not sure whether a record is whole, Append keeps the record. A comment that was
// cut off by zeros looks like a shorter comment: after a loss of power, write the inventory again.
//
// Append refuses these files with ErrOther, and changes nothing in them: a file of another host,
// kernel, machine or number of CPUs, with other activities, in another format, or no activity file
// at all.
//
// The file must be open for reading and writing, and no other process may write to it. Append reads
// the whole file and does not sync it.
func Append(f *os.File, opts WriterOptions) (*Writer, Tail, error) {
	w, err := prepare(f, opts)
	if err != nil {
		return nil, Tail{}, err
	}
	begun, err := w.begun(f)
	if err != nil {
		return nil, Tail{}, err
	}
	var tail Tail
	if begun {
		w.buf = w.buf[:0]
		tail, w.offset, err = readTail(f)
	}
	if err == nil {
		err = tail.cut(f, w.offset)
	}
	if err == nil && !begun {
		err = w.flush()
	}
	if err != nil {
		return nil, Tail{}, err
	}
	return w, tail, nil
}

// creation are the bytes of a header that depend on the time of creation: the time, the year, day
// and month, the zone.
var creation = [][2]int{
	{magicSize, magicSize + 8},
	{magicSize + 24, magicSize + 28},
	{magicSize + 64, magicSize + 66},
	{magicSize + 67 + 4*utsLen, magicSize + 67 + 4*utsLen + zoneLen},
}

// begun reports whether a file has the header that w is about to write. If not, the file holds only
// the beginning of that header, and zeros.
func (w *Writer) begun(f *os.File) (bool, error) {
	want, has := w.buf, make([]byte, len(w.buf))
	n, err := f.ReadAt(has, 0)
	if err != nil && err != io.EOF {
		return false, err
	}
	same := 0
	for same < n && (has[same] == want[same] || tellsCreation(same)) {
		same++
	}
	if same == len(want) {
		return true, nil
	}
	_, zero, err := trailingZeros(f, int64(same))
	if err == nil && !zero {
		err = w.otherError(f)
	}
	return false, err
}

func tellsCreation(i int) bool {
	for _, c := range creation {
		if i >= c[0] && i < c[1] {
			return true
		}
	}
	return false
}

// otherError returns an error with the difference between a file and the options.
func (w *Writer) otherError(f *os.File) error {
	want, err := NewReader(bytes.NewReader(w.buf), f.Name())
	if err != nil {
		return err
	}
	has := newReader(f.Name())
	has.src = io.NewSectionReader(f, 0, maxHeaderSize+magicSize+maxActivities*maxActivitySize)
	if err := has.start(); err != nil {
		return fmt.Errorf("%w: %w", err, ErrOther)
	}
	was, is := traits(has.Header()), traits(want.Header())
	for i := range was {
		if was[i] != is[i] {
			return fmt.Errorf("the header of file %s has %s, but this recorder writes %s: %w", f.Name(), was[i], is[i], ErrOther)
		}
	}
	return fmt.Errorf("file %s: the records of the file have other sizes than the records of the recorder: %w", f.Name(), ErrOther)
}

// traits returns the properties in which files may differ, as text.
func traits(h *Header) []string {
	list := []string{
		fmt.Sprintf("format %#x", h.Format), "byte order " + byteOrder(h.BigEndian),
		"sysstat " + h.Version.String(), fmt.Sprintf("host %q", h.Hostname),
		fmt.Sprintf("kernel %q", h.Release), fmt.Sprintf("machine %q", h.Machine),
		fmt.Sprintf("%d CPUs", h.CPUs), fmt.Sprintf("%d activities", len(h.Activities)),
	}
	for _, a := range h.Activities {
		list = append(list, fmt.Sprintf("activity %d of %d bytes", a.ID, a.Size))
	}
	return list
}

// readTail reads a file and returns the end of its last whole record.
func readTail(f *os.File) (tail Tail, end int64, err error) {
	r := newReader(f.Name())
	r.src = f
	if _, err = f.Seek(0, io.SeekStart); err == nil {
		err = r.start()
	}
	if err != nil {
		return tail, 0, err
	}
	begin := r.whole
	if err = tail.count(r); err == nil {
		err = r.again(f)
	}
	if err == nil {
		err = tail.count(r)
	}
	if tail.Records > 0 {
		tail.Last = time.Unix(r.lastTime, 0).In(time.FixedZone("", r.lastOffset))
	}
	tail.LastUptime, tail.Damaged = r.lastUptime, r.whole-begin-r.used
	return tail, r.whole, err
}

// Damaged returns how many bytes of a file cannot be read although whole records follow them. It
// changes nothing. The half record that a kill leaves at the end does not count.
func Damaged(path string) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	tail, _, err := readTail(f)
	return tail.Damaged, err
}

// count reads to the end.
func (t *Tail) count(r *Reader) error {
	for {
		if _, err := r.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		t.Records++
	}
}

// again makes r read the bytes after the last certain record once more. This time r keeps a record
// that may be whole.
func (r *Reader) again(f *os.File) error {
	r.keepDoubtful, r.stopped, r.eof = true, nil, false
	r.buffers = [2][]byte{} // the old buffers hold the last record
	r.buf, r.pos, r.base = nil, 0, r.whole
	_, err := f.Seek(r.whole, io.SeekStart)
	return err
}

// cut removes the bytes behind the end of the last whole record.
func (t *Tail) cut(f *os.File, end int64) error {
	zeros, _, err := trailingZeros(f, end)
	if err != nil {
		return err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if t.Cut, t.Zeros = size-end, zeros; t.Cut > 0 {
		if err := f.Truncate(end); err != nil {
			return err
		}
	}
	_, err = f.Seek(end, io.SeekStart)
	return err
}

// trailingZeros counts the zeros at the end of a file, from an offset on, and reports whether all
// bytes from there are zeros.
func trailingZeros(f *os.File, from int64) (zeros int64, all bool, err error) {
	all = true
	buf := make([]byte, bufferSize)
	for at := from; err == nil; {
		var n int
		n, err = f.ReadAt(buf, at)
		at += int64(n)
		rest := len(bytes.TrimRight(buf[:n], "\x00"))
		if rest > 0 {
			all, zeros = false, 0
		}
		zeros += int64(n - rest)
	}
	if err == io.EOF {
		err = nil
	}
	return zeros, all, err
}

func byteOrder(bigEndian bool) string {
	if bigEndian {
		return "big-endian"
	}
	return "little-endian"
}
