package sysstat

import (
	"errors"
	"fmt"
	"io"
)

// A record is a header and what its type calls for:
//
//	uptime u64, time u64, extra u32, type, hour, minute, second   header
//	[extra] { [count i32] count × item } of each activity         Stats
//	CPUs i32 [extra]                                              Restart
//	text [64] [extra]                                             Comment
//
// extra is a chain of structures for versions to come.

// A fault is what is wrong with a record.
type fault string

const (
	noRecord   fault = "the next record is missing"
	endsInside fault = "the file ends inside a record"
	badCount   fault = "a record states an impossible number of items"
	tooDamaged fault = "more than 256 MB of the file are not records, so the rest of the file is left out: restore the file from a backup"
	badExtra   fault = "a record has impossible extra structures"
)

func (f fault) Error() string { return string(f) }

// walk measures the record at r.pos and notes where its items stand. Its
// error is a fault where the record is to blame.
func (r *Reader) walk(rec *Record, limit int) (n int, err error) {
	f := r.file
	n = f.recordSize
	extra := f.order.load(r.buf[r.pos:], f.extraAt) != 0
	if extra && rec.Type != Restart && rec.Type != Comment {
		if n, err = r.skipExtra(n); err != nil {
			return n, err
		}
	}
	rec.data = n
	switch rec.Type {
	case Stats:
		n, err = r.walkItems(rec, n, limit)
	case Restart:
		n += f.restartSize()
	case Comment:
		n += commentLen
	}
	if extra && (rec.Type == Restart || rec.Type == Comment) {
		n, err = r.skipExtra(n)
	}
	if err != nil {
		return n, err
	}
	return n, r.require(n)
}

// walkItems goes over the items of each activity, n bytes into the record.
func (r *Reader) walkItems(rec *Record, n, limit int) (int, error) {
	f := r.file
	for i := range f.Activities {
		a, count := &f.Activities[i], f.counts[i]
		if a.Varies {
			if err := r.require(n + 4); err != nil {
				return n, err
			}
			count = int(f.order.u32(r.buf[r.pos+n:]))
			n += 4
		}
		if uint(count) > uint(a.most) {
			return n, badCount
		}
		rec.items[i] = span{n, count}
		if n += count * a.unit; n > limit {
			return n, badCount
		}
	}
	return n, nil
}

// skipExtra skips a chain of extra structures, n bytes into the record: of
// each kind their count, size and whether more follow, then the structures.
func (r *Reader) skipExtra(n int) (int, error) {
	const descriptor, maxCount, maxSize, maxChain = 24, 8192, 1024, 256
	o := r.file.order
	for range maxChain {
		if err := r.require(n + descriptor); err != nil {
			return n, err
		}
		b := r.buf[r.pos+n:]
		count, size, next := o.u32(b), o.u32(b[4:]), o.u32(b[8:])
		types := triple{o.u32(b[12:]), o.u32(b[16:]), o.u32(b[20:])}
		if count > maxCount || size > maxSize || types.size() > uint64(size) {
			return n, badExtra
		}
		if n += descriptor + int(count*size); next == 0 {
			return n, nil
		}
	}
	return n, badExtra
}

// skipHeaderExtra skips the extra structures between header and records.
func (r *Reader) skipHeaderExtra() error {
	n, err := r.skipExtra(0)
	if err == nil {
		err = r.require(n)
	}
	switch err {
	case endsInside:
		return r.bad("the file ends inside its header")
	case badExtra:
		return r.bad("the header has impossible extra structures")
	}
	r.pos += n
	return err
}

func (f *file) restartSize() int {
	switch f.Format {
	case format2170, format2171:
		return 0
	case format2173:
		return f.volatile * legacyActivitySize
	}
	return 4
}

// require makes n bytes from r.pos on available.
func (r *Reader) require(n int) error {
	if len(r.buf)-r.pos >= n {
		return nil
	}
	whole, err := r.fill(n, true)
	if err == nil && !whole {
		err = endsInside
	}
	return err
}

// fill reads until n bytes from r.pos on are there; not whole means that the
// file ends before. A file that is being written is waited for if so told.
func (r *Reader) fill(n int, wait bool) (whole bool, err error) {
	for len(r.buf)-r.pos < n {
		if r.eof {
			return false, nil
		}
		r.room(n)
		m, err := r.read(r.buf[len(r.buf):cap(r.buf)])
		r.buf = r.buf[:len(r.buf)+m]
		if err == nil || m > 0 && err == io.EOF {
			continue
		}
		if err == io.EOF && r.tail != nil {
			if !wait {
				return false, nil
			}
			err = r.tail.wait(r.base + int64(len(r.buf)))
		}
		if err := r.readError(err); err != nil {
			return false, err
		}
	}
	return true, nil
}

// read reads on behind what the buffer holds.
func (r *Reader) read(b []byte) (int, error) {
	if r.tail.asks() {
		return r.tail.read(b, r.base+int64(len(r.buf)))
	}
	return r.src.Read(b)
}

// readError sorts out why reading stopped: the end, compressed data that
// break off, which cost what follows, or a failure.
func (r *Reader) readError(err error) error {
	var broken *brokenError
	switch {
	case err == nil:
	case err == ErrMore:
		return err
	case err == io.EOF:
		r.eof = true
	case errors.As(err, &broken):
		r.eof, r.broken = true, broken
		r.warn(r.base+int64(len(r.buf)), 0, fault(broken.Error()))
	case r.tail != nil && !r.tail.asks() && r.tail.ctx.Err() != nil:
		return err
	default:
		return fmt.Errorf("%s: %w", r.file.File, err)
	}
	return nil
}

// room makes place to read into. The first move in a Next goes to the other
// buffer, since this one holds the record before; later ones stay there.
func (r *Reader) room(n int) {
	if len(r.buf) < cap(r.buf) && (r.pos == 0 || r.pos+n <= cap(r.buf)) {
		return
	}
	rest, into := r.buf[r.pos:], r.buf[:0]
	if !r.moved {
		r.moved = true
		r.turn ^= 1
		into = r.buffers[r.turn][:0]
	}
	// A damaged count may ask for much: grow with what is really there.
	if size := max(bufferSize, min(n, 2*len(rest))); cap(into) < size {
		into = make([]byte, 0, size)
	}
	into = append(into, rest...)
	r.buf = into
	r.buffers[r.turn] = r.buf[:cap(r.buf)]
	r.base += int64(r.pos)
	r.pos = 0
}

// offset is that of r.pos in the file.
func (r *Reader) offset() int64 {
	return r.base + int64(r.pos)
}
