//go:build !linux

package activity

import "io/fs"

// isLocal returns false, because only on Linux can limpet find the type of a file system.
func isLocal(string) bool { return false }

func onOneDevice(fs.FileInfo, fs.FileInfo) bool { return false }
