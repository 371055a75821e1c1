package dayfile

import (
	"io"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// OpenFlags open a file for Create and Continue. Each record goes to the end of
// the file: a file that another process has truncated gets no hole.
const OpenFlags = os.O_RDWR | os.O_APPEND

// A File is an activity file that is being written. One goroutine writes it.
// Another may sync it at the same time.
type File struct {
	Path string

	f *os.File
	w *sysstat.Writer
	// offsetLead is the number of bytes by which the offset of w is ahead of the size of the file.
	// These bytes were written in part, and then cut off.
	offsetLead int64
	// torn reports that a write failed and its bytes are not cut off yet.
	torn       bool
	nameSynced atomic.Bool
	stat       unix.Stat_t // result of the last call of Changes
}

// Create writes the header into f, which the caller has made at PartPath(path), and renames it to
// path. If restarted is set, the first record is a restart of the host. Create does not sync,
// because that is slow. After an error, f is closed and removed.
func Create(f *os.File, path string, o sysstat.WriterOptions, restarted bool) (*File, error) {
	file := &File{Path: path, f: f}
	if err := file.writeHeader(o, restarted); err != nil {
		f.Close()
		os.Remove(PartPath(path))
		return nil, err
	}
	return file, nil
}

func (f *File) writeHeader(o sysstat.WriterOptions, restarted bool) (err error) {
	if f.w, err = sysstat.NewWriter(f.f, o); err != nil {
		return err
	}
	if restarted {
		if err := f.w.WriteRestart(o.Created, o.CPUs); err != nil {
			return err
		}
	}
	return os.Rename(PartPath(f.Path), f.Path)
}

// Continue prepares f, which the caller has opened at path, for more records. It cuts off an
// incomplete record at the end. After an error, f is closed; the error is sysstat.ErrOther if a new
// file must be begun.
func Continue(f *os.File, path string, o sysstat.WriterOptions) (*File, sysstat.Tail, error) {
	w, tail, err := sysstat.Append(f, o)
	if err != nil {
		f.Close()
		return nil, tail, err
	}
	return &File{Path: path, f: f, w: w}, tail, nil
}

// Size returns the number of bytes of the header and all whole records.
func (f *File) Size() int64 { return f.w.Offset() - f.offsetLead }

// Write calls records, which writes the records of one sample. If that fails, Write truncates the
// file to its previous size.
func (f *File) Write(records func(*sysstat.Writer) error) error {
	size := f.Size()
	if f.torn {
		if err := f.cut(size); err != nil {
			return err
		}
	}
	if err := records(f.w); err != nil {
		f.torn = true
		f.offsetLead = f.w.Offset() - size
		_ = f.cut(size) // the next Write tries again
		return err
	}
	return nil
}

// cut shortens the file to size, the end of its last whole record.
func (f *File) cut(size int64) error {
	if err := f.f.Truncate(size); err != nil {
		return err
	}
	if _, err := f.f.Seek(size, io.SeekStart); err != nil {
		return err
	}
	f.torn = false
	return nil
}

// The changes that other processes can make to a file.
const (
	Removed   = "file removed"
	Truncated = "file truncated"
	Written   = "file written by others"
)

// Changes returns Removed, Truncated or Written; empty: no other process has changed the file.
func (f *File) Changes() string {
	switch err := unix.Fstat(int(f.f.Fd()), &f.stat); {
	case err != nil:
		return "" // the next Write fails
	case f.stat.Nlink == 0:
		return Removed
	case f.stat.Size < f.Size():
		return Truncated
	case f.stat.Size > f.Size() && !f.torn:
		return Written
	}
	return ""
}

// HasName reports whether Path still names this file. Another process may have
// moved, removed or replaced it.
func (f *File) HasName() bool {
	var named, open unix.Stat_t
	return unix.Lstat(f.Path, &named) == nil && unix.Fstat(int(f.f.Fd()), &open) == nil &&
		named.Ino == open.Ino && named.Dev == open.Dev
}

// RemoveEmpty removes the file if the last call of Changes found it empty. A file without a header
// cannot be read.
func (f *File) RemoveEmpty() {
	if f.stat.Size == 0 && f.HasName() {
		_ = os.Remove(f.Path)
	}
}

// Day returns the midnight (UTC) before t.
func Day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }
