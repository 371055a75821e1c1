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
	// Generations is how many are kept: with two, a damaged snapshot costs
	// nothing but time.
	Generations int `json:"generations"`
}

// DefaultOptions keep two generations.
func DefaultOptions() Options { return Options{Generations: 2} }

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	if o.Generations < 2 {
		return fmt.Errorf("%d generations: at least 2 are needed, so that a damaged snapshot can be done without", o.Generations)
	}
	return nil
}

// Journal is an open journal. Its methods may be called from several goroutines.
type Journal struct {
	mu   sync.Mutex
	opts Options
	dir  string
	lock *os.File

	log        *os.File // nil before the first snapshot
	form       Form     // of the log
	base       uint64   // generation of the snapshot in use
	generation uint64   // of the log, as high or higher
	highest    uint64   // generation that any file has
	size       int64    // bytes of the log that are whole
	next       uint64   // number of the next record
	last       int64    // End of the last row
	broken     error    // why nothing may be appended until the next snapshot
	unnamed    bool     // names of files may not be on the disk yet
	buffer     []byte
}

// errNone is the state of a journal before its first snapshot.
var errNone = errors.New("the journal has no snapshot yet: make one first")

// Open opens the journal in a directory, which it makes where there is none, and
// finds what can be recovered. It fails where another process has it open, where
// another version of limpet wrote it, and where the disk cannot be read; what is
// damaged is told by [Recovered].
func Open(dir string, o Options) (*Journal, *Recovered, error) {
	if err := o.Validate(); err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, nil, fmt.Errorf("the journal in %s cannot be opened: %w", dir, bare(err))
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

// Append logs the next row. The row counts for the process that wrote it once
// Append has returned, and for one that comes after a power cut once [Journal.Sync]
// has. A row of another form than the last snapshot was made with is an error that
// breaks nothing.
func (j *Journal) Append(r *table.Row) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if r.End <= j.last {
		return fmt.Errorf("the row ends at %d, and the one before it at %d: rows are logged in order of time", r.End, j.last)
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

// Note logs bytes that are the caller's, at their place between two rows: what an
// operator said, a setting that changed.
func (j *Journal) Note(note []byte) error {
	if len(note) > MaxNoteBytes {
		return fmt.Errorf("a note of %d bytes: %d are possible", len(note), MaxNoteBytes)
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

// Rewind says that rows which end after a time come once more: whoever cannot use what
// was recovered reads them again. They are no part of the log that there is, so that
// nothing is logged before the next snapshot.
func (j *Journal) Rewind(last int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if last < j.last && j.lock != nil {
		j.last, j.broken = last, errRewound
	}
}

// errRewound is the state of a journal whose log is of rows that come again.
var errRewound = errors.New("the log holds rows that are read again: make a snapshot first")

func (j *Journal) room(n int) []byte {
	if cap(j.buffer) < n {
		j.buffer = make([]byte, n)
	}
	return j.buffer[:n]
}

// skip leaves a record out of a broken log. It takes its number with it, so that
// its absence is noticed.
func (j *Journal) skip() error {
	j.next++
	return j.broken
}

// write appends a record.
func (j *Journal) write(record []byte, k Kind) error {
	seal(record, k, j.next)
	j.next++
	if _, err := j.log.WriteAt(record, j.size); err != nil {
		return j.fail("a record", err)
	}
	j.size += int64(len(record))
	return nil
}

// fail breaks the log.
func (j *Journal) fail(what string, err error) error {
	j.broken = fmt.Errorf("the journal in %s is not written until its next snapshot: %s could not be: %w", j.dir, what, bare(err))
	return j.broken
}

// Sync brings what was logged to the disk.
func (j *Journal) Sync() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.sync()
}

func (j *Journal) sync() error {
	if j.broken != nil {
		return j.broken
	}
	if j.unnamed {
		if err := outfile.SyncDir(j.dir); err != nil {
			return j.fail("the directory", err)
		}
		j.unnamed = false
	}
	if err := j.log.Sync(); err != nil {
		return j.fail("the log", err)
	}
	return nil
}

// Broken says why nothing can be logged; nil where all is well. Before the first
// snapshot there is no log, either.
func (j *Journal) Broken() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.broken
}

// Size is how many bytes the files of the journal have.
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

// LogSize is how many bytes were logged since the last snapshot.
func (j *Journal) LogSize() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.size
}

// Close brings what was logged to the disk and lets another process open the
// journal.
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
	j.lock, j.log, j.broken = nil, nil, errors.New("the journal is closed")
	return err
}

// acquire locks a directory until the file is closed.
func acquire(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o640)
	if err != nil {
		return nil, fmt.Errorf("the journal in %s cannot be opened: %w", dir, bare(err))
	}
	if err := outfile.Lock(f); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		f.Close()
		return nil, fmt.Errorf("the state in %s is in use: another limpet runs on it; stop that one, or choose another directory", dir)
	}
	return f, nil
}

func (j *Journal) path(generation uint64, suffix string) string {
	return filepath.Join(j.dir, name(generation, suffix))
}

// sweep removes what a killed process had not finished.
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
