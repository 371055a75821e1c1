package exporter

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/limpet-storage/limpet/internal/inspection"
	"github.com/limpet-storage/limpet/internal/sealed"
	"github.com/limpet-storage/limpet/record/dayfile"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// limpet acknowledges a sample to its sender before the diagnosis has read the sample. So at its
// start, the spool must notice if a file disappeared or became shorter while limpet was not
// running. It writes a list of its files after each sync. For each file, the list has the number of
// bytes that are certainly on the disk:
//
//	limpet-intake 1 sha256 5feceb66…
//	{"fs1-20110509T000005Z.sa": 81920}
//
// The numbers in the list are never larger than the sizes of the files, even after a kill or a loss
// of power.
const listName = ".intake.files"

var listKind = sealed.Kind{Name: "limpet-intake", Version: 1}

// writeList writes the list of files if the list has changed. For each file, the list has the
// number of bytes that are certainly on the disk (Spool.sizes).
func (s *Spool) writeList() error { return s.writeListWithout(nil) }

// writeListWithout writes the list of files, but leaves out the given files.
func (s *Spool) writeListWithout(paths []string) error {
	s.listing.Lock()
	defer s.listing.Unlock()
	s.mu.Lock()
	files, err := s.files()
	now := map[string]int64{}
	for _, f := range files {
		if slices.Contains(paths, f.path) {
			continue
		}
		name := filepath.Base(f.path)
		now[name] = s.sizes[name] // 0 for a file that was not synced yet; the check at the next start then only finds out whether the file exists
	}
	changed := !maps.Equal(now, s.listed)
	s.mu.Unlock()
	if err != nil || !changed {
		return err
	}
	path := filepath.Join(s.dir, listName)
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		_ = os.Remove(path) // Remove fails if the directory is not empty; Write then returns an error
	}
	err = listKind.Write(path, now)
	if err == nil {
		s.listed = now
	}
	return err
}

// readList reads the list of files. If there is no list, it returns nil without an error, because
// earlier versions of limpet wrote no list.
func readList(dir string) (map[string]int64, error) {
	list := map[string]int64{}
	err := listKind.Read(filepath.Join(dir, listName), &list)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return list, err
}

// compareList compares the files in the directory with the list that the previous process wrote. It
// returns a sentence for each file that has lost received data.
func compareList(dir string) (damage []string) {
	list, err := readList(dir)
	if err != nil {
		return []string{fmt.Sprintf("the list %s of the files with received data cannot be read (%v): limpet does not know whether files are missing, and writes a new list", filepath.Join(dir, listName), withoutPath(err))}
	}
	for _, name := range slices.Sorted(maps.Keys(list)) {
		path := filepath.Join(dir, name)
		is := ""
		switch info, err := os.Lstat(path); {
		case errors.Is(err, fs.ErrNotExist):
			is = "is missing"
		case err != nil:
			is = fmt.Sprintf("cannot be read (%v)", withoutPath(err))
		case !info.Mode().IsRegular():
			is = "is not a regular file"
		case info.Size() < list[name]:
			is = fmt.Sprintf("has only %d of %d bytes", info.Size(), list[name])
		}
		if is != "" {
			damage = append(damage, fmt.Sprintf("the file %s of received data %s: samples that limpet had not judged yet are lost", path, is))
		}
	}
	return damage
}

// withoutPath returns an error without the path of the file, because the text of the caller has the
// path already.
func withoutPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// Damage returns sentences about files that have lost received data: files that disappeared or
// became shorter while limpet was not running, and files with bytes that Write could not read.
func (s *Spool) Damage() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.damage)
}

// Inspect reads every byte of a spool and changes nothing. The second result has the sentences that
// Damage returns when the spool is opened.
func Inspect(dir string) (files []inspection.File, damage []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		f := inspection.File{Path: filepath.Join(dir, e.Name())}
		if info, err := e.Info(); err == nil && !e.IsDir() {
			f.Bytes = info.Size()
		}
		_, _, isData := dayfile.ParseName(e.Name())
		switch {
		case isData && e.Type().IsRegular():
			f.Defect = inspectFile(f.Path)
		case e.Name() == lockName && e.IsDir():
			return nil, nil, fmt.Errorf("%s is a directory, but must be a file (the lock file of the received data): remove this directory", f.Path)
		case !isData && e.Name() != lockName && e.Name() != listName && !isPart(e.Name()):
			f.Unknown = true
		}
		files = append(files, f)
	}
	return files, compareList(dir), nil
}

// inspectFile reads an activity file. It returns a sentence if parts of the file cannot be read. An
// incomplete record at the end is not a defect, because a killed process may leave such a record.
func inspectFile(path string) string {
	damaged, err := sysstat.Damaged(path)
	switch {
	case err != nil:
		return fmt.Sprintf("the file %s of received data cannot be read (%v): its samples are lost", path, withoutPath(err))
	case damaged > 0:
		return damagedPart(path, damaged)
	}
	return ""
}

// damagedPart returns the sentence about unreadable bytes that are followed by complete records.
func damagedPart(path string, bytes int64) string {
	return fmt.Sprintf("%d bytes of the file %s of received data cannot be read: the samples in these bytes are lost", bytes, path)
}
