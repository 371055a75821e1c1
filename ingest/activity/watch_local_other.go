//go:build !linux

package activity

import "io/fs"

// isLocal returns false: the type of a file system cannot be found out here.
func isLocal(string) bool { return false }

func onOneDevice(fs.FileInfo, fs.FileInfo) bool { return false }
