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

// Write calls write to produce the content of the file at path. After an error, a regular file is
// unchanged. The end of ctx only stops waiting for the reader of a FIFO.
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

// WritePrivate is like Write, but only the owner may read a new file. A file that is replaced keeps
// its mode.
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

// Check returns an error if Write would fail at path, as far as this can be known before. It
// changes nothing.
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

// unwritable returns the error for a path of the user. It removes the path of the cause, which may
// be the path of a temporary file.
func unwritable(path string, err error) error {
	return fmt.Errorf("%s cannot be written: %w", path, bare(err))
}

// bare returns an error without the path of the file.
func bare(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

// mayReplace returns an error if a regular file may not be replaced, or if a new file may not be
// created.
func mayReplace(t target) error {
	dir := filepath.Dir(t.path)
	if err := writableDir(dir); err != nil {
		return fmt.Errorf("no file can be created in directory %s: %w", dir, bare(err))
	}
	if t.there == nil {
		return nil
	}
	f, err := os.OpenFile(t.path, os.O_WRONLY|nonBlocking|noFollow, 0) // a read-only file must not be replaced
	if err != nil {
		return err
	}
	return f.Close()
}

// write replaces the target, or writes to it directly.
func (t target) write(ctx context.Context, write func(io.Writer) error) error {
	if t.replaced {
		return replace(t, write)
	}
	return writeThrough(ctx, t, write)
}

// writeThrough writes directly to a device, a FIFO or a descriptor.
func writeThrough(ctx context.Context, t target, write func(io.Writer) error) error {
	f, err := t.open(ctx)
	if err != nil {
		return err
	}
	if t.isFIFO() { // the reader may stop reading
		defer context.AfterFunc(ctx, func() { _ = f.SetWriteDeadline(time.Unix(1, 0)) })()
	}
	if err := fill(f, write); err != nil {
		f.Close()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return fmt.Errorf("the reader of the FIFO has stopped reading: %w", ctx.Err())
		}
		return err
	}
	_ = f.Sync() // most devices and FIFOs cannot be synced
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

// nameless is a file whose errors do not contain its path.
type nameless struct{ f *os.File }

// Write writes to the file.
func (n nameless) Write(p []byte) (int, error) {
	written, err := n.f.Write(p)
	return written, bare(err)
}
