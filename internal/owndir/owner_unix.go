//go:build unix

package owndir

import (
	"io/fs"
	"os"
	"syscall"
)

// mine is whether a file belongs to this process's user, or to root, who may
// anything.
func mine(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && (s.Uid == 0 || int(s.Uid) == os.Geteuid())
}
