package record

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// An output is the file being written. It is locked while it is open.
type output struct {
	day
	path  string
	begun time.Time
	f     *os.File
	w     *sysstat.Writer
	last  time.Time   // Stats
	skew  int64       // by which the writer's offset is ahead of the file's, see cut
	torn  bool        // more stands in the file than was meant to
	named atomic.Bool // the name is on the disk
	state unix.Stat_t // when last asked for
}

// appending makes each record stand at the end, wherever others have moved
// that: a file that was truncated gets no hole.
const appending = os.O_RDWR | os.O_APPEND

// create begins a file. It gets its name when its header is whole, so that a
// crash leaves none that cannot be read. Nothing is synced: that is slow.
func create(path string, opts sysstat.WriterOptions, restarted bool) (*output, error) {
	o := &output{day: dayOf(opts.Created), path: path, begun: opts.Created}
	made := part(path)
	f, err := os.OpenFile(made, appending|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	o.f = f
	if err = o.head(made, opts, restarted); err != nil {
		f.Close()
		os.Remove(made)
		return nil, err
	}
	return o, nil
}

// head writes what stands ahead of the samples.
func (o *output) head(made string, opts sysstat.WriterOptions, restarted bool) (err error) {
	if err = lock(o.f, made); err != nil {
		return err
	}
	if o.w, err = sysstat.NewWriter(o.f, opts); err != nil {
		return err
	}
	if restarted {
		if err = o.w.WriteRestart(opts.Created, opts.CPUs); err != nil {
			return err
		}
	}
	return os.Rename(made, o.path)
}

// goOn opens a file that exists, cutting off what a crash left of a record.
func goOn(path string, begin time.Time, opts sysstat.WriterOptions) (*output, sysstat.Tail, error) {
	f, err := openLocked(path, appending)
	if err != nil {
		return nil, sysstat.Tail{}, err
	}
	w, tail, err := sysstat.Append(f, opts)
	if err != nil {
		f.Close()
		return nil, tail, err
	}
	uncache(f)
	return &output{day: dayOf(begin), path: path, begun: begin, f: f, w: w}, tail, nil
}

// size is that of the file, but for what was torn.
func (o *output) size() int64 {
	return o.w.Offset() - o.skew
}

// What others may have done to the file.
const (
	fileRemoved   = "file removed"
	fileTruncated = "file truncated"
	fileWritten   = "file written by others"
	fileMoved     = "file moved"
)

// spoilt says what others have done to the file, "" for nothing.
func (o *output) spoilt() string {
	switch err := unix.Fstat(int(o.f.Fd()), &o.state); {
	case err != nil:
		return "" // the next write will tell
	case o.state.Nlink == 0:
		return fileRemoved
	case o.state.Size < o.size():
		return fileTruncated
	case o.state.Size > o.size() && !o.torn:
		return fileWritten
	}
	return ""
}

// discard removes the name of a file that was emptied: it says nothing, and
// no one can read it.
func (o *output) discard() {
	if o.state.Size == 0 && stands(o.f, o.path) {
		_ = os.Remove(o.path)
	}
}

// write writes comments and the sample that they stand ahead of, if there is
// one, all or nothing.
func (o *output) write(t time.Time, uptime uint64, s *sysstat.Sample, comments ...[]string) error {
	size := o.size()
	if o.torn {
		if err := o.cut(size); err != nil {
			return o.failed(err)
		}
	}
	if err := o.records(t, uptime, s, comments); err != nil {
		o.torn = true
		o.skew = o.w.Offset() - size
		_ = o.cut(size) // if it fails, the next write will tell
		return o.failed(err)
	}
	o.last = t
	return nil
}

func (o *output) failed(err error) error {
	return fmt.Errorf("writing %s: %w", o.path, bare(err))
}

func (o *output) records(t time.Time, uptime uint64, s *sysstat.Sample, comments [][]string) error {
	for _, group := range comments {
		for _, c := range group {
			if err := o.w.WriteComment(t, clip(c)); err != nil {
				return err
			}
		}
	}
	if s == nil {
		return nil
	}
	return o.w.WriteStats(t, uptime, s)
}

// cut shortens the file to what is whole.
func (o *output) cut(size int64) error {
	if err := o.f.Truncate(size); err != nil {
		return err
	}
	if _, err := o.f.Seek(size, io.SeekStart); err != nil {
		return err
	}
	o.torn = false
	return nil
}

// close ends the file, for good or until the next start.
func (o *output) close() error {
	err := o.secure(syncData, syncDir)
	if failed := o.f.Close(); err == nil {
		err = failed
	}
	return err
}

// secure brings the file to the disk, and its name where that is new.
func (o *output) secure(syncData func(*os.File) error, syncDir func(string) error) error {
	err := syncData(o.f)
	if err == nil && !o.named.Load() {
		err = syncDir(filepath.Dir(o.path))
		o.named.Store(err == nil)
	}
	return err
}
