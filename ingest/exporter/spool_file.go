package exporter

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/record/dayfile"
	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// An output is the open file of one server.
type output struct {
	file           *dayfile.File
	day            time.Time // midnight, UTC
	hasConnections bool      // true if the records of the file have connections
	hasWaits       bool      // true if the records of the file have waits
	needsInventory bool      // true if this process has not written the inventory into the file yet
	dirty          bool      // true if the file was written since the last sync
}

// fileOptions returns the content of the header of a file. The header fits the given reading, and
// later readings with the same kinds of data (connections and waits).
func fileOptions(r *Reading) sysstat.WriterOptions {
	o := sysstat.WriterOptions{
		Hostname: r.Server, CPUs: 1, Created: r.Time,
		Activities: []uint32{sysstat.DiskActivity, sysstat.InterfaceActivity, sysstat.InterfaceErrorsActivity},
	}
	if r.Connections {
		o.Custom = append(o.Custom, sysstat.CustomActivity{ID: tcpstat.ID, Size: tcpstat.Size})
	}
	if r.Waits {
		o.Custom = append(o.Custom, sysstat.CustomActivity{ID: hoststat.ID, Size: hoststat.Size})
	}
	return o
}

// isPart reports whether a file has the name of an unfinished file: a file whose header was not
// written completely.
func isPart(name string) bool {
	final, ok := dayfile.CutPart(name)
	return ok && strings.HasSuffix(final, dayfile.Suffix)
}

// create creates a file for a reading and for the later readings of the day.
func create(dir string, r *Reading) (*output, error) {
	path := freePath(dir, r)
	f, err := os.OpenFile(dayfile.PartPath(path), dayfile.OpenFlags|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, err
	}
	file, err := dayfile.Create(f, path, fileOptions(r), false)
	if err != nil {
		return nil, err
	}
	return newOutput(file, r), nil
}

func newOutput(file *dayfile.File, r *Reading) *output {
	return &output{file: file, day: dayfile.Day(r.Time), hasConnections: r.Connections, hasWaits: r.Waits, needsInventory: true, dirty: true}
}

// freePath returns the path of a new file. Its name contains the time of the reading. If a file
// with this name exists, the time in the name is moved forward in seconds until the name is free.
func freePath(dir string, r *Reading) string {
	for t := r.Time; ; t = t.Add(time.Second) {
		path := filepath.Join(dir, dayfile.Name(r.Server, t))
		if _, err := os.Lstat(path); err != nil {
			return path
		}
	}
}

// continueFile opens an existing file to append records. It cuts off an incomplete
// record that a crash has left. If the file is damaged, it returns the number of damaged bytes and
// the error sysstat.ErrOther.
func continueFile(path string, r *Reading) (out *output, damaged int64, err error) {
	f, err := os.OpenFile(path, dayfile.OpenFlags, 0)
	if err != nil {
		return nil, 0, err
	}
	file, tail, err := dayfile.Continue(f, path, fileOptions(r))
	if err != nil {
		return nil, 0, err
	}
	if tail.Damaged > 0 {
		f.Close()
		return nil, tail.Damaged, sysstat.ErrOther
	}
	return newOutput(file, r), 0, nil
}

// intact reports whether the file still has its name and all of its records.
func (o *output) intact() bool {
	return o.file.HasName() && o.file.Changes() != dayfile.Truncated
}

// write writes all records of a reading. After an error the file has none of
// these records.
func (o *output) write(r *Reading) error {
	err := o.file.Write(func(w *sysstat.Writer) error { return writeRecords(w, r, o.needsInventory || r.Changed) })
	if err == nil {
		o.needsInventory, o.dirty = false, true
	}
	return err
}

// writeRecords writes the records of a reading: a restart record if the server was restarted, the
// inventory (devices and addresses) if the parameter `withInventory` is true, and the sample.
func writeRecords(w *sysstat.Writer, r *Reading, withInventory bool) error {
	if r.Restarted {
		if err := w.WriteRestart(r.Time, 1); err != nil {
			return err
		}
	}
	if withInventory {
		for _, c := range inventory(r) {
			if err := w.WriteComment(r.Time, c); err != nil {
				return err
			}
		}
	}
	return w.WriteStats(r.Time, r.Uptime, &r.Sample)
}

// inventory returns the comments of an activity file that list devices and addresses.
func inventory(r *Reading) (comments []string) {
	for _, d := range r.Devices {
		comments = append(comments, d.Comments()...)
	}
	for _, a := range r.Addresses {
		comments = append(comments, a.Comment())
	}
	return comments
}
