package outfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// sweep removes the remains of killed runs from a directory: temporary files, and directories of
// [MakeDir]. It leaves remains of other users, and locked ones. It ignores errors.
func sweep(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return
	}
	for _, name := range names {
		if isTemp(name) {
			sweepOne(filepath.Join(dir, name))
		}
	}
}

// isTemp reports whether a name has the form that tempName returns.
func isTemp(name string) bool {
	digits, isPrefixed := strings.CutPrefix(name, tempPrefix)
	digits, isSuffixed := strings.CutSuffix(digits, tempSuffix)
	return isPrefixed && isSuffixed && len(digits) == tempDigits && strings.Trim(digits, "0123456789abcdef") == ""
}

// sweepOne removes a temporary file or directory, unless a run has locked it.
func sweepOne(path string) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() && !info.IsDir() || !mine(info) {
		return
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking|noFollow, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if Lock(f) != nil || !stillNamed(f) {
		return
	}
	if info.IsDir() {
		os.RemoveAll(path)
		return
	}
	os.Remove(path)
}

// claim locks a temporary file or directory. It reports whether the file still exists: the sweep of
// another run may have removed it before. If the file system has no locks, sweeps remove nothing.
func claim(f *os.File) bool {
	_ = Lock(f)
	return stillNamed(f)
}

// stillNamed reports whether the path of an open file still names this file.
func stillNamed(f *os.File) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(opened, now)
}

// A Dir is a hidden directory for files that are not complete yet. It is locked, so that the sweep
// of another run does not remove it.
type Dir struct {
	Path string
	lock *os.File
}

// MakeDir creates a hidden directory in dir. The caller writes files there, and renames complete
// files into dir. MakeDir removes the remains of killed runs from dir.
func MakeDir(dir string) (*Dir, error) {
	sweep(dir)
	for {
		path := filepath.Join(dir, tempName())
		if err := os.Mkdir(path, 0o755); err != nil { // the error names dir, not the hidden directory
			return nil, fmt.Errorf("no file can be created in directory %s: %w", dir, bare(err))
		}
		f, err := os.Open(path)
		if err == nil && claim(f) {
			return &Dir{path, f}, nil
		}
		if err != nil && !isGone(err) {
			return nil, err
		}
		f.Close()
	}
}

func isGone(err error) bool { return os.IsNotExist(err) }

// Remove removes the directory and all files in it.
func (d *Dir) Remove() error {
	err := os.RemoveAll(d.Path)
	d.lock.Close()
	return err
}
