package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/record/dayfile"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// The recorder continues the last file of the day if that file was written since the last boot of
// the host. Otherwise it begins another file. It does not continue a file of a future day, which
// was written while the clock was wrong.

const (
	// dayAhead is how far in the future a file may begin to be used for the time at which the host
	// last ran.
	dayAhead = 24 * time.Hour
	// rereadBytes is the largest size of a file that is continued between two samples. This happens
	// if the clock returns to the day of an earlier file. Reading the file takes some milliseconds.
	rereadBytes = 4 << 20
)

// past holds the last record before a file is opened.
type past struct {
	last   time.Time // time of the last record; zero: nothing was recorded
	uptime uint64    // uptime at that time; 0: unknown
}

// rebooted reports whether the host was booted between the last record and t.
func (p past) rebooted(t time.Time, uptime uint64) bool {
	if p.last.IsZero() {
		return false
	}
	booted := t.Add(-time.Duration(uptime) * (time.Second / 100))
	return uptime < p.uptime || booted.After(p.last)
}

// rebooted reports whether the host was booted since the last record before. It returns false if
// this recorder has already opened a file, even if the clock was stepped.
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
	out, err := create(path, r.written(t), r.rebooted(before, t))
	if err != nil {
		return fmt.Errorf("cannot start the file %s: %w", path, err)
	}
	r.use(out)
	r.log.Info("the recorder started a new file", "file", path)
	return nil
}

// errNoClock is the error for a host whose clock was not set since its boot.
var errNoClock = errors.New("the clock of this machine shows a year before 2001: set the clock")

// minTime is the earliest time of a record. sysstat treats earlier times as damage.
const minTime = 1_000_000_000

// use makes out the file that is written. The next tick syncs it, so that its name is soon on the
// disk.
func (r *Recorder) use(out *output) {
	r.out, r.opened, r.syncAt = out, true, 0
}

// resume continues the last file of the day if possible. Otherwise it returns the last record.
func (r *Recorder) resume(t time.Time) (past, error) {
	files, err := list(r.opts.Dir, r.opts.File.Hostname)
	if err != nil {
		return past{}, err
	}
	files = slices.DeleteFunc(files, func(f file) bool { return f.path == r.changedPath })
	f, ok := r.choose(files, t)
	if !ok {
		return past{}, nil
	}
	return r.resumeIn(f, t)
}

// choose returns the file to look into, to continue it or to find the last record:
//   - At the start, the last file of the day, or else the newest file.
//   - While recording, the newest file, if it is of the day and small enough to be read between two
//     samples.
//
// If the clock is set back by more than grace, the recorder therefore begins a second file of the
// day before.
func (r *Recorder) choose(files []file, t time.Time) (file, bool) {
	f, ok := newest(files, t)
	if r.opened {
		return f, ok && f.ofDay(t) && f.size <= rereadBytes
	}
	if today, found := last(files, func(f file) bool { return f.ofDay(t) }); found {
		return today, true
	}
	return f, ok
}

func (r *Recorder) resumeIn(f file, t time.Time) (past, error) {
	before := past{last: f.modified}
	if f.packing != Plain {
		return before, nil
	}
	out, tail, err := goOn(f.path, f.begin, r.written(t))
	if err != nil {
		return before, r.refused(f.path, err)
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
	r.use(out)
	r.remarks.add("resumed after " + seconds(gap))
	r.log.Info("the recorder continues a file that it wrote before", "file", out.Path, "records", tail.Records, "cut", tail.Cut)
}

// written returns the options of a file that begins at t.
func (r *Recorder) written(t time.Time) sysstat.WriterOptions {
	opts := r.opts.File
	opts.Created = t
	return opts
}

// refused handles a file that cannot be continued. If another process uses the file, this is an
// error only at the start. Later the keeper uses it.
func (r *Recorder) refused(path string, err error) error {
	switch {
	case errors.Is(err, errBusy) && !r.running:
		return inUse(path)
	case errors.Is(err, errBusy), errors.Is(err, os.ErrNotExist):
	default:
		r.log.Warn("the file of this day has another format, so the recorder starts a new file", "file", path, "error", err)
	}
	return nil
}

// newest returns the file that begins last, but no later than dayAhead after t.
func newest(files []file, t time.Time) (file, bool) {
	return last(files, func(f file) bool { return f.begin.Before(t.Add(dayAhead)) })
}

func last(files []file, fits func(file) bool) (file, bool) {
	for _, f := range slices.Backward(files) {
		if fits(f) {
			return f, true
		}
	}
	return file{}, false
}

// freePath returns a path for a file that begins at t. While a plain, compressed or unfinished file
// with that name exists, it tries the next second.
func (r *Recorder) freePath(t time.Time) string {
	for ; ; t = t.Add(time.Second) {
		path := filepath.Join(r.opts.Dir, dayfile.Name(r.opts.File.Hostname, t))
		if !exists(path) && !exists(dayfile.PartPath(path)) && !exists(path+"."+Zstd) && !exists(path+"."+XZ) {
			return path
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
