//go:build !linux

package activity

import "io/fs"

// isLocal returns false, because limpet can find the type of a file system only on Linux.
func isLocal(string) bool { return false }

func onOneDevice(fs.FileInfo, fs.FileInfo) bool { return false }
