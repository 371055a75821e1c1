//go:build unix

package outfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Flags that keep an open from waiting at a FIFO, and from following a link.
const (
	nonBlocking = syscall.O_NONBLOCK
	noFollow    = syscall.O_NOFOLLOW
)

// keepOwner gives a file the owner and the group of another.
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

// foreign reports whether a file belongs neither to this user nor to the owner of
// its directory.
func foreign(info, dir fs.FileInfo) (owner uint32, isForeign bool) {
	owner = info.Sys().(*syscall.Stat_t).Uid
	return owner, int(owner) != os.Geteuid() && owner != dir.Sys().(*syscall.Stat_t).Uid
}

// hasNoReader reports whether an error is that of a FIFO that nobody reads.
func hasNoReader(err error) bool { return errors.Is(err, unix.ENXIO) }

// mine says whether a file is this user's to clear away.
func mine(info fs.FileInfo) bool {
	me := os.Geteuid()
	return me == 0 || int(info.Sys().(*syscall.Stat_t).Uid) == me
}

// writableDir says whether files can be made in a directory.
func writableDir(dir string) error {
	return unix.Faccessat(unix.AT_FDCWD, dir, unix.W_OK|unix.X_OK, unix.AT_EACCESS)
}

// cannotSync says whether an error is that of a file system without fsync of
// directories.
func cannotSync(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EROFS)
}

// duplicate opens a descriptor of this process once more.
func duplicate(fd int, name string) (*os.File, error) {
	n, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(n), name), nil
}
