package exporter

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

const (
	nameTime   = "20060102T150405Z"
	suffix     = ".sa"
	partPrefix = "."
	partSuffix = ".part"
)

// An output is the file of a server that is being written.
type output struct {
	path  string
	day   time.Time // midnight, UTC
	f     *os.File
	w     *sysstat.Writer
	skew  int64       // by which the writer's offset is ahead of the file's
	torn  bool        // the file may hold more than it should
	tells bool        // of connections
	fresh bool        // the inventory is not in it yet
	dirty bool        // written since it was last synced
	named atomic.Bool // its name is on the disk
}

func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// fileOptions are the same for all files of a server that tells the same.
func fileOptions(r *Reading) sysstat.WriterOptions {
	o := sysstat.WriterOptions{
		Hostname: r.Server, CPUs: 1, Created: r.Time,
		Activities: []uint32{sysstat.DiskActivity, sysstat.InterfaceActivity, sysstat.InterfaceErrorsActivity},
	}
	if r.Connections {
		o.Custom = []sysstat.CustomActivity{{ID: tcpstat.ID, Size: tcpstat.Size}}
	}
	return o
}

// fileName is that of a file that begins at t.
func fileName(server string, t time.Time) string {
	return server + "-" + t.UTC().Format(nameTime) + suffix
}

// parseName takes the name of a file apart.
func parseName(base string) (server string, begin time.Time, ok bool) {
	stem, ok := strings.CutSuffix(base, suffix)
	at := len(stem) - len(nameTime) - 1
	if !ok || at < 1 || stem[at] != '-' {
		return "", begin, false
	}
	begin, err := time.Parse(nameTime, stem[at+1:])
	return stem[:at], begin, err == nil
}

const appending = os.O_RDWR | os.O_APPEND

// create begins a file. It gets its name when its header is whole, so that a
// crash leaves none that cannot be read.
func create(dir string, r *Reading) (*output, error) {
	path := freePath(dir, r)
	made := filepath.Join(dir, partPrefix+filepath.Base(path)+partSuffix)
	f, err := os.OpenFile(made, appending|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, err
	}
	o := &output{path: path, day: dayOf(r.Time), f: f, tells: r.Connections, fresh: true, dirty: true}
	if o.w, err = sysstat.NewWriter(f, fileOptions(r)); err == nil {
		err = os.Rename(made, path)
	}
	if err != nil {
		f.Close()
		os.Remove(made)
		return nil, err
	}
	return o, nil
}

// freePath is the path of a file that begins with a reading, or a second later
// where there is one already.
func freePath(dir string, r *Reading) string {
	for t := r.Time; ; t = t.Add(time.Second) {
		path := filepath.Join(dir, fileName(r.Server, t))
		if _, err := os.Lstat(path); err != nil {
			return path
		}
	}
}

// goOn opens a file that exists, cutting off what a crash left of a record.
func goOn(path string, r *Reading) (*output, error) {
	f, err := os.OpenFile(path, appending, 0)
	if err != nil {
		return nil, err
	}
	w, tail, err := sysstat.Append(f, fileOptions(r))
	if err == nil && tail.Damaged > 0 {
		err = sysstat.ErrOther
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &output{path: path, day: dayOf(r.Time), f: f, w: w, tells: r.Connections, fresh: true, dirty: true}, nil
}

// size is that of the file without what was torn.
func (o *output) size() int64 { return o.w.Offset() - o.skew }

// write writes a reading, all or nothing.
func (o *output) write(r *Reading) error {
	size := o.size()
	if o.torn {
		if err := o.cut(size); err != nil {
			return err
		}
	}
	if err := o.records(r); err != nil {
		o.torn, o.skew = true, o.w.Offset()-size
		_ = o.cut(size) // if it fails, the next write will tell
		return err
	}
	o.fresh, o.dirty = false, true
	return nil
}

func (o *output) records(r *Reading) error {
	if r.Restarted {
		if err := o.w.WriteRestart(r.Time, 1); err != nil {
			return err
		}
	}
	if o.fresh || r.Changed {
		for _, c := range inventory(r) {
			if err := o.w.WriteComment(r.Time, c); err != nil {
				return err
			}
		}
	}
	return o.w.WriteStats(r.Time, r.Uptime, &r.Sample)
}

// inventory is the comments that tell of devices and addresses.
func inventory(r *Reading) (comments []string) {
	for _, d := range r.Devices {
		comments = append(comments, d.Comments()...)
	}
	for _, a := range r.Addresses {
		comments = append(comments, a.Comment())
	}
	return comments
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
