package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A target is what a path stands for once its links are followed.
type target struct {
	path       string
	there      fs.FileInfo // nil: nothing stands there yet
	replaced   bool        // by another file; otherwise it is written through
	descriptor int         // of this process, -1 where it is none
	isPrivate  bool        // nobody else may read what is new
}

// maxLinks is how many links the kernel follows, too.
const maxLinks = 40

// find follows the links of a path to its target.
func find(path string) (target, error) {
	if path == "" {
		return target{}, errors.New("the name is empty: name a file")
	}
	at := path
	for range maxLinks {
		t, next, err := look(at)
		if err != nil || next == "" {
			return t, err
		}
		at = next
	}
	return target{}, errors.New("its links lead in a circle: name a file")
}

// look looks at a path; next is where a link leads.
func look(path string) (t target, next string, err error) {
	dir, base := filepath.Split(path)
	if base == "" || base == "." || base == ".." {
		return t, "", errors.New("it is a directory: name a file in it")
	}
	if dir, err = realDir(dir); err != nil {
		return t, "", err
	}
	t = target{path: filepath.Join(dir, base), descriptor: -1}
	if descriptors(dir) {
		return ofDescriptor(t, dir, base), "", nil
	}
	info, err := os.Lstat(t.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.replaced = true
		return t, "", nil
	case err != nil:
		return t, "", err
	case info.Mode()&fs.ModeSymlink != 0:
		next, err = linked(t.path, dir)
		return t, next, err
	}
	t.there, t.replaced = info, info.Mode().IsRegular()
	return t, "", refused(info)
}

// realDir is a directory without links.
func realDir(dir string) (string, error) {
	if dir == "" {
		return filepath.Abs(".")
	}
	real, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no directory %s", filepath.Clean(dir))
	}
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%s is no directory", filepath.Clean(dir))
	}
	return filepath.Abs(real)
}

// linked is where a link in a directory leads. Its text is not cleaned: the
// parent of a linked directory is not the one before it in the path.
func linked(path, dir string) (string, error) {
	to, err := os.Readlink(path)
	if err != nil || filepath.IsAbs(to) {
		return to, err
	}
	return dir + string(filepath.Separator) + to, nil
}

// refused says what cannot be written at all.
func refused(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return errors.New("it is a directory: name a file in it")
	case info.Mode()&fs.ModeSocket != 0:
		return errors.New("it is a socket: name a file, a FIFO or a device")
	}
	return nil
}

// descriptors says whether a directory is one of open descriptors, whose links
// are none that a path can follow.
func descriptors(dir string) bool {
	return strings.HasPrefix(dir, "/proc/") && strings.HasSuffix(dir, "/fd")
}

// ofDescriptor is the target of an open descriptor, of this process or of
// another.
func ofDescriptor(t target, dir, base string) target {
	if n, err := strconv.Atoi(base); err == nil && dir == fmt.Sprintf("/proc/%d/fd", os.Getpid()) {
		t.descriptor = n
	}
	return t
}

// open opens what is written through. A descriptor of this process is
// duplicated, so that what is written follows what was written there before.
func (t target) open() (*os.File, error) {
	if t.descriptor >= 0 {
		return duplicate(t.descriptor, t.path)
	}
	how := os.O_WRONLY
	if descriptors(filepath.Dir(t.path)) {
		how |= os.O_APPEND // another process's, which may be a file
	}
	return os.OpenFile(t.path, how, 0)
}
