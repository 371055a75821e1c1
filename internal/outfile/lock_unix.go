//go:build unix

package outfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Lock locks a file until it is closed. It returns [ErrLocked] if another process has locked the
// file, and [errors.ErrUnsupported] if the system has no such locks.
func Lock(f *os.File) error {
	err := Control(f, func(fd int) error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}
