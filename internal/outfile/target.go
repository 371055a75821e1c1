package outfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A target is the file that a path names after its links are followed.
type target struct {
	path       string
	there      fs.FileInfo // nil: the file does not exist yet
	replaced   bool        // a new file replaces the file; if false, it is written directly
	descriptor int         // number of a descriptor of this process; -1: none
	isPrivate  bool        // only the owner may read a new file
}

// maxLinks is the largest number of links to follow. The kernel has the same limit.
const maxLinks = 40

// find returns the target of a path.
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
	return target{}, errors.New("the symbolic links form a loop: name a file")
}

// look returns the target at a path. If the path is a link, next is the path that the link names.
func look(path string) (t target, next string, err error) {
	dir, base := filepath.Split(path)
	if base == "" || base == "." || base == ".." {
		return t, "", errors.New("this is a directory: name a file in the directory")
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
		if err := checkPlanted(dir, info); err != nil {
			return t, "", err
		}
		next, err = linked(t.path, dir)
		return t, next, err
	}
	if err := checkPlanted(dir, info); err != nil {
		return t, "", err
	}
	t.there, t.replaced = info, info.Mode().IsRegular()
	return t, "", refused(info)
}

// checkPlanted returns an error if another user has put a link, a file or a FIFO into a directory
// with the sticky bit, such as /tmp. The link could lead to any file that this user may write, and
// the owner of the file could change its content. A link, file or FIFO of this user or of the owner
// of the directory is allowed. The kernel has the same rules, but they may be switched off:
// protected_symlinks, protected_regular and protected_fifos (Linux,
// Documentation/admin-guide/sysctl/fs.rst).
func checkPlanted(dir string, info fs.FileInfo) error {
	d, err := os.Stat(dir)
	if err != nil {
		return err
	}
	writers := fs.FileMode(0o022) // as with value 2 of the sysctls
	if info.Mode()&fs.ModeSymlink != 0 {
		writers = 0o002
	}
	regular := info.Mode().IsRegular() || info.Mode()&(fs.ModeSymlink|fs.ModeNamedPipe) != 0
	if !regular || d.Mode()&fs.ModeSticky == 0 || d.Mode().Perm()&writers == 0 {
		return nil
	}
	owner, isForeign := foreign(info, d)
	if !isForeign {
		return nil
	}
	return fmt.Errorf("%s belongs to user %d, and other users may write in %s: remove the file, or name a file in another directory", filepath.Join(dir, info.Name()), owner, dir)
}

// realDir returns the path of a directory without links.
func realDir(dir string) (string, error) {
	if dir == "" {
		return filepath.Abs(".")
	}
	real, err := withoutLinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no directory %s", filepath.Clean(dir))
	}
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%s is not a directory", filepath.Clean(dir))
	}
	return filepath.Abs(real)
}

// withoutLinks returns the path of a directory without links. It returns an error for a link that
// another user has planted.
func withoutLinks(dir string) (string, error) {
	at, rest := ".", dir
	for links := 0; rest != ""; {
		if filepath.IsAbs(rest) {
			at = string(filepath.Separator)
		}
		var name string
		name, rest, _ = strings.Cut(strings.TrimLeft(rest, string(filepath.Separator)), string(filepath.Separator))
		if name == "" || name == "." {
			continue
		}
		next := filepath.Join(at, name)
		info, err := os.Lstat(next)
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return "", errors.New("the symbolic links form a loop: name a file")
		}
		if err := checkPlanted(at, info); err != nil {
			return "", err
		}
		to, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		rest = to + string(filepath.Separator) + rest
	}
	return at, nil
}

// linked returns the path to which a link in a directory leads. It does not remove ".." from the
// path: if a directory in the path is a link, ".." is the parent of its target.
func linked(path, dir string) (string, error) {
	to, err := os.Readlink(path)
	if err != nil || filepath.IsAbs(to) {
		return to, err
	}
	return dir + string(filepath.Separator) + to, nil
}

// refused returns an error for a directory or a socket, which cannot be written.
func refused(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return errors.New("this is a directory: name a file in the directory")
	case info.Mode()&fs.ModeSocket != 0:
		return errors.New("this is a socket: name a file, a FIFO or a device")
	}
	return nil
}

// descriptors reports whether a directory is the list of open descriptors of a process. The links
// in such a directory are not paths.
func descriptors(dir string) bool {
	return strings.HasPrefix(dir, "/proc/") && strings.HasSuffix(dir, "/fd")
}

// ofDescriptor returns the target of an open descriptor of this process or of another process.
func ofDescriptor(t target, dir, base string) target {
	if n, err := strconv.Atoi(base); err == nil && dir == fmt.Sprintf("/proc/%d/fd", os.Getpid()) {
		t.descriptor = n
	}
	return t
}

func (t target) isFIFO() bool { return t.there != nil && t.there.Mode()&fs.ModeNamedPipe != 0 }

// open opens a target that is written directly. It duplicates a descriptor of this process, so that
// new data follow the data that were written before.
func (t target) open(ctx context.Context) (*os.File, error) {
	switch {
	case t.descriptor >= 0:
		return duplicate(t.descriptor, t.path)
	case descriptors(filepath.Dir(t.path)):
		return os.OpenFile(t.path, os.O_WRONLY|os.O_APPEND, 0) // the descriptor of another process may be a file
	case t.isFIFO():
		return t.openFIFO(ctx)
	}
	return t.same(os.OpenFile(t.path, os.O_WRONLY|noFollow, 0))
}

// lookForReader is the time between two checks whether a process reads a FIFO.
const lookForReader = 20 * time.Millisecond

// openFIFO waits until a process reads a FIFO, and opens the FIFO.
func (t target) openFIFO(ctx context.Context) (*os.File, error) {
	for {
		f, err := t.same(os.OpenFile(t.path, os.O_WRONLY|noFollow|nonBlocking, 0))
		if !hasNoReader(err) {
			return f, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("no program reads the FIFO (%w): start the program that reads the FIFO before you start limpet", ctx.Err())
		case <-time.After(lookForReader):
		}
	}
}

// same returns an open file. It returns an error if the file is not the file that look found.
func (t target) same(f *os.File, err error) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !os.SameFile(info, t.there) {
		f.Close()
		return nil, errors.New("another program replaced the file: find out which program writes to its directory")
	}
	return f, nil
}
