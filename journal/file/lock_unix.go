//go:build unix

package file

import (
	"os"

	"golang.org/x/sys/unix"
)

// Lock locks a file until it is closed, and fails where another has done so.
func Lock(f *os.File) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := conn.Control(func(fd uintptr) { failed = unix.Flock(int(fd), unix.LOCK_EX|unix.LOCK_NB) }); err != nil {
		return err
	}
	return failed
}
