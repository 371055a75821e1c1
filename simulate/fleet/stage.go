package fleet

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A stage is where files are written until all of them are whole: hidden in
// their directory, so that moving them out copies nothing.
type stage struct {
	dir    string
	made   bool // dir was not there before
	hidden string
	names  []string // of the files, within dir and within hidden
}

// newStage prepares dir for files of the given names. It refuses a directory
// that holds others, since they would be taken for the same fleet's.
func newStage(dir string, names []string) (*stage, error) {
	s := &stage{dir: dir, names: names}
	if err := s.refuseOthers(); err != nil {
		return nil, err
	}
	_, err := os.Stat(dir)
	s.made = errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if s.hidden, err = os.MkdirTemp(dir, ".fleet-"); err != nil {
		return nil, err
	}
	if err := os.Mkdir(s.path(RecordsDir), 0o755); err != nil {
		s.discard()
		return nil, err
	}
	return s, nil
}

func (s *stage) refuseOthers() error {
	for _, sub := range []string{"", RecordsDir} {
		there, err := os.ReadDir(filepath.Join(s.dir, sub))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, entry := range there {
			name := filepath.Join(sub, entry.Name())
			if name != RecordsDir && !slices.Contains(s.names, name) {
				return fmt.Errorf("%s holds %s, which is not of this fleet: write to another directory", s.dir, name)
			}
		}
	}
	return nil
}

// path is where a file is written.
func (s *stage) path(name string) string { return filepath.Join(s.hidden, name) }

// text writes a file that people read.
func (s *stage) text(name string, text []byte) error {
	return os.WriteFile(s.path(name), text, 0o644)
}

// place moves the files to where they belong.
func (s *stage) place() error {
	if err := os.MkdirAll(filepath.Join(s.dir, RecordsDir), 0o755); err != nil {
		return err
	}
	for _, name := range s.names {
		if err := os.Rename(s.path(name), filepath.Join(s.dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// discard removes what was not placed. It leaves alone what is not empty.
func (s *stage) discard() {
	os.RemoveAll(s.hidden)
	if s.made {
		os.Remove(s.dir)
	}
}
