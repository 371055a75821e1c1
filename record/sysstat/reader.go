package sysstat

import (
	"io"
	"os"
)

// bufferSize is the number of bytes that are read at once: large enough to make system calls rare,
// small enough for two buffers to stay in a core's cache.
const bufferSize = 64 << 10

// A Reader reads the records of an activity file in order.
//
// Records are returned from two buffers in turn. While one buffer is filled, the other keeps the
// record before. So a record stays valid until the second following Next, without a copy.
type Reader struct {
	file  *file
	src   io.Reader
	close func() error
	tail  *tail // set while the file is being written, see Follow and JoinGrowing

	buffers [2][]byte
	turn    int    // index of the buffer in use
	buf     []byte // content of the buffer in use
	pos     int    // place of the next record in buf
	base    int64  // offset of buf in the file
	eof     bool
	moved   bool // the buffers were changed in this Next

	records      [2]Record
	last         *Record // record that was returned last
	kept         *Record // record that was returned before last
	probe        Record  // header that is looked at in advance
	longest      int     // bytes of the longest record so far
	whole        int64   // end of the last record, or of the header
	used         int64   // bytes of all records
	keepDoubtful bool    // a doubtful record is kept, see Append
	stopped      error
	waits        bool  // Next reached the end of a growing file, and continues there
	lost         *loss // damaged stretch whose end was not found yet
	damaged      int64 // bytes of the stretches whose ends were found

	lastTime   int64  // time of the last record; 0: no record yet
	lastOffset int    // its offset from UTC
	lastUptime uint64 // uptime of the last Stats
	restart    bool   // a Restart came since

	inventory Inventory
	broken    error // error at which the compressed data ended early; nil: none
	warnings  []Warning
	unlisted  int // number of further warnings
}

// Open opens a file. The file may be compressed with xz, zstd, gzip or bzip2.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := NewReader(f, path)
	if err != nil {
		f.Close()
		return nil, err
	}
	stop := r.close
	r.close = func() error {
		stop()
		return f.Close()
	}
	return r, nil
}

// NewReader reads a file from src; src may be compressed. The name is for errors and warnings.
func NewReader(src io.Reader, name string) (*Reader, error) {
	r := newReader(name)
	if err := r.decompress(src); err != nil {
		return nil, err
	}
	if err := r.start(); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func newReader(name string) *Reader {
	r := &Reader{file: &file{index: map[uint32]int{}}, close: func() error { return nil }}
	r.file.File = name
	r.buffers[0] = make([]byte, bufferSize)
	r.buf = r.buffers[0][:0]
	return r
}

// start reads the header.
func (r *Reader) start() error {
	if err := r.readHeader(); err != nil {
		return err
	}
	for _, rec := range []*Record{&r.records[0], &r.records[1], &r.probe} {
		rec.items = make([]span, len(r.file.Activities))
	}
	r.whole = r.offset()
	return nil
}

// Close closes the file.
func (r *Reader) Close() error {
	return r.close()
}

// Header returns the header of the file.
func (r *Reader) Header() *Header {
	return &r.file.Header
}

// Inventory returns the devices and addresses from the comments so far.
func (r *Reader) Inventory() *Inventory {
	return &r.inventory
}

// Next returns the next record, or io.EOF. The record stays valid until the second following call.
func (r *Reader) Next() (*Record, error) {
	if !r.waits {
		r.kept, r.moved = r.last, false
	}
	return r.next()
}

// replaceLast replaces the record that Next returned last by the record after it; the record before
// it stays valid.
func (r *Reader) replaceLast() (*Record, error) {
	r.last = r.kept
	return r.next()
}

func (r *Reader) next() (*Record, error) {
	for r.stopped == nil {
		rec := &r.records[0]
		if r.last == rec {
			rec = &r.records[1]
		}
		ok, err := r.advance(rec)
		if r.waits = err == ErrMore; r.waits {
			r.unread()
			return nil, ErrMore
		}
		r.stopped = err
		if ok {
			r.last = rec
			return rec, nil
		}
	}
	return nil, r.stopped
}

// advance reads one record; ok is false if the record is not returned to the caller.
func (r *Reader) advance(rec *Record) (ok bool, err error) {
	if r.lost != nil {
		return false, r.resync("")
	}
	if whole, err := r.fill(r.file.recordSize, true); err != nil || !whole {
		return false, r.end(err)
	}
	if !rec.parse(r.file, r.buf[r.pos:]) || !r.follows(rec) {
		return false, r.resync(noRecord)
	}
	n, err := r.walk(rec, maxRecordSize)
	if why, ok := err.(fault); ok {
		return false, r.resync(why)
	}
	if err != nil {
		return false, err
	}
	next, err := r.ahead(rec, n)
	if err != nil {
		return false, err
	}
	rec.body = r.buf[r.pos : r.pos+n]
	if next == nothing && !r.intact(rec) || (next != record || n > r.longest) && r.swallows(rec) {
		return false, r.resync(noRecord)
	}
	return r.accept(rec), nil
}

// accept moves to the end of a record, and reports whether the record is returned to the caller.
func (r *Reader) accept(rec *Record) bool {
	rec.Offset = r.offset()
	r.pos += len(rec.body)
	r.whole = r.offset()
	r.used += int64(len(rec.body))
	r.longest = max(r.longest, len(rec.body))
	switch rec.Type {
	case Stats:
		r.inventory.settle(rec)
		rec.Restarted = r.restart || rec.Uptime < r.lastUptime
		r.restart, r.lastUptime = false, rec.Uptime
	case Restart:
		rec.CPUCount = r.file.restarted(rec.body[rec.data:])
		r.restart = true
	case Comment:
		r.inventory.Add(rec.Comment())
	default:
		return false
	}
	r.lastTime, r.lastOffset = rec.Time, rec.UTCOffset
	return true
}

// end returns err, or io.EOF at the end of the file. It warns if the file ends inside a record.
func (r *Reader) end(err error) error {
	if err != nil {
		return err
	}
	if left := int64(len(r.buf) - r.pos); left > 0 {
		r.warn(r.offset(), left, endsInside)
	}
	return io.EOF
}
