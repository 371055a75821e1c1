package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/limpet-storage/limpet/internal/inspection"
	"github.com/limpet-storage/limpet/internal/outfile"
)

// ErrInUse means that another process has the journal open.
var ErrInUse = errors.New("a running limpet serve uses the saved state: stop limpet serve first, or check a copy of the saved state")

// Inspection is the content of a journal that was read without changing a file.
type Inspection struct {
	Recovered
	Files []inspection.File
	// Refused is the reason why Open would not open the journal. It is nil if Open would open it.
	Refused error
}

// Inspect reads every byte of a journal and changes nothing. While it runs, no process can open the
// journal. It returns [ErrInUse] if a process has the journal open, and an error with the cause
// [fs.ErrNotExist] if there is no journal.
func Inspect(dir string) (*Inspection, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	lock, err := os.Open(filepath.Join(dir, lockName))
	if err == nil {
		defer lock.Close()
		if err := outfile.Lock(lock); errors.Is(err, outfile.ErrLocked) {
			return nil, ErrInUse
		}
	}
	j := &Journal{opts: DefaultOptions(), dir: dir, readOnly: true}
	r, err := j.recover()
	in := &Inspection{}
	if err != nil {
		in.Refused = fmt.Errorf("the journal in %s cannot be opened: %w", dir, err)
	} else {
		in.Recovered = *r
	}
	for _, e := range entries {
		in.Files = append(in.Files, inspectFile(dir, e))
	}
	return in, nil
}

func inspectFile(dir string, e fs.DirEntry) inspection.File {
	name := e.Name()
	f := inspection.File{Path: filepath.Join(dir, name)}
	if info, err := e.Info(); err == nil && !e.IsDir() {
		f.Bytes = info.Size()
	}
	_, isSnapshot := generationOf(name, snapshotSuffix)
	_, isLog := generationOf(name, logSuffix)
	_, isAside := generationOf(name, snapshotSuffix+asideSuffix)
	var err error
	switch {
	case isSnapshot:
		_, _, _, err = readSnapshot(f.Path)
	case isLog:
		err = readWholeLog(f.Path)
	case name == lockName && e.IsDir():
		err = errDirectory
	default:
		f.Unknown = !isAside && name != lockName && !strings.HasSuffix(name, tempSuffix)
	}
	if err != nil {
		f.Defect = fmt.Sprintf("file %s cannot be read (%v)", f.Path, withoutPath(err))
	}
	return f
}

// readWholeLog reads all records of a log. An incomplete record at the end is not a defect, because
// a killed process may leave such a record.
func readWholeLog(path string) error {
	s, err := openLog(path)
	if err != nil {
		return err
	}
	defer s.Close()
	for s.Next() {
	}
	if s.Damaged {
		return fmt.Errorf("%w at byte %d", errDamaged, s.ValidBytes)
	}
	return s.Err
}

// Notes calls a function with each note (a record of the caller, such as a command) after the
// snapshot, in order.
func (r *Recovered) Notes(note func([]byte) error) error {
	for i := range r.logs {
		s, err := openLog(r.logs[i].path)
		if err != nil {
			return err
		}
		for n := 0; n < r.logs[i].records && s.Next() && err == nil; n++ {
			if s.Kind() == Note {
				err = note(append([]byte{}, s.Content()...))
			}
		}
		s.Close()
		if err != nil {
			return err
		}
	}
	return nil
}
