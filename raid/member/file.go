package member

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Errors of opening, creating and using a file or device.
var (
	ErrInUse   = errors.New("another process uses this file or device")
	ErrMounted = errors.New("the system uses this device: the device is mounted, or part of another device")
	ErrDevices = errors.New("limpet does not create files under /dev: name an existing device, or a file in another directory")
	ErrKind    = errors.New("this is neither a file nor a block device")
	ErrCut     = errors.New("the file or device became smaller while it was in use")
)

// A File is a member on a file or block device.
type File struct {
	file    *os.File
	size    int64
	direct  bool
	regular bool // regular file, which can be cut and can have holes
}

// OpenFile opens a file or block device as a member, for this process alone.
func OpenFile(path string) (*File, error) {
	return openFile(path, os.O_RDWR|ofDevice(path))
}

// OpenReadOnly opens a file or block device as a member that is not written to. Other processes may
// open it read-only too, but not with OpenFile.
func OpenReadOnly(path string) (*File, error) {
	return openFile(path, os.O_RDONLY)
}

// CreateFile makes a sparse file of size bytes, all zero, and opens it. It refuses an existing
// file.
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

// makeFile makes a file, and returns when a loss of power does not remove it. It does not use
// direct I/O: a file system without direct I/O would make the file and then return an error.
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

// amongDevices reports whether a file would be made under /dev. A path there means a drive that is
// missing. A file system in memory that is mounted under /dev does not count.
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
	info, err := os.Stat(path) // before open, because open of a pipe waits for its other end
	if err != nil {
		return nil, err
	}
	if !isMember(info) {
		return nil, &os.PathError{Op: "open", Path: path, Err: ErrKind}
	}
	f, direct, err := openDirect(path, flag)
	if err != nil {
		return nil, err
	}
	opened, err := newFile(f, flag&os.O_RDWR != 0)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	opened.direct = direct
	return opened, nil
}

// newFile locks an open file, and finds its kind and size.
func newFile(f *os.File, alone bool) (*File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !isMember(info) {
		return nil, ErrKind
	}
	if err := lock(f, alone); err != nil {
		return nil, err
	}
	size, err := f.Seek(0, io.SeekEnd) // Stat returns no size for devices
	return &File{file: f, size: size, regular: info.Mode().IsRegular()}, err
}

// isMember reports whether info describes a regular file or a block device.
func isMember(info os.FileInfo) bool {
	return info.Mode().IsRegular() || info.Mode()&(os.ModeDevice|os.ModeCharDevice) == os.ModeDevice
}

// Direct reports whether I/O bypasses the page cache. It does not if the file system has no direct
// I/O, such as tmpfs before Linux 6.6.
func (f *File) Direct() bool { return f.direct }

// String returns the path.
func (f *File) String() string { return f.file.Name() }

// Size returns the number of bytes that the file had when it was opened.
func (f *File) Size() int64 { return f.size }

// ReadAt fills p or returns an error.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.file.ReadAt(p, off)
	if errors.Is(err, io.EOF) {
		err = f.cut("read")
	}
	return n, err
}

// ReadVector fills all of bufs or returns an error.
func (f *File) ReadVector(bufs [][]byte, off int64) error {
	err := readVector(f.file, bufs, off)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return f.cut("read")
	}
	return f.failed("read", err)
}

// WriteAt writes p; p is durable after Sync. It refuses a file that was cut: the missing bytes
// would become a hole and read as zeros.
func (f *File) WriteAt(p []byte, off int64) (int, error) {
	if err := f.whole("write"); err != nil {
		return 0, err
	}
	return f.file.WriteAt(p, off)
}

// Sync makes all writes durable.
func (f *File) Sync() error {
	if err := f.whole("sync"); err != nil {
		return err
	}
	return f.failed("sync", syncData(f.file))
}

// whole returns an error if a file is shorter than when it was opened.
func (f *File) whole(op string) error {
	if !f.regular {
		return nil
	}
	size, err := lengthOf(f.file)
	if err == nil && size < f.size {
		return f.cut(op)
	}
	return f.failed(op, err)
}

// cut returns the error of a file that is shorter than when it was opened.
func (f *File) cut(op string) error {
	size, err := lengthOf(f.file)
	return f.failed(op, errors.Join(err, fmt.Errorf("%w: the size is now %d bytes, and was %d bytes before", ErrCut, size, f.size)))
}

// failed adds the operation and the path to an error.
func (f *File) failed(op string, err error) error {
	if err == nil {
		return nil
	}
	return &os.PathError{Op: op, Path: f.file.Name(), Err: err}
}

// Close closes the file. I/Os in flight end normally.
func (f *File) Close() error { return f.file.Close() }

// zeroStep is the size of one write of zeros in bytes, if the kernel cannot zero a range.
const zeroStep = 1 << 20

// Zero makes a range read as zeros. A file gets a hole there, so that a sparse file stays sparse.
func (f *File) Zero(off, n int64) error {
	if err := f.whole("zero"); err != nil {
		return err
	}
	if zeroRange(f.file, off, n) == nil {
		return nil
	}
	return f.writeZeros(off, off+n)
}

// writeZeros writes zeros over data, and skips holes.
func (f *File) writeZeros(off, end int64) error {
	var pool Buffers
	zeros := pool.Get(zeroStep)
	defer unmapBuffer(zeros)
	clear(zeros)
	for off < end {
		data, hole, err := f.NextData(off)
		if err != nil {
			return err
		}
		for off = max(off, data/ChunkSize*ChunkSize); off < min(hole, end); {
			n, err := f.file.WriteAt(zeros[:min(end-off, zeroStep)], off)
			if err != nil {
				return err
			}
			off += int64(n)
		}
		off = max(off, hole)
	}
	return nil
}

// NextData returns the offset of the next data from off on, and the offset of the next hole after
// them. Both are the end of the file if there are no more data. If a file has no holes, or the file
// system does not know them, everything is data.
func (f *File) NextData(off int64) (data, hole int64, err error) {
	if !f.regular {
		return off, f.size, nil
	}
	if err := f.whole("seek"); err != nil {
		return 0, 0, err
	}
	data, hole = nextData(f.file, off, f.size)
	return data, hole, nil
}
