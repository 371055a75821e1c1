package sysstat

import (
	"errors"
	"fmt"
	"io"
)

// A record is a header and the data for its type:
//
//	uptime u64, time u64, extra u32, type, hour, minute, second   header
//	[extra] { [count i32] count × item } of each activity         Stats
//	CPUs i32 [extra]                                              Restart
//	text [64] [extra]                                             Comment
//
// extra is a chain of structures, for later versions of sysstat.

// A fault is the reason why a record cannot be read.
type fault string

const (
	noRecord   fault = "the next record is missing"
	endsInside fault = "the file ends inside a record"
	badCount   fault = "a record states an impossible number of items"
	tooDamaged fault = "more than 256 MB of the file are not records, so the rest of the file is left out: restore the file from a backup"
	badExtra   fault = "a record states an impossible number or size of extra structures"
)

func (f fault) Error() string { return string(f) }

// walk returns the length of the record at r.pos, and stores the places of its items. The error is
// a fault if the record is damaged.
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

// walkItems walks over the items of each activity, from n bytes into the record.
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

// skipExtra skips a chain of extra structures, from n bytes into the record. Each kind
// begins with a descriptor: the number and the size of its structures, and whether another kind
// follows. The structures come after the descriptor.
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
		return r.bad("the header states an impossible number or size of extra structures")
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

// require reads until n bytes from r.pos on are available.
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

// fill reads until n bytes from r.pos on are available; whole is false if the file ends before. If
// wait is set, fill waits for more bytes of a file that is being written.
func (r *Reader) fill(n int, wait bool) (whole bool, err error) {
	for len(r.buf)-r.pos < n {
		if r.eof {
			return false, nil
		}
		r.makeRoom(n)
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

// read reads the next bytes of the file.
func (r *Reader) read(b []byte) (int, error) {
	if r.tail.returnsAtEnd() {
		return r.tail.read(b, r.base+int64(len(r.buf)))
	}
	return r.src.Read(b)
}

// readError returns nil at the end of the file, and if compressed data are cut off: then it warns
// that the rest is lost. Otherwise it returns the error.
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
	case r.tail != nil && !r.tail.returnsAtEnd() && r.tail.ctx.Err() != nil:
		return err
	default:
		return fmt.Errorf("%s: %w", r.file.File, err)
	}
	return nil
}

// makeRoom makes room for a read. The first time in a call of Next, it copies the rest to the other
// buffer, because this buffer holds the record before; later times it stays in that buffer.
func (r *Reader) makeRoom(n int) {
	if len(r.buf) < cap(r.buf) && (r.pos == 0 || r.pos+n <= cap(r.buf)) {
		return
	}
	rest, into := r.buf[r.pos:], r.buf[:0]
	if !r.moved {
		r.moved = true
		r.turn ^= 1
		into = r.buffers[r.turn][:0]
	}
	// A damaged count may be large: grow only with the bytes that were read.
	if size := max(bufferSize, min(n, 2*len(rest))); cap(into) < size {
		into = make([]byte, 0, size)
	}
	into = append(into, rest...)
	r.buf = into
	r.buffers[r.turn] = r.buf[:cap(r.buf)]
	r.base += int64(r.pos)
	r.pos = 0
}

// offset returns the offset of r.pos in the file.
func (r *Reader) offset() int64 {
	return r.base + int64(r.pos)
}
