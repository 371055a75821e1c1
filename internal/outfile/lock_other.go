//go:build !unix

package outfile

import (
	"errors"
	"os"
)

// Lock says that the system has no such locks.
func Lock(*os.File) error { return errors.ErrUnsupported }
