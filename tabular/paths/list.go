package paths

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// List walks roots, which may be files and directories, and returns the files in
// lexical order, each once. A root that is a link is followed, and no
// link below. Of directories it passes over hidden files, and over those that
// somebody is still making, such as recorders and copying programs.
func List(roots []string) ([]string, error) {
	var files []string
	for _, root := range roots {
		err := Walk(root, func(name string, isDir bool) {
			if !isDir {
				files = append(files, name)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// Walk visits the files that List lists of one root, and the directories that
// they stand in.
func Walk(root string, visit func(name string, isDir bool)) error {
	root = followed(root)
	return FileFirst(filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		base := filepath.Base(name)
		hidden := name != root && (strings.HasPrefix(base, ".") || err == nil && !d.IsDir() && strings.HasSuffix(base, ".part"))
		switch {
		case err != nil:
			return err
		case hidden && d.IsDir():
			return filepath.SkipDir
		case !hidden:
			visit(name, d.IsDir())
		}
		return nil
	}))
}

// followed adds a slash to a directory, so that a link to it is followed.
func followed(root string) string {
	if info, err := os.Stat(root); err == nil && info.IsDir() {
		return filepath.Clean(root) + string(filepath.Separator)
	}
	return root
}

// FileFirst makes an error of the operating system name the file first, as all
// errors of readers do.
func FileFirst(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}
