//go:build !unix

package outfile

import (
	"errors"
	"os"
)

// Lock returns an error: this system has no such locks.
func Lock(*os.File) error { return errors.ErrUnsupported }
