package simulate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/limpet-storage/limpet/internal/outfile"
)

// A Stage is where files are written until all of them are whole: hidden in
// their directory, so that moving them out copies nothing. Its user writes
// each file at [Stage.Path], then calls [Stage.Place], and [Stage.Discard] in
// any case: what was not placed leaves no trace.
type Stage struct {
	dir    string
	made   []string // directories that were not there before, the deepest last
	hidden *outfile.Dir
	names  []string // of the files, within dir and within hidden
}

// NewStage prepares dir, which is made where it is not there, for the files
// called names, paths within dir. Files of these names that an earlier run
// wrote are replaced when the new ones are placed; one that anybody else wrote
// or changed is refused. Directories within dir belong to the files alone: one
// that holds anything else is refused, since a reader would take it for a part of the
// same system.
func NewStage(dir string, names ...string) (*Stage, error) {
	g := &Stage{dir: dir, names: names}
	if err := g.refuseOthers(); err != nil {
		return nil, err
	}
	if err := g.prepare(); err != nil {
		g.Discard()
		return nil, err
	}
	return g, nil
}

// folders are those of the files, within dir.
func (g *Stage) folders() []string {
	var folders []string
	for _, name := range g.names {
		if folder := filepath.Dir(name); folder != "." && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}

func (g *Stage) refuseOthers() error {
	if err := MayReplace(g.dir, g.names...); err != nil {
		return err
	}
	for _, folder := range g.folders() {
		path := filepath.Join(g.dir, folder)
		there, err := os.ReadDir(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, entry := range there {
			if !slices.Contains(g.names, filepath.Join(folder, entry.Name())) {
				return fmt.Errorf("directory %s has the file %s, which limpet did not write: name another directory", path, entry.Name())
			}
		}
	}
	return nil
}

func (g *Stage) prepare() (err error) {
	if err := g.makeDir(g.dir); err != nil {
		return err
	}
	if g.hidden, err = outfile.MakeDir(g.dir); err != nil {
		return err
	}
	for _, folder := range g.folders() {
		if err := os.MkdirAll(g.Path(folder), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// makeDir makes a directory and those that it is in, and remembers them.
func (g *Stage) makeDir(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := g.makeDir(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	g.made = append(g.made, dir)
	return nil
}

// Path is where a file is to be written.
func (g *Stage) Path(name string) string { return filepath.Join(g.hidden.Path, name) }

// Write writes a small file at once.
func (g *Stage) Write(name string, data []byte) error {
	return os.WriteFile(g.Path(name), data, 0o644)
}

// WriteTruth writes what is wrong with the system, as [TruthFile].
func (g *Stage) WriteTruth(t *Truth) error {
	text, err := t.YAML()
	if err != nil {
		return err
	}
	return g.Write(TruthFile, text)
}

// Place moves the files to where they belong. All have to be there. What an
// earlier run wrote, and what this one did, is known for limpet's at any time
// between, so that a run which is killed there can be repeated.
func (g *Stage) Place() error {
	fresh, err := g.secure()
	if err != nil {
		return err
	}
	before, err := readManifest(g.dir)
	if err != nil {
		return err
	}
	if err := slices.Concat(before, fresh).write(g.dir); err != nil {
		return err
	}
	if err := g.move(); err != nil {
		return err
	}
	return slices.Concat(before.without(fresh.allNames()), fresh).write(g.dir)
}

// secure brings the files to the disk, and lists them.
func (g *Stage) secure() (manifest, error) {
	var fresh manifest
	for _, name := range g.names {
		sum, err := sumOf(g.Path(name))
		if err != nil {
			return nil, fmt.Errorf("%s was not written: %w", name, err)
		}
		if err := outfile.Sync(g.Path(name)); err != nil {
			return nil, err
		}
		fresh = append(fresh, manifestLine{sum, filepath.ToSlash(name)})
	}
	return fresh, nil
}

// move gives the files their names.
func (g *Stage) move() error {
	for _, folder := range g.folders() {
		if err := g.makeDir(filepath.Join(g.dir, folder)); err != nil {
			return err
		}
	}
	for _, name := range g.names {
		if err := os.Rename(g.Path(name), filepath.Join(g.dir, name)); err != nil {
			return err
		}
	}
	for _, folder := range append(g.folders(), ".") {
		if err := outfile.SyncDir(filepath.Join(g.dir, folder)); err != nil {
			return err
		}
	}
	return nil
}

// Discard removes what was not placed. Directories stay that are not empty.
func (g *Stage) Discard() {
	if g.hidden != nil {
		g.hidden.Remove()
	}
	for _, dir := range slices.Backward(g.made) {
		os.Remove(dir)
	}
}
