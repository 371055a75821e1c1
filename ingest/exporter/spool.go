package exporter

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
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

// A Spool writes the readings (states) of servers into activity files in one directory. No other
// process may write into the directory. There is one file for each server and UTC day, named after
// the server and the time of the first reading in the file:
//
//	fs1-20110509T000005Z.sa
//
// The recorder (package record) writes its own files in the same way, with the same package
// dayfile. While the disk is full, Write returns an error. Senders then keep their samples and send
// them again. Any number of goroutines may call the methods of a Spool.
type Spool struct {
	dir   string
	o     SpoolOptions
	claim *os.File // lock file of the directory, open as long as the spool is open

	mu     sync.Mutex
	open   map[string]*output // open file of each server
	err    error              // error of the last write; nil if the write succeeded
	closed bool
	damage []string         // sentences about files that have lost received data
	sizes  map[string]int64 // for each file name: bytes of the file that are certainly on the disk

	listing sync.Mutex       // held while the list of files is written
	listed  map[string]int64 // guarded by listing: the list of files as it was last written (spool_list.go)
}

// Open opens the spool in a directory. It creates the directory if necessary.
func Open(dir string, o SpoolOptions) (*Spool, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := outfile.MakeDirs(dir, 0o755); err != nil {
		return nil, err
	}
	claim, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	s := &Spool{dir: dir, o: o, claim: claim, open: map[string]*output{}, sizes: map[string]int64{}, damage: compareList(dir)}
	if list, err := readList(dir); err == nil {
		maps.Copy(s.sizes, list)
	}
	if err := s.removeParts(); err != nil {
		claim.Close()
		return nil, err
	}
	return s, nil
}

// lockName is the name of the file that is locked while a spool is open.
const lockName = ".intake.lock"

// lockDir locks the directory, so that no other process writes into it.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := outfile.Lock(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("another process writes to %s: stop the other process, or name another directory", dir)
	}
	return f, nil
}

// removeParts removes the unfinished files that a crash has left.
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

// A file is an activity file in the directory of the Spool.
type file struct {
	path, server string
	begin        time.Time
}

// files returns the files in the directory, sorted by the start time in their
// names.
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

// Servers returns the names of the servers that have files. The server with the
// newest file is last.
func (s *Spool) Servers() ([]string, error) {
	files, err := s.files()
	var names []string
	seen := map[string]bool{}
	for _, f := range slices.Backward(files) {
		if !seen[f.server] {
			seen[f.server] = true
			names = append(names, f.server)
		}
	}
	slices.Reverse(names)
	return names, err
}

// pathsOf returns the paths of the files of a server, sorted by the start time
// in their names.
func (s *Spool) pathsOf(server string) (paths []string, err error) {
	files, err := s.files()
	for _, f := range files {
		if f.server == server {
			paths = append(paths, f.path)
		}
	}
	return paths, err
}

// Recall returns what the files of a server contain: its devices and its last reading.
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

// errClosed is the error of Write after Close.
var errClosed = errors.New("limpet is being stopped and accepts no more data")

// Write writes a reading into the file of its server and day. The reading is on the disk after at
// most the duration SpoolOptions.Sync.
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

// explain adds advice for the user to an error of the disk.
func explain(dir string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		return fmt.Errorf("the disk of directory %s is full, so limpet accepts no data: free some space (%w)", dir, err)
	}
	return fmt.Errorf("limpet cannot write a file in directory %s: check the disk (%w)", dir, err)
}

// output returns the open file of the server and the day of a reading. It opens or creates the file
// if necessary.
func (s *Spool) output(r *Reading) (*output, error) {
	if err := CheckName(r.Server); err != nil {
		return nil, err
	}
	if out := s.open[r.Server]; out != nil {
		if out.day.Equal(dayfile.Day(r.Time)) && out.hasConnections == r.Connections && out.hasWaits == r.Waits && out.intact() {
			return out, nil
		}
		delete(s.open, r.Server)
		if err := s.closeOutput(out); err != nil {
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

// resume opens the last file of the server, to append the reading. It returns nil if the server has
// no file of the day of the reading, or if records cannot be appended to the file.
func (s *Spool) resume(r *Reading) (*output, error) {
	paths, err := s.pathsOf(r.Server)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	last := paths[len(paths)-1]
	if _, begin, _ := dayfile.ParseName(filepath.Base(last)); !dayfile.Day(begin).Equal(dayfile.Day(r.Time)) {
		return nil, nil
	}
	out, damaged, err := continueFile(last, r)
	if damaged > 0 {
		s.damage = append(s.damage, damagedPart(last, damaged))
	}
	if errors.Is(err, sysstat.ErrOther) {
		return nil, nil
	}
	return out, err
}

func (s *Spool) closeOutput(out *output) error {
	size := out.file.Size()
	err := out.file.Close(syncs)
	if err == nil {
		s.sizes[filepath.Base(out.file.Path)] = size
	}
	return err
}

// Err returns the error of the last write, or nil if the write succeeded.
func (s *Spool) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Clear drops the error of the last write. The caller calls Clear if it does not try that write
// again.
func (s *Spool) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = nil
}

// Sync syncs all files that were written since the last Sync.
func (s *Spool) Sync() error {
	s.mu.Lock()
	var dirty []*dayfile.File
	sizes := map[string]int64{}
	for _, out := range s.open {
		if out.dirty {
			out.dirty = false
			dirty = append(dirty, out.file)
			sizes[filepath.Base(out.file.Path)] = out.file.Size()
		}
	}
	s.mu.Unlock()
	if err := dayfile.SyncAll(dirty, syncs); err != nil { // this call does not hold the lock, so that other goroutines can write at the same time
		return err
	}
	s.mu.Lock()
	maps.Copy(s.sizes, sizes)
	s.mu.Unlock()
	return s.writeList()
}

// syncs has the functions that write files and directories to the disk with
// fsync.
var syncs = dayfile.Syncs{Data: (*os.File).Sync, Dir: syncDir}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// Retain removes old files. It keeps the newest day that has files, and KeepDays earlier days with
// files. Days are not counted from the clock: if the clock were a year ahead for a moment, all
// files would look old. Retain also closes open files of days before yesterday.
func (s *Spool) Retain(now time.Time) error {
	old, err := s.removable(now)
	if len(old) == 0 {
		return err
	}
	// The list (spool_list.go) is written first, without these files. If limpet removed the files
	// first and were then killed, it would report these files as missing after the restart. If the
	// disk is so full that the list cannot be written, the files are removed nevertheless.
	errs := []error{err, s.writeListWithout(old)}
	for _, path := range old {
		errs = append(errs, os.Remove(path))
	}
	return errors.Join(errs...)
}

// removable returns the files that Retain removes. It closes open files of days before yesterday.
func (s *Spool) removable(now time.Time) (old []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	files, err := s.files()
	errs := []error{err}
	for server, out := range s.open {
		if out.day.Before(dayfile.Day(now).AddDate(0, 0, -1)) {
			delete(s.open, server)
			errs = append(errs, s.closeOutput(out))
		}
	}
	oldest := oldestDay(files, s.o.KeepDays)
	for _, f := range files {
		if out := s.open[f.server]; dayfile.Day(f.begin).Before(oldest) && (out == nil || out.file.Path != f.path) {
			old = append(old, f.path)
		}
	}
	return old, errors.Join(errs...)
}

// oldestDay returns the first day whose files are kept. The parameter `keep` is the number of days
// that are kept before the last day. Only days with files count.
func oldestDay(files []file, keep int) time.Time {
	var days []time.Time
	for _, f := range files {
		days = append(days, dayfile.Day(f.begin))
	}
	days = slices.Compact(days) // files are sorted by time, so equal days stand together
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
		errs = append(errs, s.closeOutput(out))
	}
	clear(s.open)
	s.mu.Unlock()
	err := errors.Join(errs...)
	if err == nil {
		err = s.writeList()
	}
	s.mu.Lock()
	return errors.Join(err, s.claim.Close())
}
