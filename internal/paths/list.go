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

// List returns the files below roots in lexical order, each once. A root is a file or a directory.
// List follows a root that is a link, but no links to directories below it. In directories, it
// skips:
//   - hidden files
//   - files with the ending .part, which a program is still writing
//   - pipes, sockets and devices, which may never return data
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

// Walk visits the files that List returns for one root, and their directories. If a directory
// cannot be read, Walk visits the other directories, and then returns the first error.
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

// passedOver reports whether an entry of a directory is hidden, still being written, or not a file.
// It is false for a broken link: the program that opens the link reports the error.
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

// FileFirst returns an error of the operating system with the name of the file first, as in all
// errors of readers.
func FileFirst(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}
