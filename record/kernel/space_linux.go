package kernel

import (
	"fmt"
	"syscall"

	"github.com/limpet-storage/limpet/record/hoststat"
)

// measure fills in the size and the free space of the file system at a path.
func measure(path string, f *hoststat.FileSystem) error {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return fmt.Errorf("the free space of the file system at %s cannot be read: %w", path, err)
	}
	block := uint64(s.Bsize)
	f.Bytes, f.FreeBytes, f.Files, f.FreeFiles = s.Blocks*block, s.Bavail*block, s.Files, s.Ffree
	return nil
}
