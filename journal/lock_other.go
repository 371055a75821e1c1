//go:build !unix

package journal

import "os"

// lockFile does nothing where files have no such locks.
func lockFile(*os.File) error { return nil }
