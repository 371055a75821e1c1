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

// The recorder goes on in the last file of the day where that is of this boot
// of the host, and begins another otherwise. A file of a day to come, from
// when the clock was wrong, is not gone on in.

const (
	// dayAhead: what begins later than that after now does not tell when the
	// host last ran.
	dayAhead = 24 * time.Hour
	// rereadBytes of a file are read between two samples at most, which takes
	// some milliseconds, should the clock come back to the day of one.
	rereadBytes = 4 << 20
)

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
	out, err := create(path, r.written(t), r.rebooted(before, t))
	if err != nil {
		return fmt.Errorf("cannot start the file %s: %w", path, err)
	}
	r.use(out)
	r.log.Info("the recorder started a new file", "file", path)
	return nil
}

// errNoClock is a host that was started without one and was not told the time.
var errNoClock = errors.New("the clock of this machine shows a year before 2001: set the clock")

// minTime: sysstat takes what is older for damage.
const minTime = 1_000_000_000

// use makes a file the one that is written. Its name is to be on the disk
// soon.
func (r *Recorder) use(out *output) {
	r.out, r.opened, r.syncAt = out, true, 0
}

// resume goes on in the last file of the day if that may be, and says what was
// last recorded if not.
func (r *Recorder) resume(t time.Time) (past, error) {
	files, err := list(r.opts.Dir, r.opts.File.Hostname)
	if err != nil {
		return past{}, err
	}
	files = slices.DeleteFunc(files, func(f file) bool { return f.path == r.shunned })
	f, ok := r.choose(files, t)
	if !ok {
		return past{}, nil
	}
	return r.resumeIn(f, t)
}

// choose is the file to look into. While recording that is the newest, and
// only if it is of the day and read in no time: samples are waiting. A clock
// that is set back by more than the grace makes a second file of the day
// before.
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
		return inUse(path)
	case errors.Is(err, errBusy), errors.Is(err, os.ErrNotExist):
	default:
		r.log.Warn("the file of this day has another format, so the recorder starts a new file", "file", path, "error", err)
	}
	return nil
}

// newest is the file that begins last, but not long after t.
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

// freePath is the path of a file that begins at t, or a second later where
// there is one already, compressed or being made or not.
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
