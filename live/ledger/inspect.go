package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// OpenCopy opens a copy of a ledger in a temporary directory, because SQLite changes files even if
// limpet only reads the ledger. No process may use the ledger meanwhile. OpenCopy reads the whole
// ledger. It returns the same errors as Open. In addition, it returns an error if the indexes of
// the ledger are damaged. The returned function closes and removes the copy.
func OpenCopy(ctx context.Context, path string) (*Ledger, func(), error) {
	dir, err := os.MkdirTemp("", "limpet-check-")
	if err != nil {
		return nil, nil, err
	}
	to := filepath.Join(dir, filepath.Base(path))
	for _, suffix := range []string{"", "-wal", "-sum"} {
		err = copyTo(path+suffix, to+suffix)
		if suffix == "-wal" && errors.Is(err, fs.ErrNotExist) || suffix == "-sum" { // without the file of checksums, Ledger.Unchecked returns a reason
			err = nil
		}
		if err != nil {
			os.RemoveAll(dir)
			return nil, nil, err
		}
	}
	l, err := Open(ctx, to)
	if err == nil {
		if err = l.file.Verify(ctx); err != nil {
			l.Close()
		}
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, nil, &copyError{err, to, path}
	}
	return l, func() {
		l.Close()
		os.RemoveAll(dir)
	}, nil
}

// copyError is an error about a copy. Its text names the original.
type copyError struct {
	error
	copied, original string
}

func (e *copyError) Error() string { return strings.ReplaceAll(e.error.Error(), e.copied, e.original) }

func (e *copyError) Unwrap() error { return e.error }

func copyTo(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", from)
	}
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	// The copy gets the time of the original file. If a page differs from its checksum, this time
	// shows the cause. If another program has changed the file, the file has a later time. A failing
	// disk does not change the time.
	return errors.Join(err, out.Close(), os.Chtimes(to, time.Time{}, info.ModTime()))
}
