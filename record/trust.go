package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/record/dayfile"
)

// Others may write where the recorder does, and it may run as root. It follows
// no link, opens no file that others may have put there, and does not record
// where everybody could replace what it wrote.

// Permissions of others.
const (
	groupMayWrite = 0o020
	othersMay     = 0o002
)

// checkDir refuses a directory that is not safe to record into, and warns of
// one that is not quite.
func checkDir(dir string) (warnings []string, err error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	mode, sticky := info.Mode(), info.Mode()&os.ModeSticky != 0
	switch owner := statOf(info).Uid; {
	case !mine(owner):
		return nil, fmt.Errorf("directory %s belongs to the user with the ID %d, who could replace recorded files: record as this user, or name another directory", dir, owner)
	case mode&othersMay != 0 && !sticky:
		return nil, fmt.Errorf("every user may replace files in directory %s: remove this permission (chmod o-w), or name another directory", dir)
	case mode&othersMay != 0:
		warnings = append(warnings, fmt.Sprintf("every user may create files in directory %s; the recorder ignores files of other users: name a directory that no other user can write to", dir))
	case mode&groupMayWrite != 0 && !sticky:
		warnings = append(warnings, fmt.Sprintf("the group with the ID %d may replace files in directory %s: if you do not trust its members, remove this permission (chmod g-w)", statOf(info).Gid, dir))
	}
	return append(warnings, checkParents(dir)...), nil
}

// checkParents warns of directories in which everyone could replace the one
// that is recorded into.
func checkParents(dir string) (warnings []string) {
	path, err := filepath.Abs(dir)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	for err == nil && path != filepath.Dir(path) {
		path = filepath.Dir(path)
		info, err := os.Stat(path)
		if err == nil && info.Mode()&othersMay != 0 && info.Mode()&os.ModeSticky == 0 {
			warnings = append(warnings, fmt.Sprintf("every user may replace directory %s, because every user may write to %s: remove this permission (chmod o-w %[2]s)", dir, path))
		}
	}
	return warnings
}

// mine says whether an owner is this recorder's user, or root, who may
// anything.
func mine(owner uint32) bool { return owner == 0 || int(owner) == os.Geteuid() }

func statOf(info os.FileInfo) *syscall.Stat_t { return info.Sys().(*syscall.Stat_t) }

// isOwn says whether a file can be this recorder's: a regular one of its user
// that has one name. A second name may be that of any file on the disk.
func isOwn(info os.FileInfo) bool {
	s := statOf(info)
	return info.Mode().IsRegular() && mine(s.Uid) && s.Nlink <= 1
}

// errForeign is a file that others put where the recorder's own would be.
var errForeign = errors.New("the file does not belong to the user who runs the recorder: remove the file")

// openOwn opens a file without following a link or waiting at a FIFO, and
// refuses one that cannot be this recorder's.
func openOwn(path string, flag int, mode os.FileMode) (*os.File, error) {
	f, err := os.OpenFile(path, flag|unix.O_NOFOLLOW|unix.O_NONBLOCK, mode)
	if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.ENXIO) {
		return nil, fmt.Errorf("%s: %w", path, errForeign)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !isOwn(info) {
		err = fmt.Errorf("%s: %w", path, errForeign)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// createOwn makes a file where there is none. What stands there is removed
// first if it may be: of the recorder's hidden files only a crash leaves any.
func createOwn(path string) (*os.File, error) {
	f, err := openOwn(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		if err := os.Remove(path); err != nil {
			return nil, err
		}
		f, err = openOwn(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	}
	return f, err
}

// lockMode is the mode of lock files. A user who may read a file may lock it, and so keep
// the recorder out; only the owner may.
const lockMode = 0o600

// openClaim opens or makes the file whose lock is the claim on a directory.
func openClaim(path string) (*os.File, error) {
	for {
		f, err := openLocked(path, os.O_RDWR)
		if errors.Is(err, os.ErrNotExist) {
			f, err = openLocked(path, os.O_RDWR|os.O_CREATE|os.O_EXCL)
		}
		if errors.Is(err, os.ErrExist) {
			continue // another recorder was faster
		}
		if err != nil {
			return nil, err
		}
		return f, f.Chmod(lockMode)
	}
}

// strangers are the names of a host's files that others put there.
func strangers(dir, host string) (names []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if _, _, ok := parseName(host, e.Name()); !ok || strings.HasPrefix(e.Name(), dayfile.HiddenPrefix) {
			continue
		}
		if info, err := e.Info(); err == nil && !isOwn(info) {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	return names
}
