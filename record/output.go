package record

import (
	"fmt"
	"os"
	"time"

	"github.com/limpet-storage/limpet/record/dayfile"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// An output is the file that the recorder writes. It is locked while it is open.
type output struct {
	day
	*dayfile.File
	begun time.Time
	last  time.Time // time of the last sample
}

// create begins a file. It does not replace the unfinished file of another recorder.
func create(path string, opts sysstat.WriterOptions, restarted bool) (*output, error) {
	part := dayfile.PartPath(path)
	f, err := os.OpenFile(part, dayfile.OpenFlags|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	if err := lock(f, part); err != nil {
		f.Close()
		os.Remove(part)
		return nil, err
	}
	file, err := dayfile.Create(f, path, opts, restarted)
	if err != nil {
		return nil, err
	}
	return &output{day: dayOf(opts.Created), File: file, begun: opts.Created}, nil
}

// goOn opens an existing file, and removes the incomplete record that a crash has left at its end.
func goOn(path string, begin time.Time, opts sysstat.WriterOptions) (*output, sysstat.Tail, error) {
	f, err := openLocked(path, dayfile.OpenFlags)
	if err != nil {
		return nil, sysstat.Tail{}, err
	}
	file, tail, err := dayfile.Continue(f, path, opts)
	if err != nil {
		return nil, tail, err
	}
	uncache(f)
	return &output{day: dayOf(begin), File: file, begun: begin}, tail, nil
}

// fileMoved is the remark on a file that has lost its name. Package dayfile has the remarks on
// other changes.
const fileMoved = "file moved"

// write writes comments and then the sample s, all or nothing. If s is nil, it writes only the
// comments.
func (o *output) write(t time.Time, uptime uint64, s *sysstat.Sample, comments ...[]string) error {
	err := o.Write(func(w *sysstat.Writer) error { return writeRecords(w, t, uptime, s, comments) })
	if err != nil {
		return fmt.Errorf("cannot write file %s: %w", o.Path, bare(err))
	}
	o.last = t
	return nil
}

func writeRecords(w *sysstat.Writer, t time.Time, uptime uint64, s *sysstat.Sample, comments [][]string) error {
	for _, group := range comments {
		for _, c := range group {
			if err := w.WriteComment(t, clip(c)); err != nil {
				return err
			}
		}
	}
	if s == nil {
		return nil
	}
	return w.WriteStats(t, uptime, s)
}

// close syncs and closes the file.
func (o *output) close() error {
	return o.Close(dayfile.Syncs{Data: syncData, Dir: syncDir})
}
