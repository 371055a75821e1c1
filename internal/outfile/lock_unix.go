//go:build unix

package outfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Lock keeps others from locking a file until it is closed. It returns [ErrLocked] where
// another has done so, and [errors.ErrUnsupported] where the system has no such locks.
func Lock(f *os.File) error {
	err := Control(f, func(fd int) error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}
