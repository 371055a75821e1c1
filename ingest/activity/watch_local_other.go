//go:build !linux

package activity

import "io/fs"

// isLocal returns false, because limpet finds the type of a file system on
// Linux only.
func isLocal(string) bool { return false }

func onOneDevice(fs.FileInfo, fs.FileInfo) bool { return false }
