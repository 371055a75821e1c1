package journal

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
)

// Recovered is what a journal held when it was opened.
type Recovered struct {
	// Found says that there is a snapshot. Without one the diagnosis begins anew.
	Found bool
	// Meta and Blob are those of the snapshot.
	Meta, Blob []byte
	// Records is how many rows and notes came after it, and Last the End of the
	// last row of all, also of those before the snapshot; 0 where there was none.
	Records int
	Last    int64
	// Missing says that rows after Last were logged and cannot be read: they have to
	// be read from their sources again. The log is broken then, until a snapshot.
	Missing bool
	// Troubles are sentences for people, one for each file that is not as it was
	// written.
	Troubles []string

	logs []logPart
}

// logPart is the good part of a log.
type logPart struct {
	path    string
	form    Form
	records int
}

func (r *Recovered) troublef(format string, args ...any) {
	r.Troubles = append(r.Troubles, fmt.Sprintf(format, args...))
}

// missing notes that there is nothing to go by after the last row.
func (r *Recovered) missing(format string, args ...any) {
	r.Missing = true
	since := "rows since the snapshot"
	if r.Last > 0 {
		since = "rows after " + time.Unix(r.Last, 0).UTC().Format("2006-01-02 15:04:05 UTC")
	}
	r.troublef(format+": %s are missing and have to be read from their sources again", append(args, since)...)
}

// recover finds the newest good snapshot and what was logged since. Where all of
// that is whole, the journal goes on with the last log.
func (j *Journal) recover() (*Recovered, error) {
	if err := sweep(j.dir); err != nil {
		return nil, bare(err)
	}
	r := &Recovered{}
	snapshots, err := list(j.dir, snapshotSuffix)
	if err != nil {
		return nil, bare(err)
	}
	logs, err := list(j.dir, logSuffix)
	if err != nil {
		return nil, bare(err)
	}
	if j.highest, err = j.highestOf(); err != nil {
		return nil, bare(err)
	}
	for i := len(snapshots) - 1; i >= 0; i-- {
		h, err := j.readSnapshot(snapshots[i], r)
		if err == nil {
			return r, j.readLogs(r, h, logs, snapshots)
		}
		if err := j.setAside(snapshots[i], r, err); err != nil {
			return nil, err
		}
	}
	if len(snapshots) > 0 || j.hasRecords(logs) {
		r.troublef("the journal in %s has no good snapshot: the diagnosis begins anew", j.dir)
	}
	return r, nil
}

// hasRecords says whether any log holds records. A process that was killed in its
// first snapshot leaves an empty one.
func (j *Journal) hasRecords(logs []uint64) bool {
	for _, g := range logs {
		if scan, err := openLog(j.path(g, logSuffix)); err == nil {
			any := scan.Next()
			scan.Close()
			if any {
				return true
			}
		}
	}
	return false
}

// highestOf is the highest generation that a file is named by.
func (j *Journal) highestOf() (highest uint64, err error) {
	for _, suffix := range []string{snapshotSuffix, logSuffix, snapshotSuffix + asideSuffix} {
		list, err := list(j.dir, suffix)
		if err != nil {
			return 0, err
		}
		if n := len(list); n > 0 {
			highest = max(highest, list[n-1])
		}
	}
	return highest, nil
}

func (j *Journal) readSnapshot(generation uint64, r *Recovered) (fileHead, error) {
	h, meta, blob, err := readSnapshot(j.path(generation, snapshotSuffix))
	if err == nil && h.Generation != generation {
		err = errDamaged
	}
	if err == nil {
		r.Found, r.Meta, r.Blob, r.Last = true, meta, blob, h.Last
	}
	return h, err
}

// setAside keeps a damaged snapshot under another name, so that the one before it
// is used from now on. One that cannot be read, or is of another version, stays.
func (j *Journal) setAside(generation uint64, r *Recovered, err error) error {
	if !errors.Is(err, errDamaged) && !errors.Is(err, errCut) {
		return fmt.Errorf("%s: %w", name(generation, snapshotSuffix), bare(err))
	}
	path := j.path(generation, snapshotSuffix)
	if err := os.Rename(path, path+asideSuffix); err != nil {
		return bare(err)
	}
	r.troublef("snapshot %s is damaged (%v) and was set aside as %s", path, err, name(generation, snapshotSuffix+asideSuffix))
	return nil
}

// readLogs checks the logs from a snapshot on, and opens the last one for more.
func (j *Journal) readLogs(r *Recovered, h fileHead, logs, snapshots []uint64) error {
	j.base, j.next, j.last = h.Generation, h.Next, h.Last
	for _, g := range logs {
		if g < h.Generation || r.Missing {
			continue
		}
		if err := j.readLog(r, g, g == logs[len(logs)-1], slices.Contains(snapshots, g)); err != nil {
			return fmt.Errorf("%s: %w", name(g, logSuffix), bare(err))
		}
	}
	if len(r.logs) == 0 && !r.Missing {
		r.missing("log %s is gone", j.path(h.Generation, logSuffix))
	}
	if r.Missing {
		j.broken = errors.New("the journal is damaged: it is not written until its next snapshot")
		j.next++ // what is missing has a number, so that it is noticed later, too
		return nil
	}
	return j.resume(r)
}

// readLog checks one log.
func (j *Journal) readLog(r *Recovered, g uint64, newest, begun bool) error {
	path := j.path(g, logSuffix)
	scan, err := openLog(path)
	if errors.Is(err, errDamaged) || errors.Is(err, errCut) {
		if !begun && newest { // a snapshot was cut off by a kill before it counted
			return os.Remove(path)
		}
		r.missing("the head of log %s is damaged", path)
		return nil
	}
	if err != nil {
		return err
	}
	defer scan.Close()
	switch {
	case scan.Head.Next != j.next:
		r.missing("records %d to %d are in no log", j.next, scan.Head.Next-1)
		return nil
	case len(r.logs) > 0 && !scan.Form.Equal(&r.logs[0].form):
		r.missing("log %s is of another system than the snapshot before it (%v)", path, scan.Form)
		return nil
	}
	part := logPart{path: path, form: scan.Form}
	for scan.Next() {
		part.records++
		if scan.Kind() == Row {
			r.Last = scan.End()
		}
	}
	if scan.Err != nil {
		return scan.Err
	}
	r.logs, r.Records = append(r.logs, part), r.Records+part.records
	j.generation, j.form, j.size, j.next, j.last = g, scan.Form, scan.At, scan.Number, r.Last
	if scan.Damaged {
		r.missing("log %s is damaged at byte %d", path, scan.At)
	}
	return nil
}

// resume opens the last log for more records, behind the last good one.
func (j *Journal) resume(r *Recovered) error {
	log, err := os.OpenFile(r.logs[len(r.logs)-1].path, os.O_RDWR, 0)
	if err != nil {
		return bare(err)
	}
	if err := log.Truncate(j.size); err != nil {
		log.Close()
		return bare(err)
	}
	j.log, j.broken, j.unnamed = log, nil, true
	return nil
}

// Replay hands over what was logged since the snapshot, in its order. A row is
// valid until the function returns; a note may be kept. The schema is that of the
// restored engine: a log of another one is refused. An error of a function ends
// the replay and is returned.
//
// Replay has to be done before the next snapshot, which removes old logs.
func (r *Recovered) Replay(schema table.Schema, row func(*table.Row) error, note func([]byte) error) error {
	for i := range r.logs {
		now := FormOf(schema)
		if part := &r.logs[i]; !part.form.Equal(&now) {
			return fmt.Errorf("log %s is of another system (%v) than the one it is read for (%v): use the settings that it was written with, or begin anew", part.path, part.form, now)
		}
		if err := r.logs[i].replay(row, note); err != nil {
			return err
		}
	}
	return nil
}

func (p *logPart) replay(row func(*table.Row) error, note func([]byte) error) error {
	scan, err := openLog(p.path)
	if err != nil {
		return fmt.Errorf("log %s cannot be read again: %w", p.path, bare(err))
	}
	defer scan.Close()
	r, heard := p.form.NewRow()
	for range p.records {
		if !scan.Next() {
			return fmt.Errorf("log %s cannot be read again: it has changed", p.path)
		}
		if scan.Kind() == Note {
			err = note(append([]byte{}, scan.Content()...))
		} else if p.form.GetRow(scan.Content(), r, heard) {
			err = row(r)
		} else {
			err = fmt.Errorf("log %s holds something that is no row: begin anew", p.path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
