package simulate

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

// newStage prepares dir for the files of a run. It refuses a directory with
// other activity files, since they would be read as of the same system.
func newStage(dir string, r *run) (*stage, error) {
	g := &stage{dir: dir, names: []string{TopologyFile, TruthFile}}
	for _, s := range r.servers {
		g.names = append(g.names, filepath.Join(ActivityDir, r.scenario.fileName(s.name)))
	}
	if err := g.refuseOthers(); err != nil {
		return nil, err
	}
	_, err := os.Stat(dir)
	g.made = errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if g.hidden, err = os.MkdirTemp(dir, ".simulate-"); err != nil {
		return nil, err
	}
	if err := os.Mkdir(g.path(ActivityDir), 0o755); err != nil {
		g.discard()
		return nil, err
	}
	return g, nil
}

func (g *stage) refuseOthers() error {
	activity := filepath.Join(g.dir, ActivityDir)
	there, err := os.ReadDir(activity)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range there {
		if !slices.Contains(g.names, filepath.Join(ActivityDir, entry.Name())) {
			return fmt.Errorf("%s holds %s, which is of something else: write to another directory", activity, entry.Name())
		}
	}
	return nil
}

// path is where a file is written.
func (g *stage) path(name string) string { return filepath.Join(g.hidden, name) }

// texts writes the files that people read.
func (g *stage) texts(topology []byte, truth *Truth) error {
	yaml, err := truth.YAML()
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(g.path(TopologyFile), topology, 0o644),
		os.WriteFile(g.path(TruthFile), yaml, 0o644),
	)
}

// place moves the files to where they belong.
func (g *stage) place() error {
	if err := os.MkdirAll(filepath.Join(g.dir, ActivityDir), 0o755); err != nil {
		return err
	}
	for _, name := range g.names {
		if err := os.Rename(g.path(name), filepath.Join(g.dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// discard removes what was not placed. It leaves alone what is not empty.
func (g *stage) discard() {
	os.RemoveAll(g.hidden)
	if g.made {
		os.Remove(g.dir)
	}
}
