package outfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// sweep removes what killed runs left in a directory: temporary files, and
// directories made by [MakeDir], that are this user's and that nobody has
// locked. What cannot be removed stays.
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

// isTemp says whether a name is one that tempName gives.
func isTemp(name string) bool {
	digits, isPrefixed := strings.CutPrefix(name, tempPrefix)
	digits, isSuffixed := strings.CutSuffix(digits, tempSuffix)
	return isPrefixed && isSuffixed && len(digits) == tempDigits && strings.Trim(digits, "0123456789abcdef") == ""
}

// sweepOne removes what is left under a name, unless a run has it locked.
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
	if Lock(f) != nil || !stands(f) {
		return
	}
	if info.IsDir() {
		os.RemoveAll(path)
		return
	}
	os.Remove(path)
}

// claim locks a temporary file or directory, and says whether it is still
// there: a sweep may have come between. Where the file system has no locks
// nothing is swept either.
func claim(f *os.File) bool {
	_ = Lock(f)
	return stands(f)
}

// stands says whether a file still has the name that it was opened by.
func stands(f *os.File) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(opened, now)
}

// A Dir is a hidden directory in which files are made until all are whole. It
// is locked: a sweep of another run leaves it alone.
type Dir struct {
	Path string
	lock *os.File
}

// MakeDir makes a hidden directory within dir, from which files can be renamed
// into it. What killed runs left there is removed.
func MakeDir(dir string) (*Dir, error) {
	sweep(dir)
	for {
		path := filepath.Join(dir, tempName())
		if err := os.Mkdir(path, 0o755); err != nil { // whose name is nobody's business
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

// Remove removes the directory and all that is left in it.
func (d *Dir) Remove() error {
	err := os.RemoveAll(d.Path)
	d.lock.Close()
	return err
}
