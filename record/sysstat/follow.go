package sysstat

import (
	"context"
	"io"
	"io/fs"
	"os"
	"time"
)

// tail is the end of a file that is being written.
type tail struct {
	ctx  context.Context
	path string
	file *os.File
	poll time.Duration // 0: Next does not wait at the end of the file, see JoinGrowing
	gone bool          // the file was replaced; the rest of it is read
	head []byte        // header of the file; a file with another header was overwritten
	// Only if poll is 0:
	is    fs.FileInfo // identity of the file
	size  int64       // last known size; 0: not known
	again []byte      // buffer for reading the header again
}

// returnsAtEnd reports whether Next returns at the end of the file instead of waiting.
func (t *tail) returnsAtEnd() bool { return t != nil && t.poll == 0 }

// read reads at an offset, but not beyond the last known size: a read at the end of the file costs
// as much as the read of a record.
func (t *tail) read(b []byte, at int64) (int, error) {
	switch {
	case t.size == 0:
	case at >= t.size:
		return 0, io.EOF
	default:
		b = b[:min(int64(len(b)), t.size-at)]
	}
	return t.file.ReadAt(b, at)
}

// Follow reads a file that is being written. At the end of the file, Next checks for more bytes at
// intervals of poll. It returns a record when the record is whole.
//
// When ctx is done, Next returns its error. When another file replaces the file, or the file is cut
// short, as a rotation does, Next returns io.EOF after the last record; call Follow again to read
// the new file. A compressed file cannot be followed.
func Follow(ctx context.Context, path string, poll time.Duration) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := newReader(path)
	r.src, r.close = f, f.Close
	r.tail = &tail{ctx: ctx, path: path, file: f, poll: max(poll, time.Millisecond)}
	if err := r.start(); err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

// wait returns nil when there may be more than size bytes, io.EOF when there will be no more, and
// ErrMore at once if poll is 0.
func (t *tail) wait(size int64) error {
	if t.gone {
		return io.EOF
	}
	if t.returnsAtEnd() {
		return ErrMore
	}
	select {
	case <-t.ctx.Done():
		return t.ctx.Err()
	case <-time.After(t.poll):
	}
	t.gone = t.replaced(size)
	return nil
}

// replaced reports whether the path now names another file, or the file is shorter than size.
func (t *tail) replaced(size int64) bool {
	now, err := os.Stat(t.path)
	if err != nil {
		return os.IsNotExist(err)
	}
	was, err := t.file.Stat()
	return err == nil && (!os.SameFile(was, now) || now.Size() < size)
}
