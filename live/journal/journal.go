package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/outfile"
)

// Options are the settings of a journal.
type Options struct {
	// A generation is a snapshot and the log after it. Generations is the number of generations
	// that the journal keeps. With two generations, a damaged snapshot loses no data: the previous
	// snapshot is used, and only the replay takes longer.
	Generations int `json:"generations"`
}

// DefaultOptions returns options that keep two generations.
func DefaultOptions() Options { return Options{Generations: 2} }

// Validate returns an error that names every setting with an invalid value.
func (o *Options) Validate() error {
	if o.Generations < 2 {
		return fmt.Errorf("%d snapshots are too few: keep at least 2 snapshots, so that limpet can continue if one snapshot is damaged", o.Generations)
	}
	return nil
}

// Journal is an open journal. Several goroutines may use it.
type Journal struct {
	mu   sync.Mutex
	opts Options
	dir  string
	lock *os.File
	// readOnly means that no file is changed: damaged snapshots keep their names, and incomplete
	// records are not cut off. Inspect sets it.
	readOnly bool

	log         *os.File // file of the present log; nil before the first snapshot
	form        Form     // form of the rows in the log
	base        uint64   // generation of the snapshot in use
	generation  uint64   // generation of the present log; equal to Journal.base or higher
	highest     uint64   // highest generation of any file
	size        int64    // size of the log up to its last complete record, in bytes
	next        uint64   // number of the next record
	last        int64    // end time of the last row
	broken      error    // reason why no record may be appended until the next snapshot; nil if records can be appended
	dirUnsynced bool     // true until the directory is synced; if the machine crashes while it is true, new files may be missing after the crash
	buffer      []byte
}

// errNone is the reason why no record can be logged before the first snapshot.
var errNone = errors.New("internal error: the journal has no snapshot yet; make a snapshot first")

// Open opens the journal in a directory. If there is no journal, Open creates one. It finds the
// snapshot and the records that can be recovered. It fails if another process has the journal open,
// if this version of limpet does not read the format of the journal, or if the disk cannot be read.
// If files are damaged, Open does not fail: [Recovered] reports the damage.
func Open(dir string, o Options) (*Journal, *Recovered, error) {
	if err := o.Validate(); err != nil {
		return nil, nil, err
	}
	if err := outfile.MakeDirs(dir, 0o750); err != nil {
		return nil, nil, fmt.Errorf("the journal in %s cannot be opened: %w", dir, withoutPath(err))
	}
	lock, err := acquire(dir)
	if err != nil {
		return nil, nil, err
	}
	j := &Journal{opts: o, dir: dir, lock: lock, broken: errNone}
	r, err := j.recover()
	if err != nil {
		lock.Close()
		return nil, nil, fmt.Errorf("the journal in %s cannot be opened: %w", dir, err)
	}
	return j, r, nil
}

// Append logs the next row. When Append has returned, the row survives a kill. When [Journal.Sync]
// has returned, the row survives a loss of power. If the row does not fit the schema of the last
// snapshot, Append returns an error, and the log stays usable.
func (j *Journal) Append(r *table.Row) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if r.End <= j.last {
		return fmt.Errorf("internal error: a time step ends at %d (Unix seconds), but the journal already has a time step that ends at %d; write time steps in order of time", r.End, j.last)
	}
	if j.broken != nil {
		j.last = r.End
		return j.skip()
	}
	if err := j.form.Fits(r); err != nil {
		return err
	}
	j.last = r.End
	j.buffer = j.form.AppendRow(j.room(recordHeadBytes), r)
	return j.write(j.buffer, Row)
}

// Note logs a note of the caller, such as an operator's command, between two rows.
func (j *Journal) Note(note []byte) error {
	if len(note) > MaxNoteBytes {
		return fmt.Errorf("the operator's command has %d bytes, but at most %d bytes are allowed", len(note), MaxNoteBytes)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken != nil {
		return j.skip()
	}
	record := j.room(recordHeadBytes + len(note))
	copy(record[recordHeadBytes:], note)
	return j.write(record, Note)
}

// Rewind stops logging until the next snapshot. The caller calls Rewind if the recovered state
// cannot be used, and then reads the rows after the time `last` from their sources again. The
// present log already has rows of these times, so the rows cannot be appended to it.
func (j *Journal) Rewind(last int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if last < j.last && j.lock != nil {
		j.last, j.broken = last, errRewound
	}
}

// errRewound is the reason why no record can be logged between Rewind and the next snapshot.
var errRewound = errors.New("internal error: the log has time steps that must be read again; make a snapshot first")

// errOlder is the reason why no record can be logged before the first snapshot of this version.
var errOlder = errors.New("an older version of limpet wrote the log, and limpet cannot add to it before it has saved its state in the present form; limpet tries again to save the state")

func (j *Journal) room(n int) []byte {
	if cap(j.buffer) < n {
		j.buffer = make([]byte, n)
	}
	return j.buffer[:n]
}

// skip is called for a record that is not stored because the log is broken. It counts the record, so
// that the next stored record has a higher number, and a reader of the log finds the gap.
func (j *Journal) skip() error {
	j.next++
	return j.broken
}

// write gives the next number to a record, and appends the record to the log.
func (j *Journal) write(record []byte, k Kind) error {
	seal(record, k, j.next)
	j.next++
	if _, err := j.log.WriteAt(record, j.size); err != nil {
		return j.fail("a time step", err)
	}
	j.size += int64(len(record))
	return nil
}

// fail marks the log as broken because of the error err, and returns the reason. The parameter
// `what` is the name of the object that could not be written, such as "the log".
func (j *Journal) fail(what string, err error) error {
	j.broken = fmt.Errorf("limpet writes no more data to the journal in %s until the next snapshot, because %s cannot be written: %w", j.dir, what, withoutPath(err))
	return j.broken
}

// Sync makes sure that all logged records are on disk.
func (j *Journal) Sync() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.sync()
}

func (j *Journal) sync() error {
	if j.broken != nil {
		return j.broken
	}
	if j.dirUnsynced {
		if err := outfile.SyncDir(j.dir); err != nil {
			return j.fail("the directory", err)
		}
		j.dirUnsynced = false
	}
	if err := j.log.Sync(); err != nil {
		return j.fail("the log", err)
	}
	return nil
}

// Broken returns the reason why no record can be logged. It returns nil if records can be logged.
// Before the first snapshot, no record can be logged.
func (j *Journal) Broken() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.broken
}

// HasSnapshot reports whether the journal has a snapshot that can be read.
func (j *Journal) HasSnapshot() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.base > 0
}

// Size returns the size of all files of the journal in bytes.
func (j *Journal) Size() int64 {
	entries, err := os.ReadDir(j.dir)
	if err != nil {
		return 0
	}
	var bytes int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// LogSize returns the size of the present log in bytes. The present log began with the last
// snapshot.
func (j *Journal) LogSize() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.size
}

// Close syncs the log and releases the lock, so that another process can open the journal.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.lock == nil {
		return nil
	}
	var err error
	if j.broken == nil {
		err = j.sync()
	}
	if j.log != nil {
		err = errors.Join(err, j.log.Close())
	}
	err = errors.Join(err, j.lock.Close())
	j.lock, j.log, j.broken = nil, nil, errors.New("the journal is closed, because limpet is shutting down")
	return err
}

// lockName is the name of the file that is locked while a journal is open.
const lockName = "lock"

// acquire locks a directory. The lock ends when the returned file is closed.
func acquire(dir string) (*os.File, error) {
	path := filepath.Join(dir, lockName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o640)
	if err != nil {
		return nil, fmt.Errorf("the journal cannot be opened, because the lock file %s cannot be opened: %w", path, withoutPath(err))
	}
	if err := outfile.Lock(f); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		f.Close()
		return nil, fmt.Errorf("another limpet uses the saved state in %s: stop the other limpet, or choose another directory", dir)
	}
	return f, nil
}

func (j *Journal) path(generation uint64, suffix string) string {
	return filepath.Join(j.dir, name(generation, suffix))
}

// sweep removes unfinished files that a killed process has left.
func sweep(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), tempSuffix) {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
	return nil
}
