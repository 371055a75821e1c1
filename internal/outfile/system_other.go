//go:build !unix

package outfile

import (
	"errors"
	"io/fs"
	"os"
)

// This system has no such flags.
const (
	nonBlocking = 0
	noFollow    = 0
)

func keepOwner(*os.File, fs.FileInfo) error { return nil }

func foreign(_, _ fs.FileInfo) (owner uint32, isForeign bool) { return 0, false }

func hasNoReader(error) bool { return false }

func mine(fs.FileInfo) bool { return false }

func writableDir(string) error { return nil }

func cannotSync(error) bool { return true }

func duplicate(int, string) (*os.File, error) { return nil, errors.ErrUnsupported }
