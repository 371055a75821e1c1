//go:build unix

package outfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Flags of open: do not wait for the other side of a FIFO, and do not follow links.
const (
	nonBlocking = syscall.O_NONBLOCK
	noFollow    = syscall.O_NOFOLLOW
)

// keepOwner gives a file the owner and the group of another file.
func keepOwner(f *os.File, of fs.FileInfo) error {
	now, err := f.Stat()
	if err != nil {
		return err
	}
	want, have := of.Sys().(*syscall.Stat_t), now.Sys().(*syscall.Stat_t)
	if want.Uid == have.Uid && want.Gid == have.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}

// foreign returns the owner of a file, and reports whether the file belongs neither to this user
// nor to the owner of its directory.
func foreign(info, dir fs.FileInfo) (owner uint32, isForeign bool) {
	owner = info.Sys().(*syscall.Stat_t).Uid
	return owner, int(owner) != os.Geteuid() && owner != dir.Sys().(*syscall.Stat_t).Uid
}

// hasNoReader reports whether an error means that no process reads a FIFO.
func hasNoReader(err error) bool { return errors.Is(err, unix.ENXIO) }

// mine reports whether this user may remove a file: the file belongs to this user, or the user is
// root.
func mine(info fs.FileInfo) bool {
	me := os.Geteuid()
	return me == 0 || int(info.Sys().(*syscall.Stat_t).Uid) == me
}

// writableDir returns an error if this user cannot create files in a directory.
func writableDir(dir string) error {
	return unix.Faccessat(unix.AT_FDCWD, dir, unix.W_OK|unix.X_OK, unix.AT_EACCESS)
}

// cannotSync reports whether an error means that the file system cannot sync directories.
func cannotSync(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EROFS)
}

// duplicate returns a file with a copy of a descriptor of this process.
func duplicate(fd int, name string) (*os.File, error) {
	n, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(n), name), nil
}
