package journal

import (
	"fmt"
	"os"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/outfile"
)

// Snapshot begins a generation: it writes a snapshot with the two blocks `meta` and `blob`, and a
// new log for rows of the schema. When Snapshot returns nil, the snapshot and the new log are on
// disk, and old generations are removed. If Snapshot fails, the journal continues with the previous
// log if possible.
//
// If the log was broken, records can be logged again after a snapshot. If the system changes, the
// caller must make a snapshot before the next row, so that a log never has rows of two systems.
func (j *Journal) Snapshot(schema table.Schema, meta, blob []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.lock == nil {
		return j.broken
	}
	f := FormOf(schema)
	if err := f.Check(); err != nil {
		return err
	}
	if err := j.snapshot(f, meta, blob); err != nil {
		return fmt.Errorf("a snapshot of the saved state cannot be written to %s: %w", j.dir, withoutPath(err))
	}
	return nil
}

func (j *Journal) snapshot(f Form, meta, blob []byte) error {
	if j.broken == nil {
		_ = j.sync() // the previous log must be on disk: if the new snapshot is damaged, recovery needs the previous log
	}
	h := fileHead{Generation: j.highest + 1, Next: j.next, Last: j.last}
	temp := j.path(h.Generation, snapshotSuffix+tempSuffix)
	if err := writeSnapshot(temp, h, meta, blob); err != nil {
		return err
	}
	log, size, err := j.newLog(h, &f)
	if err == nil {
		if err = os.Rename(temp, j.path(h.Generation, snapshotSuffix)); err != nil {
			log.Close()
			os.Remove(log.Name())
		}
	}
	if err != nil {
		os.Remove(temp)
		return err
	}
	if err := j.switchLog(h, log, f, size); err != nil {
		return err
	}
	j.prune()
	return nil
}

// newLog creates the log of a generation. The log is on disk before the snapshot gets its final
// name. So every snapshot has its log.
func (j *Journal) newLog(h fileHead, f *Form) (*os.File, int64, error) {
	log, size, err := writeLog(j.path(h.Generation, logSuffix), h, f)
	if err != nil {
		return nil, 0, err
	}
	if err := outfile.SyncDir(j.dir); err != nil {
		log.Close()
		os.Remove(log.Name())
		return nil, 0, err
	}
	return log, size, nil
}

// switchLog switches to the new log. It runs as soon as the snapshot has its final name. From this
// moment on, a row that is appended to the old log would be lost, because recovery begins with the
// new snapshot.
func (j *Journal) switchLog(h fileHead, log *os.File, f Form, size int64) error {
	if j.log != nil {
		j.log.Close()
	}
	j.log, j.form, j.broken, j.dirUnsynced = log, f, nil, true
	j.base, j.generation, j.highest = h.Generation, h.Generation, h.Generation
	j.size = size
	if err := outfile.SyncDir(j.dir); err != nil {
		return err // Journal.Sync will sync the directory again; old generations are kept until the next snapshot
	}
	j.dirUnsynced = false
	return nil
}

// prune removes old generations (snapshots and their logs). A file that cannot be removed stays
// until the next snapshot. Damaged snapshots stay, because a person may examine them.
func (j *Journal) prune() {
	kept, err := list(j.dir, snapshotSuffix)
	if err != nil || len(kept) <= j.opts.Generations {
		return
	}
	oldest := kept[len(kept)-j.opts.Generations]
	for _, suffix := range []string{snapshotSuffix, logSuffix} {
		old, _ := list(j.dir, suffix)
		for _, g := range old {
			if g < oldest {
				os.Remove(j.path(g, suffix))
			}
		}
	}
}
