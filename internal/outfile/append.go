package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// CheckAppend returns an error if a process could not append to the file at a path, or could not
// create it. It changes nothing. The process will create the directory later, with its parents,
// before it writes; empty: it creates no directory.
func CheckAppend(path, later string) error {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return CheckNew(path, later)
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s: this is a directory; name a file in the directory", path)
	case !info.Mode().IsRegular():
		return nil // to open a FIFO would wait for its reader
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	return file.Close()
}

// CheckNew returns an error if a process could not create a file at a path. It changes nothing. The
// parameter later is that of [CheckAppend].
func CheckNew(path, later string) error {
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && later != "" && within(later, dir):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: the directory %s does not exist; create this directory, or name another file", path, dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s: %s is not a directory; name another file", path, dir)
	}
	if err := writableDir(dir); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// within reports whether a path is the directory dir, or lies below it.
func within(path, dir string) bool {
	path, errPath := filepath.Abs(path)
	dir, errDir := filepath.Abs(dir)
	return errPath == nil && errDir == nil && (path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/"))
}
