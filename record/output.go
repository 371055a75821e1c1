package record

import (
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/limpet-storage/limpet/sysstat"
)

// An output is the file being written. It is locked while it is open.
type output struct {
	day
	path string
	f    *os.File
	w    *sysstat.Writer
	last time.Time // Stats
	skew int64     // by which the writer's offset is ahead of the file's, see cut
	torn bool      // more stands in the file than was meant to
}

// create begins a file. It gets its name when its header is whole and on the
// disk, so that there is none that cannot be read.
func create(path string, opts sysstat.WriterOptions, restarted bool) (*output, error) {
	o := &output{day: dayOf(opts.Created), path: path}
	made := part(path)
	f, err := os.Create(made)
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
	return o.settle(made)
}

// settle gives a file its name for good.
func (o *output) settle(made string) error {
	if err := o.f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(made, o.path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(o.path))
}

// goOn opens a file that exists, cutting off what a crash left of a record.
func goOn(path string, begin time.Time, opts sysstat.WriterOptions) (*output, sysstat.Tail, error) {
	f, err := openLocked(path, os.O_RDWR)
	if err != nil {
		return nil, sysstat.Tail{}, err
	}
	w, tail, err := sysstat.Append(f, opts)
	if err != nil {
		f.Close()
		return nil, tail, err
	}
	uncache(f)
	return &output{day: dayOf(begin), path: path, f: f, w: w}, tail, nil
}

// size is that of the file, but for what was torn.
func (o *output) size() int64 {
	return o.w.Offset() - o.skew
}

// write writes a sample and the comments ahead of it, all or nothing.
func (o *output) write(t time.Time, uptime uint64, s *sysstat.Sample, comments ...[]string) error {
	size := o.size()
	if o.torn {
		if err := o.cut(size); err != nil {
			return err
		}
	}
	err := o.records(t, uptime, s, comments)
	if err != nil {
		o.torn = true
		o.skew = o.w.Offset() - size
		_ = o.cut(size) // if it fails, the next write will tell
		return err
	}
	o.last = t
	return nil
}

func (o *output) records(t time.Time, uptime uint64, s *sysstat.Sample, comments [][]string) error {
	for _, group := range comments {
		for _, c := range group {
			if err := o.w.WriteComment(t, clip(c)); err != nil {
				return err
			}
		}
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
	err := syncData(o.f)
	if failed := o.f.Close(); err == nil {
		err = failed
	}
	return err
}
