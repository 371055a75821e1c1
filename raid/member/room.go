package member

import (
	"errors"
	"fmt"
	"path/filepath"
)

// ErrRoom is of files that a file system has no room for.
var ErrRoom = errors.New("the file system has too little space")

// Room refuses files of so many bytes each for which their file systems have
// no room. A sparse file takes none at first: one that cannot grow later fails
// in the middle of a write.
func Room(paths []string, size int64) error {
	needed := map[uint64]int64{}
	for _, path := range paths {
		free, device, err := freeBytes(filepath.Dir(path))
		if err != nil {
			return err
		}
		if needed[device] += size; needed[device] > free {
			return fmt.Errorf("%s: %w: the files need %d bytes, but only %d bytes are free", path, ErrRoom, needed[device], free)
		}
	}
	return nil
}
