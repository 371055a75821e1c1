package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/limpet-storage/limpet/sysstat"
)

// The recorder goes on in its newest file where that is of this day and of
// this boot of the host, and begins another otherwise. A file of a day to
// come, from when the clock was wrong, is not asked.

const dayAhead = 24 * time.Hour

// past is what is known of the time before a file is opened.
type past struct {
	last   time.Time // that was recorded; zero: nothing was
	uptime uint64    // then, 0 where not known
}

// rebooted says whether the host was started since.
func (p past) rebooted(t time.Time, uptime uint64) bool {
	if p.last.IsZero() {
		return false
	}
	booted := t.Add(-time.Duration(uptime) * (time.Second / 100))
	return uptime < p.uptime || booted.After(p.last)
}

// rebooted says whether the host was started since a past. While this recorder
// has been recording it was not, however far the clock was stepped.
func (r *Recorder) rebooted(before past, t time.Time) bool {
	return !r.opened && before.rebooted(t, r.uptime)
}

// open opens the file for records from t on.
func (r *Recorder) open(t time.Time) error {
	if t.Unix() < minTime {
		return errNoClock
	}
	before, err := r.resume(t)
	if err != nil || r.out != nil {
		return err
	}
	path := r.freePath(t)
	if r.out, err = create(path, r.written(t), r.rebooted(before, t)); err != nil {
		return fmt.Errorf("beginning %s: %w", path, err)
	}
	r.opened = true
	r.log.Info("file begun", "file", path)
	return nil
}

// errNoClock is a host that was started without one and was not told the time.
var errNoClock = errors.New("the clock is before 2001: set it")

// minTime: sysstat takes what is older for damage.
const minTime = 1_000_000_000

// resume goes on in the newest file if that may be, and says what was last
// recorded if not.
func (r *Recorder) resume(t time.Time) (past, error) {
	newest, ok, err := r.newest(t)
	if err != nil || !ok {
		return past{}, err
	}
	before := past{last: newest.modified}
	if newest.packing != Plain {
		return before, nil
	}
	out, tail, err := goOn(newest.path, newest.begin, r.written(t))
	if err != nil {
		return before, r.refused(newest.path, err)
	}
	if tail.Records > 0 {
		before = past{tail.Last, tail.LastUptime}
	}
	if !out.covers(t) || r.rebooted(before, t) || tail.Damaged > 0 {
		return before, out.close()
	}
	r.resumed(out, t.Sub(before.last), tail)
	return before, nil
}

func (r *Recorder) resumed(out *output, gap time.Duration, tail sysstat.Tail) {
	r.out, r.opened = out, true
	r.remarks.add("resumed after " + seconds(gap))
	r.log.Info("file resumed", "file", out.path, "records", tail.Records, "cut", tail.Cut)
}

// written are the options of a file begun at t.
func (r *Recorder) written(t time.Time) sysstat.WriterOptions {
	opts := r.opts.File
	opts.Created = t
	return opts
}

// refused sorts out why a file cannot be gone on in. Only when starting is a
// file that someone else uses a failure: later it is the keeper.
func (r *Recorder) refused(path string, err error) error {
	switch {
	case errors.Is(err, errBusy) && !r.running:
		return fmt.Errorf("%s: %w: stop the other recorder or record into another directory", path, err)
	case errors.Is(err, errBusy), errors.Is(err, os.ErrNotExist):
	default:
		r.log.Warn("a new file is begun", "instead", path, "why", err)
	}
	return nil
}

// newest is the file that begins last, but not long after t.
func (r *Recorder) newest(t time.Time) (file, bool, error) {
	files, err := list(r.opts.Dir, r.opts.File.Hostname)
	if err != nil {
		return file{}, false, err
	}
	for i := len(files) - 1; i >= 0; i-- {
		if files[i].begin.Before(t.Add(dayAhead)) {
			return files[i], true, nil
		}
	}
	return file{}, false, nil
}

// freePath is the path of a file that begins at t, or a second later where
// there is one already, compressed or not.
func (r *Recorder) freePath(t time.Time) string {
	for ; ; t = t.Add(time.Second) {
		path := filepath.Join(r.opts.Dir, name(r.opts.File.Hostname, t))
		if !exists(path) && !exists(path+"."+Zstd) && !exists(path+"."+XZ) {
			return path
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
