//go:build !linux

package member

import (
	"errors"
	"math"
	"os"
)

func mapBuffer(n int) []byte { return make([]byte, n) }

func unmapBuffer([]byte) {}

// openDirect opens a file without direct I/O.
func openDirect(path string, flag int) (f *os.File, direct bool, err error) {
	f, err = os.OpenFile(path, flag, 0)
	return f, false, err
}

func ofDevice(string) int { return 0 }

func sameFileSystem(string, string) bool { return true }

func syncDirectory(string) error { return nil }

func lock(*os.File, bool) error { return nil }

func syncData(f *os.File) error { return f.Sync() }

func nextData(_ *os.File, off, size int64) (data, hole int64) { return off, size }

func lengthOf(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// freeBytes returns a large number, because the free space is not known.
func freeBytes(string) (free int64, device uint64, err error) { return math.MaxInt64, 0, nil }

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
