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
	poll time.Duration // 0: it is asked again and does not wait, see JoinGrowing
	gone bool          // the file was replaced; what it still holds is read
	head []byte        // the file's header, by which a file that was written anew is told
	// Of files that are asked again:
	is    fs.FileInfo // which file it is
	size  int64       // how long it was seen to be, 0: nobody has looked
	again []byte      // room to read the header again
}

// asks says whether Next returns at the end of the file instead of waiting.
func (t *tail) asks() bool { return t != nil && t.poll == 0 }

// read reads at an offset of a file that is asked again, as far as it was seen to go: to
// hear that there is no more costs as much as to read a record.
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

// Follow reads a file that is being written: where the file ends, Next looks
// every poll for more, and a record is handed out once it is whole.
//
// Next returns the error of ctx once that is done. When another file takes
// the path or the file is cut short, as rotation does, Next returns io.EOF
// after the last record; a further Follow then reads the new file. A file
// that is compressed cannot be followed.
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

// wait returns when there may be more than size bytes, io.EOF when there
// never will be.
func (t *tail) wait(size int64) error {
	if t.gone {
		return io.EOF
	}
	if t.asks() {
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

// replaced says whether the path is no longer the file that is read.
func (t *tail) replaced(size int64) bool {
	now, err := os.Stat(t.path)
	if err != nil {
		return os.IsNotExist(err)
	}
	was, err := t.file.Stat()
	return err == nil && (!os.SameFile(was, now) || now.Size() < size)
}
