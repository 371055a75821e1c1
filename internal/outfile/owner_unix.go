//go:build unix

package outfile

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByUs is whether a file belongs to this process's user, or to root, who may
// anything.
func ownedByUs(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && (s.Uid == 0 || int(s.Uid) == os.Geteuid())
}
