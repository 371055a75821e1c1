package sysstat

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// A recorder that is killed leaves its last record torn. A host that loses
// power leaves zeros, or what stood on the disk before, behind what was
// synced, and now and then in its midst:
//
//	header | record | record | rec
//	header | record | record | rec 00 00 00 00 00 00
//	header | record | 00 00 00 | record | rec 5f 1c 9a

// ErrOther is what Append returns for a file that it must not go on in.
var ErrOther = errors.New("the recorder cannot continue this file; start a new file")

// A Tail is what Append found in a file.
type Tail struct {
	Records    int       // that are whole
	Last       time.Time // of the last of them, in the host's zone; zero without any
	LastUptime uint64    // of the last Stats
	Cut        int64     // bytes behind the last whole record, which are no more
	Zeros      int64     // how many of them were zeros at the end: a loss of power
	// Damaged bytes stand ahead of whole records and were left there. This
	// package reads on behind them, sar and sadf do not: better begin a new
	// file than go on in this one.
	Damaged int64
}

// Append goes on in a file that was begun with the same options, where its
// last whole record ends; Created may differ. What stands behind is cut off.
// A file without a whole header, such as an empty one, is begun.
//
// Where the reader has its doubts whether a record is whole, Append keeps it.
// Nothing tells a comment that zeros cut short from a shorter one: after a
// loss of power the inventory is better written again.
//
// Nothing is changed in a file that is refused with ErrOther: of another
// host, kernel, machine or number of CPUs, with other activities, in another
// format, or no activity file at all.
//
// The file is to be open for reading and writing, and by no one else for
// writing. Append reads all of it and does not sync.
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

// creation are the bytes of a header that tell when the file was begun: the
// time, the year, day and month, the zone.
var creation = [][2]int{
	{magicSize, magicSize + 8},
	{magicSize + 24, magicSize + 28},
	{magicSize + 64, magicSize + 66},
	{magicSize + 67 + 4*utsLen, magicSize + 67 + 4*utsLen + zoneLen},
}

// begun says whether a file has the header that w is about to write. If not,
// there is at most the beginning of that header in it, and zeros.
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

// otherError says how a file differs from what the options make.
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
			return fmt.Errorf("file %s was written with %s, and the recorder has %s: %w", f.Name(), was[i], is[i], ErrOther)
		}
	}
	return fmt.Errorf("file %s: the records of the file have other sizes than the records of the recorder: %w", f.Name(), ErrOther)
}

// traits are what a file is told apart by, in words.
func traits(h *Header) []string {
	list := []string{
		fmt.Sprintf("format %#x", h.Format), fmt.Sprintf("big-endian %t", h.BigEndian),
		"sysstat " + h.Version.String(), fmt.Sprintf("host %q", h.Hostname),
		fmt.Sprintf("kernel %q", h.Release), fmt.Sprintf("machine %q", h.Machine),
		fmt.Sprintf("%d CPUs", h.CPUs), fmt.Sprintf("%d activities", len(h.Activities)),
	}
	for _, a := range h.Activities {
		list = append(list, fmt.Sprintf("activity %d of %d bytes", a.ID, a.Size))
	}
	return list
}

// readTail reads a file and returns where its last whole record ends.
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

// again makes r read once more what stands behind the last record that it is
// sure of, and keep what may be whole.
func (r *Reader) again(f *os.File) error {
	r.mends, r.stopped, r.eof = true, nil, false
	r.buffers = [2][]byte{} // the old ones hold the last record
	r.buf, r.pos, r.base = nil, 0, r.whole
	_, err := f.Seek(r.whole, io.SeekStart)
	return err
}

// cut removes what stands behind the end of the last whole record.
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

// trailingZeros counts the zeros at the end of a file, from an offset on, and
// says whether there is nothing else.
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
