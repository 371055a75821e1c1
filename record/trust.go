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

// Other users may write into the directory, and the recorder may run as root. So the recorder
// follows no link, opens no file that others may have created, and does not record into a directory
// in which every user could replace its files.

// Permissions of other users.
const (
	groupMayWrite  = 0o020
	othersMayWrite = 0o002
)

// checkDir refuses a directory that is not safe, and returns warnings about smaller risks.
func checkDir(dir string) (warnings []string, err error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	mode, sticky := info.Mode(), info.Mode()&os.ModeSticky != 0
	switch owner := statOf(info).Uid; {
	case !mine(owner):
		return nil, fmt.Errorf("directory %s belongs to the user with the ID %d, and this user could replace recorded files: run the recorder as this user, or name another directory", dir, owner)
	case mode&othersMayWrite != 0 && !sticky:
		return nil, fmt.Errorf("every user may replace files in directory %s: remove this permission (chmod o-w), or name another directory", dir)
	case mode&othersMayWrite != 0:
		warnings = append(warnings, fmt.Sprintf("every user may create files in directory %s, but the recorder ignores files of other users: name a directory that no other user can write to", dir))
	case mode&groupMayWrite != 0 && !sticky:
		warnings = append(warnings, fmt.Sprintf("the group with the ID %d may replace files in directory %s: if you do not trust its members, remove this permission (chmod g-w)", statOf(info).Gid, dir))
	}
	return append(warnings, checkParents(dir)...), nil
}

// checkParents returns warnings about parent directories in which every user could replace the
// directory of the recorder.
func checkParents(dir string) (warnings []string) {
	path, err := filepath.Abs(dir)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	for err == nil && path != filepath.Dir(path) {
		path = filepath.Dir(path)
		info, err := os.Stat(path)
		if err == nil && info.Mode()&othersMayWrite != 0 && info.Mode()&os.ModeSticky == 0 {
			warnings = append(warnings, fmt.Sprintf("every user may replace directory %s, because every user may write to %s: remove this permission (chmod o-w %[2]s)", dir, path))
		}
	}
	return warnings
}

// mine reports whether an owner is the user of this recorder, or root, who may do anything.
func mine(owner uint32) bool { return owner == 0 || int(owner) == os.Geteuid() }

func statOf(info os.FileInfo) *syscall.Stat_t { return info.Sys().(*syscall.Stat_t) }

// isOwn reports whether a file can be a file of this recorder: a regular file of its user, without
// other hard links. A hard link could point to any file on the disk.
func isOwn(info os.FileInfo) bool {
	s := statOf(info)
	return info.Mode().IsRegular() && mine(s.Uid) && s.Nlink <= 1
}

// errForeign is the error for a file that others created with a name of the recorder.
var errForeign = errors.New("the file does not belong to the user who runs the recorder: remove the file")

// openOwn opens a file without following a link or waiting at a FIFO. It refuses a file that cannot
// be a file of this recorder.
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

// createOwn creates a file. If the file exists, a crash has left it, and createOwn removes it
// first.
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

// lockMode is the mode of lock files. Every user who may read a file can lock the file, and thus block
// the recorder. So only the owner may read lock files.
const lockMode = 0o600

// openClaim opens or creates the lock file of a directory, and locks it.
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

// strangers returns the paths of files that have the name of a recorder's file but that others
// created.
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
