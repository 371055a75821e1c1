// This file calls the kernel with an open file while another goroutine may close it:
// for locks above all, which end with the file's closing or with the end of the process.

package outfile

import (
	"errors"
	"os"
)

// ErrLocked says that another has locked the file.
var ErrLocked = errors.New("the file is in use")

// Control calls do with the descriptor of a file. The file is not closed meanwhile.
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
