package member

import (
	"errors"
	"fmt"
	"path/filepath"
)

// ErrNoSpace is returned if a file system has too little space for the files of an array.
var ErrNoSpace = errors.New("the file system has too little space")

// CheckSpace returns an error if the file systems of the paths have too little space for one file
// of size bytes at each path. A sparse file needs space only when it is written, so without this
// check a later write could fail.
func CheckSpace(paths []string, size int64) error {
	needed := map[uint64]int64{}
	for _, path := range paths {
		free, device, err := freeBytes(filepath.Dir(path))
		if err != nil {
			return err
		}
		if needed[device] += size; needed[device] > free {
			return fmt.Errorf("%s: %w: the files need %d bytes, but only %d bytes are free", path, ErrNoSpace, needed[device], free)
		}
	}
	return nil
}
