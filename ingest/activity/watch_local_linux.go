package activity

import (
	"io/fs"
	"slices"
	"syscall"
)

// localTypes are the types, as statfs returns them, of file systems that only
// this machine writes: ext2 to ext4, XFS, Btrfs, F2FS and tmpfs. On these file
// systems, stat always returns the present state.
var localTypes = []uint32{0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994}

// isLocal reports whether only this machine writes the file system of a
// directory.
func isLocal(dir string) bool {
	var s syscall.Statfs_t
	return syscall.Statfs(dir, &s) == nil && slices.Contains(localTypes, uint32(s.Type))
}

// onOneDevice reports whether two files are on the same file system.
func onOneDevice(a, b fs.FileInfo) bool {
	one, ok := a.Sys().(*syscall.Stat_t)
	other, too := b.Sys().(*syscall.Stat_t)
	return ok && too && one.Dev == other.Dev
}
