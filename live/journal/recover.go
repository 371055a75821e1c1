package journal

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
)

// Recovered is the content that a journal had when it was opened.
type Recovered struct {
	// Found means that there is a snapshot. Without a snapshot the diagnosis begins without a
	// state.
	Found bool
	// Meta and Blob are the two blocks of the snapshot. The caller defines their content.
	Meta, Blob []byte
	// Records is the number of rows and notes after the snapshot. Last is the end time of the last
	// row, before or after the snapshot. Last is 0 if no row was ever logged.
	Records int
	Last    int64
	// Missing means that rows after the time Last were logged but cannot be read. The caller has to
	// read these rows from their sources again. No record can be logged before the next snapshot.
	Missing bool
	// Older means that an older version of limpet wrote the last log. No record can be logged
	// before the next snapshot.
	Older bool
	// Troubles are sentences for people, one for each damaged or missing file.
	Troubles []string

	logs []logPart
}

// logPart is the readable part of a log.
type logPart struct {
	path    string
	form    Form
	records int
}

func (r *Recovered) troublef(format string, args ...any) {
	r.Troubles = append(r.Troubles, fmt.Sprintf(format, args...))
}

// setMissing sets r.Missing, and adds a sentence with the reason to r.Troubles. It is called if the
// rows after r.Last cannot be read.
func (r *Recovered) setMissing(format string, args ...any) {
	r.Missing = true
	since := "the time steps since the snapshot"
	if r.Last > 0 {
		since = "the time steps after " + time.Unix(r.Last, 0).UTC().Format("2006-01-02 15:04:05 UTC")
	}
	r.troublef(format+": %s are missing, and limpet reads the data again from the activity files", append(args, since)...)
}

// recover finds the newest undamaged snapshot and the records after it. If all of these records are
// complete, the journal continues with the last log.
func (j *Journal) recover() (*Recovered, error) {
	if !j.readOnly {
		if err := sweep(j.dir); err != nil {
			return nil, withoutPath(err)
		}
	}
	r := &Recovered{}
	snapshots, err := list(j.dir, snapshotSuffix)
	if err != nil {
		return nil, withoutPath(err)
	}
	logs, err := list(j.dir, logSuffix)
	if err != nil {
		return nil, withoutPath(err)
	}
	if j.highest, err = j.highestOf(); err != nil {
		return nil, withoutPath(err)
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
		r.troublef("limpet can read no snapshot of the journal in %s: the diagnosis starts again from the beginning", j.dir)
	}
	return r, nil
}

// hasRecords reports whether any log has records. A process that was killed during its first snapshot
// may have left a log without records.
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

// highestOf returns the highest generation number that a file in the directory has. A generation is
// a snapshot and the log after it. The result is 0 if there is no file.
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

// setAside renames a damaged snapshot, so that the journal uses the previous snapshot. If the disk
// cannot be read, or this version of limpet does not read the format of the snapshot, setAside
// returns an error and does not rename the snapshot.
func (j *Journal) setAside(generation uint64, r *Recovered, err error) error {
	if !isDamage(err) {
		return fmt.Errorf("%s: %w", name(generation, snapshotSuffix), withoutPath(err))
	}
	path := j.path(generation, snapshotSuffix)
	if j.readOnly {
		r.troublef("snapshot %s is damaged (%v)", path, err)
		return nil
	}
	if err := os.Rename(path, path+asideSuffix); err != nil {
		return withoutPath(err)
	}
	r.troublef("snapshot %s is damaged (%v) and was renamed to %s", path, err, name(generation, snapshotSuffix+asideSuffix))
	return nil
}

// readLogs checks the logs after a snapshot, and opens the last log for appending.
func (j *Journal) readLogs(r *Recovered, h fileHead, logs, snapshots []uint64) error {
	j.base, j.next, j.last = h.Generation, h.Next, h.Last
	for _, g := range logs {
		if g < h.Generation || r.Missing {
			continue
		}
		if err := j.readLog(r, g, g == logs[len(logs)-1], slices.Contains(snapshots, g)); err != nil {
			return fmt.Errorf("%s: %w", name(g, logSuffix), withoutPath(err))
		}
	}
	if len(r.logs) == 0 && !r.Missing {
		r.setMissing("log %s is missing", j.path(h.Generation, logSuffix))
	}
	if r.Missing {
		j.broken = errors.New("the journal is damaged: limpet writes to the journal again after the next snapshot")
		j.next++ // no record gets this number: the gap in the numbers shows to a reader of the log that records are missing
		return nil
	}
	if j.readOnly {
		return nil
	}
	if r.Older {
		j.broken = errOlder
		return nil
	}
	return j.resume(r)
}

// readLog checks the log of generation g and adds the log to r. The parameter `newest` is true if
// no later log exists. The parameter `begun` is true if the generation has a snapshot.
func (j *Journal) readLog(r *Recovered, g uint64, newest, begun bool) error {
	path := j.path(g, logSuffix)
	scan, err := openLog(path)
	if isDamage(err) {
		if !begun && newest { // a process was killed while it made the snapshot that belongs to this log
			if j.readOnly {
				return nil
			}
			return os.RemoveAll(path)
		}
		r.setMissing("the header of log %s is damaged", path)
		return nil
	}
	if err != nil {
		return err
	}
	defer scan.Close()
	switch {
	case scan.Head.Next != j.next:
		r.setMissing("records %d to %d are missing in all log files of the journal", j.next, scan.Head.Next-1)
		return nil
	case len(r.logs) > 0 && !scan.Form.Equal(&r.logs[0].form):
		r.setMissing("log %s belongs to another topology (%v) than the snapshot before this log", path, scan.Form)
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
	r.Older = scan.Head.version < version
	j.generation, j.form, j.size, j.next, j.last = g, scan.Form, scan.ValidBytes, scan.Number, r.Last
	if scan.Damaged {
		r.setMissing("log %s is damaged at byte %d", path, scan.ValidBytes)
	}
	return nil
}

// resume opens the last log for appending. New records begin after the last undamaged record.
func (j *Journal) resume(r *Recovered) error {
	log, err := os.OpenFile(r.logs[len(r.logs)-1].path, os.O_RDWR, 0)
	if err != nil {
		return withoutPath(err)
	}
	if err := log.Truncate(j.size); err != nil {
		log.Close()
		return withoutPath(err)
	}
	j.log, j.broken, j.dirUnsynced = log, nil, true
	return nil
}

// Replay reads the records after the snapshot, in order. It calls the function `row` with each row,
// and the function `note` with each note. The row is valid only until the function returns, but the
// note may be kept. The parameter `schema` is the schema of the restored engine. If a log has rows
// of another schema, Replay returns an error. If one of the two functions returns an error, Replay
// stops and returns this error.
//
// Replay must run before the next snapshot, because a snapshot removes old logs.
func (r *Recovered) Replay(schema table.Schema, row func(*table.Row) error, note func([]byte) error) error {
	for i := range r.logs {
		now := FormOf(schema)
		if part := &r.logs[i]; !part.form.Equal(&now) {
			return fmt.Errorf("log %s belongs to another topology (%v) than the present topology (%v): use the settings with which the log was written. Or move the journal to another directory: the diagnosis then starts again from the beginning", part.path, part.form, now)
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
		return fmt.Errorf("log %s cannot be read again: %w", p.path, withoutPath(err))
	}
	defer scan.Close()
	r, heard := p.form.NewRow()
	for range p.records {
		if !scan.Next() {
			return fmt.Errorf("log %s cannot be read again: the file has changed", p.path)
		}
		if scan.Kind() == Note {
			err = note(append([]byte{}, scan.Content()...))
		} else if p.form.GetRow(scan.Content(), r, heard) {
			err = row(r)
		} else {
			err = fmt.Errorf("log %s has data that limpet does not know: move the journal to another directory; the diagnosis then starts again from the beginning", p.path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
