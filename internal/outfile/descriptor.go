// This file makes system calls with the descriptor of an open file, while another goroutine may
// close the file. The main use are locks. A lock ends when the file is closed or the process ends.

package outfile

import (
	"errors"
	"os"
)

// ErrLocked is the error of [Lock] if another process has locked the file.
var ErrLocked = errors.New("another process uses the file")

// Control calls do with the descriptor of a file. The descriptor stays open until do returns.
func Control(f *os.File, do func(fd int) error) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := conn.Control(func(fd uintptr) { failed = do(int(fd)) }); err != nil {
		return err
	}
	return failed
}
