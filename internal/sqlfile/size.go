package sqlfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Used returns the number of bytes of the file that are in use.
func (f *File) Used(ctx context.Context) (n int64, err error) {
	err = f.readers.QueryRowContext(ctx, `SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size`).Scan(&n)
	return n, err
}

// Bytes returns the size of the file and of its write-ahead log.
func (f *File) Bytes() (n int64) {
	for _, name := range []string{f.path, f.path + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			n += info.Size()
		}
	}
	return n
}

// Verify reads the whole file, and compares each index with its table. It needs seconds for each
// gigabyte.
func (f *File) Verify(ctx context.Context) error {
	var verdict string
	err := f.readers.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&verdict)
	if err == nil && verdict != "ok" {
		err = fmt.Errorf("%w (%s)", ErrDamaged, strings.Join(strings.Fields(verdict), " "))
	}
	if err != nil {
		return f.named(err)
	}
	return nil
}

// Release returns the free pages of the file to the file system.
func (f *File) Release(ctx context.Context) error {
	f.writing.Lock()
	defer f.writing.Unlock()
	rows, err := f.writer.QueryContext(ctx, `PRAGMA incremental_vacuum`)
	if err != nil {
		return f.named(err)
	}
	for rows.Next() { // each step returns a page
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return f.named(err)
	}
	return nil
}

// Backup writes a copy of the file and its checksums, while others read and write the file. The
// copy must not exist before. Only its owner may read it.
func (f *File) Backup(ctx context.Context, path string) error {
	path, err := filepath.Abs(path) // SQLite takes a relative path for the name of a host
	if err != nil {
		return err
	}
	to, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("backup %s: the file exists; name another file, or remove this file", path)
	}
	if err != nil {
		return fmt.Errorf("the backup of %s failed: %w", f.path, err)
	}
	if err = f.copyInto(ctx, path); err == nil {
		err = to.Sync()
	}
	if err == nil {
		(&File{path: path, raw: to}).writeSums()
	}
	if err = errors.Join(err, to.Close()); err != nil {
		os.Remove(path)
		return fmt.Errorf("the backup cannot be written to %s: %w", path, f.named(err))
	}
	return nil
}

func (f *File) copyInto(ctx context.Context, path string) error {
	copier, err := connect(f.path)
	if err != nil {
		return err
	}
	defer copier.Close()
	if _, err = copier.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		return err
	}
	// Open uses a write-ahead log. SQLite stores this mode in the file, so it must be set before
	// the checksums of the copy are computed.
	copied, err := connect(path, "journal_mode(wal)")
	if err != nil {
		return err
	}
	return errors.Join(copied.PingContext(ctx), copied.Close())
}
