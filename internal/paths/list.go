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
// link below. Of directories it passes over hidden files, over those that
// somebody is still making, such as recorders and copying programs, and over
// pipes, sockets and devices, which may never answer.
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
// they stand in. A directory that cannot be read hides what it holds and nothing
// else: the error of the first such comes when all others were visited.
func Walk(root string, visit func(name string, isDir bool)) error {
	root = followed(root)
	var first error
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			if first == nil {
				first = err
			}
		case name != root && passedOver(name, d):
			if d.IsDir() {
				return filepath.SkipDir
			}
		default:
			visit(name, d.IsDir())
		}
		return nil
	})
	if first == nil {
		first = err
	}
	return FileFirst(first)
}

// passedOver is whether something in a directory is hidden, still being made,
// or no file. A link that leads nowhere is for its reader to name.
func passedOver(name string, d fs.DirEntry) bool {
	base := filepath.Base(name)
	switch {
	case strings.HasPrefix(base, "."):
		return true
	case d.IsDir():
		return false
	case strings.HasSuffix(base, ".part"):
		return true
	case d.Type()&fs.ModeSymlink != 0:
		info, err := os.Stat(name)
		return err == nil && !info.Mode().IsRegular() && !info.IsDir()
	}
	return !d.Type().IsRegular()
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
