package outfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Write has write produce the content of the file at path. Where that fails,
// a regular file stays as it was. The end of ctx ends the wait for whoever
// reads a FIFO, and nothing else.
func Write(ctx context.Context, path string, write func(io.Writer) error) error {
	t, err := find(path)
	if err == nil {
		err = t.write(ctx, write)
	}
	if err != nil {
		return unwritable(path, err)
	}
	return nil
}

// WritePrivate is Write of a file that nobody but its owner may read, unless one that
// others may read is replaced.
func WritePrivate(ctx context.Context, path string, write func(io.Writer) error) error {
	t, err := find(path)
	t.isPrivate = true
	if err == nil {
		err = t.write(ctx, write)
	}
	if err != nil {
		return unwritable(path, err)
	}
	return nil
}

// Check says why a file could not be written at path, as far as that can be
// known before. It changes nothing.
func Check(path string) error {
	t, err := find(path)
	if err == nil && t.replaced {
		err = mayReplace(t)
	}
	if err != nil {
		return unwritable(path, err)
	}
	return nil
}

// unwritable is the error of a user's path. Its cause names no path: that
// would be of a temporary file.
func unwritable(path string, err error) error {
	return fmt.Errorf("%s cannot be written: %w", path, bare(err))
}

// bare is an error without the path that an operation was tried on.
func bare(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

// mayReplace says why a regular file, or none, may not be replaced.
func mayReplace(t target) error {
	dir := filepath.Dir(t.path)
	if err := writableDir(dir); err != nil {
		return fmt.Errorf("no file can be created in directory %s: %w", dir, bare(err))
	}
	if t.there == nil {
		return nil
	}
	f, err := os.OpenFile(t.path, os.O_WRONLY|nonBlocking|noFollow, 0) // a file that is read-only is meant to stay
	if err != nil {
		return err
	}
	return f.Close()
}

// write writes the target by the way that suits it.
func (t target) write(ctx context.Context, write func(io.Writer) error) error {
	if t.replaced {
		return replace(t, write)
	}
	return writeThrough(ctx, t, write)
}

// writeThrough writes into what stands at the path.
func writeThrough(ctx context.Context, t target, write func(io.Writer) error) error {
	f, err := t.open(ctx)
	if err != nil {
		return err
	}
	if t.isFIFO() { // its reader may stop reading
		defer context.AfterFunc(ctx, func() { _ = f.SetWriteDeadline(time.Unix(1, 0)) })()
	}
	if err := fill(f, write); err != nil {
		f.Close()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return fmt.Errorf("the reader of the FIFO has stopped reading: %w", ctx.Err())
		}
		return err
	}
	_ = f.Sync() // most of what is no file cannot be synced
	return f.Close()
}

// fill writes the content to a file.
func fill(f *os.File, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(nameless{f}, 1<<16)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}

// nameless is a file whose errors do not name it, however they are wrapped.
type nameless struct{ f *os.File }

// Write writes to the file.
func (n nameless) Write(p []byte) (int, error) {
	written, err := n.f.Write(p)
	return written, bare(err)
}
