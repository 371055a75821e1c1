// This file writes readings of machines into activity files, as package
// record does of its own machine: one file a UTC day, named by the machine and
// when it begins,
//
//	fs1-20110509T000005Z.sa
//
// one record a write, half records cut off after a crash, and nothing lost by a
// disk that is full but what cannot wait.

package exporter

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/internal/outfile"
	"github.com/limpet-storage/limpet/record/dayfile"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// A Spool is a directory of activity files that this process alone writes. Its
// methods may be called by any number of goroutines.
type Spool struct {
	dir   string
	o     SpoolOptions
	claim *os.File

	mu     sync.Mutex
	open   map[string]*output // by server
	err    error              // of the last write, nil where it went well
	closed bool
}

// Open opens a directory, and makes it where there is none.
func Open(dir string, o SpoolOptions) (*Spool, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	claim, err := stake(dir)
	if err != nil {
		return nil, err
	}
	s := &Spool{dir: dir, o: o, claim: claim, open: map[string]*output{}}
	if err := s.removeParts(); err != nil {
		claim.Close()
		return nil, err
	}
	return s, nil
}

// stake keeps a second process away.
func stake(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, ".intake.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := outfile.Lock(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("another process writes into %s: end it, or name another directory", dir)
	}
	return f, nil
}

// removeParts removes what a crash left of files being made.
func (s *Spool) removeParts() error {
	entries, err := os.ReadDir(s.dir)
	var errs []error
	for _, e := range entries {
		if name := e.Name(); isPart(name) {
			errs = append(errs, os.Remove(filepath.Join(s.dir, name)))
		}
	}
	return errors.Join(append(errs, err)...)
}

// A file is one of the directory.
type file struct {
	path, server string
	begin        time.Time
}

// files are those of the directory, in the order of their beginning.
func (s *Spool) files() ([]file, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	var list []file
	for _, e := range entries {
		if server, begin, ok := dayfile.ParseName(e.Name()); ok && e.Type().IsRegular() {
			list = append(list, file{filepath.Join(s.dir, e.Name()), server, begin})
		}
	}
	slices.SortFunc(list, func(a, b file) int {
		return cmp.Or(a.begin.Compare(b.begin), strings.Compare(a.path, b.path))
	})
	return list, nil
}

// pathsOf are the files of a server, in the order of their beginning.
func (s *Spool) pathsOf(server string) (paths []string, err error) {
	files, err := s.files()
	for _, f := range files {
		if f.server == server {
			paths = append(paths, f.path)
		}
	}
	return paths, err
}

// Recall is what the files of a server hold of it.
func (s *Spool) Recall(server string) (Memory, error) {
	if err := CheckName(server); err != nil {
		return Memory{}, err
	}
	paths, err := s.pathsOf(server)
	if err != nil {
		return Memory{}, err
	}
	return recall(paths)
}

// errClosed is a spool that is no more.
var errClosed = errors.New("the intake is closed")

// Write keeps a reading: it is in its file when Write returns without an error,
// and on the disk within Options.Sync.
func (s *Spool) Write(r *Reading) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	out, err := s.output(r)
	if err == nil {
		err = out.write(r)
	}
	s.err = explain(s.dir, err)
	return s.err
}

// explain says what to do about an error of the disk.
func explain(dir string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		return fmt.Errorf("there is no space left in %s, nothing is taken until there is: make room (%w)", dir, err)
	}
	return fmt.Errorf("nothing can be written into %s: see to the disk (%w)", dir, err)
}

// output is the file for a reading.
func (s *Spool) output(r *Reading) (*output, error) {
	if err := CheckName(r.Server); err != nil {
		return nil, err
	}
	if out := s.open[r.Server]; out != nil {
		if out.day.Equal(dayfile.Day(r.Time)) && out.tells == r.Connections && out.intact() {
			return out, nil
		}
		delete(s.open, r.Server)
		if err := out.file.Close(syncs); err != nil {
			return nil, err
		}
	}
	out, err := s.resume(r)
	if err == nil && out == nil {
		out, err = create(s.dir, r)
	}
	if err != nil {
		return nil, err
	}
	s.open[r.Server] = out
	return out, nil
}

// resume goes on in the last file of the day, nil where there is none to go on
// in.
func (s *Spool) resume(r *Reading) (*output, error) {
	paths, err := s.pathsOf(r.Server)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	last := paths[len(paths)-1]
	if _, begin, _ := dayfile.ParseName(filepath.Base(last)); !dayfile.Day(begin).Equal(dayfile.Day(r.Time)) {
		return nil, nil
	}
	out, err := goOn(last, r)
	if errors.Is(err, sysstat.ErrOther) {
		return nil, nil
	}
	return out, err
}

// Err is why the last reading could not be written, nil where it was.
func (s *Spool) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Clear forgets the error of a write that nobody tries again.
func (s *Spool) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = nil
}

// Sync brings what was written to the disk.
func (s *Spool) Sync() error {
	s.mu.Lock()
	var dirty []*dayfile.File
	for _, out := range s.open {
		if out.dirty {
			out.dirty = false
			dirty = append(dirty, out.file)
		}
	}
	s.mu.Unlock()
	return dayfile.SyncAll(dirty, syncs) // other goroutines write meanwhile
}

// syncs sync files and directories with fsync.
var syncs = dayfile.Syncs{Data: (*os.File).Sync, Dir: syncDir}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// Retain removes the files of all but the latest days that have any, and closes
// those of servers that have not told anything since yesterday. It goes by the
// days that were recorded: by the clock, which may be a year ahead for a moment,
// all of them would be too long ago.
func (s *Spool) Retain(now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	files, err := s.files()
	errs := []error{err}
	for server, out := range s.open {
		if out.day.Before(dayfile.Day(now).AddDate(0, 0, -1)) {
			delete(s.open, server)
			errs = append(errs, out.file.Close(syncs))
		}
	}
	oldest := oldestDay(files, s.o.KeepDays)
	for _, f := range files {
		if out := s.open[f.server]; dayfile.Day(f.begin).Before(oldest) && (out == nil || out.file.Path != f.path) {
			errs = append(errs, os.Remove(f.path))
		}
	}
	return errors.Join(errs...)
}

// oldestDay is the first of the last days that have files: the present one, and
// so many before it.
func oldestDay(files []file, keep int) time.Time {
	var days []time.Time
	for _, f := range files {
		days = append(days, dayfile.Day(f.begin))
	}
	days = slices.Compact(days) // files are in their order
	if len(days) <= keep {
		return time.Time{}
	}
	return days[len(days)-1-keep]
}

// Close syncs and closes all files.
func (s *Spool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	var errs []error
	for _, out := range s.open {
		errs = append(errs, out.file.Close(syncs))
	}
	return errors.Join(append(errs, s.claim.Close())...)
}
