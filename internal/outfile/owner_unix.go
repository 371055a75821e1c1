//go:build unix

package outfile

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByUs reports whether a file belongs to the user of this process, or to root.
func ownedByUs(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && (s.Uid == 0 || int(s.Uid) == os.Geteuid())
}

// sameOwner reports whether two files have the same owner, or root owns the second.
func sameOwner(info, other fs.FileInfo) bool {
	a, okA := info.Sys().(*syscall.Stat_t)
	b, okB := other.Sys().(*syscall.Stat_t)
	return !okA || !okB || a.Uid == b.Uid || b.Uid == 0
}
