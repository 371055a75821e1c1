package raid

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Why a file or device is not opened, or a file not made.
var (
	ErrInUse   = errors.New("in use by another process")
	ErrMounted = errors.New("in use by the system: it is mounted, or part of another device")
	ErrDevices = errors.New("among devices no file is made")
)

// A File is a member on a file or block device.
type File struct {
	file   *os.File
	size   int64
	direct bool
}

// OpenFile opens a file or block device as a member, for this process alone.
func OpenFile(path string) (*File, error) {
	return openFile(path, os.O_RDWR|ofDevice(path))
}

// OpenReadOnly opens a file or block device as a member that is not written
// to. Others may read it too, nobody may have it as a member to write.
func OpenReadOnly(path string) (*File, error) {
	return openFile(path, os.O_RDONLY)
}

// CreateFile makes a file of so many bytes, all zero and sparse, and opens it.
// It refuses one that is there.
func CreateFile(path string, size int64) (*File, error) {
	if err := makeFile(path, size); err != nil {
		return nil, err
	}
	f, err := OpenFile(path)
	if err != nil {
		return nil, errors.Join(err, os.Remove(path))
	}
	return f, nil
}

// makeFile returns when a loss of power leaves the file where it is. It makes
// it without direct I/O: a file system that has none would make it all the
// same, and then refuse.
func makeFile(path string, size int64) error {
	if amongDevices(path) {
		return &os.PathError{Op: "create", Path: path, Err: ErrDevices}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(f.Truncate(size), f.Sync(), f.Close(), syncDirectory(filepath.Dir(path)))
	if err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// amongDevices is whether a file would be made where devices are: whoever names
// one there means a drive that is not there. Memory that is mounted below is
// another matter.
func amongDevices(path string) bool {
	const devices = "/dev"
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return false
	}
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	return (dir == devices || strings.HasPrefix(dir, devices+"/")) && sameFileSystem(dir, devices)
}

func openFile(path string, flag int) (*File, error) {
	f, direct, err := openDirect(path, flag)
	if err != nil {
		return nil, err
	}
	if err := lock(f, flag&os.O_RDWR != 0); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	size, err := f.Seek(0, io.SeekEnd) // devices have no size to stat
	if err != nil {
		f.Close()
		return nil, err
	}
	return &File{f, size, direct}, nil
}

// Direct is whether I/O goes past the page cache. It does not where the file
// system has no direct I/O, as tmpfs had none before Linux 6.6.
func (f *File) Direct() bool { return f.direct }

// String is the path.
func (f *File) String() string { return f.file.Name() }

// Size is how many bytes it had when it was opened.
func (f *File) Size() int64 { return f.size }

// ReadAt fills p or says why not.
func (f *File) ReadAt(p []byte, off int64) (int, error) { return f.file.ReadAt(p, off) }

// ReadVector fills all of bufs or says why not.
func (f *File) ReadVector(bufs [][]byte, off int64) error {
	if err := readVector(f.file, bufs, off); err != nil {
		return &os.PathError{Op: "read", Path: f.file.Name(), Err: err}
	}
	return nil
}

// WriteAt writes p; it is durable after Sync.
func (f *File) WriteAt(p []byte, off int64) (int, error) { return f.file.WriteAt(p, off) }

// Sync makes durable what was written.
func (f *File) Sync() error {
	if err := syncData(f.file); err != nil {
		return &os.PathError{Op: "sync", Path: f.file.Name(), Err: err}
	}
	return nil
}

// Close lets go of the file. I/O under way ends as it would.
func (f *File) Close() error { return f.file.Close() }

// zeroStep is how much is zeroed in one write, where the kernel cannot.
const zeroStep = 1 << 20

// Zero makes a range read as zeros.
func (f *File) Zero(off, n int64) error {
	if zeroRange(f.file, off, n) == nil {
		return nil
	}
	var pool buffers
	zeros := pool.get(zeroStep)
	defer unmapBuffer(zeros)
	clear(zeros)
	for ; n > 0; off, n = off+zeroStep, n-zeroStep {
		if _, err := f.file.WriteAt(zeros[:min(n, zeroStep)], off); err != nil {
			return err
		}
	}
	return nil
}
