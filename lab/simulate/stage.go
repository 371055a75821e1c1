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

// A Stage is a hidden directory in which files are written until all of them are complete. It is in
// the directory of the files, so moving the files out copies nothing. The caller writes each file
// at [Stage.Path] and then calls [Stage.Place]. The caller always calls [Stage.Discard] in the end:
// it removes all that was not placed.
type Stage struct {
	dir    string
	made   []string // created directories, the deepest last
	hidden *outfile.Dir
	names  []string // paths of the files, relative to dir and to hidden
}

// NewStage creates dir if needed, and prepares it for files. Names are the paths of the files,
// relative to dir. NewStage refuses two kinds of directories:
//
//   - dir has one of these files, and limpet did not write it or somebody changed it. Unchanged
//     files of an earlier run are replaced by Place.
//   - A folder of these files has other files. A reader would take them for a part of the same
//     system.
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

// folders returns the folders of the files, relative to dir.
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

// makeDir creates a directory and its missing parents, and adds them to made.
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

// Path returns the path at which a file is to be written.
func (g *Stage) Path(name string) string { return filepath.Join(g.hidden.Path, name) }

// Write writes a whole file.
func (g *Stage) Write(name string, data []byte) error {
	return os.WriteFile(g.Path(name), data, 0o644)
}

// WriteTruth writes the truth as [TruthFile].
func (g *Stage) WriteTruth(t *Truth) error {
	text, err := t.YAML()
	if err != nil {
		return err
	}
	return g.Write(TruthFile, text)
}

// Place moves the files to their final places. All files must be written. Meanwhile the manifest
// lists the old and the new files, so a run that is killed meanwhile can be repeated.
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

// secure syncs the files, and returns their manifest.
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

// move moves the files to their final places.
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

// Discard removes all that was not placed. Directories that are not empty stay.
func (g *Stage) Discard() {
	if g.hidden != nil {
		g.hidden.Remove()
	}
	for _, dir := range slices.Backward(g.made) {
		os.Remove(dir)
	}
}
