//go:build !linux

package raid

import (
	"errors"
	"os"
)

func mapBuffer(n int) []byte { return make([]byte, n) }

func unmapBuffer([]byte) {}

// openDirect has no direct I/O to offer.
func openDirect(path string, flag int) (f *os.File, direct bool, err error) {
	f, err = os.OpenFile(path, flag, 0)
	return f, false, err
}

func ofDevice(string) int { return 0 }

func sameFileSystem(string, string) bool { return true }

func syncDirectory(string) error { return nil }

func lock(*os.File, bool) error { return nil }

func syncData(f *os.File) error { return f.Sync() }

func zeroRange(*os.File, int64, int64) error { return errors.ErrUnsupported }

func readVector(f *os.File, bufs [][]byte, off int64) error {
	for _, buf := range bufs {
		n, err := f.ReadAt(buf, off)
		if err != nil {
			return err
		}
		off += int64(n)
	}
	return nil
}
