package member

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Why a file or device is not opened, a file not made, or not used any more.
var (
	ErrInUse   = errors.New("another process uses this file or device")
	ErrMounted = errors.New("the system uses this device: the device is mounted, or part of another device")
	ErrDevices = errors.New("limpet does not create files under /dev: name an existing device, or a file in another directory")
	ErrKind    = errors.New("this is not a file and not a block device")
	ErrCut     = errors.New("the file or device became smaller while it was in use")
)

// A File is a member on a file or block device.
type File struct {
	file    *os.File
	size    int64
	direct  bool
	regular bool // a file: it can be cut, and have holes
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
	info, err := os.Stat(path) // to open a pipe would wait for its other end
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

// newFile locks what was opened and finds out what it is.
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
	size, err := f.Seek(0, io.SeekEnd) // devices have no size to stat
	return &File{file: f, size: size, regular: info.Mode().IsRegular()}, err
}

// isMember is whether something is a file or a block device.
func isMember(info os.FileInfo) bool {
	return info.Mode().IsRegular() || info.Mode()&(os.ModeDevice|os.ModeCharDevice) == os.ModeDevice
}

// Direct is whether I/O goes past the page cache. It does not where the file
// system has no direct I/O, as tmpfs had none before Linux 6.6.
func (f *File) Direct() bool { return f.direct }

// String is the path.
func (f *File) String() string { return f.file.Name() }

// Size is how many bytes it had when it was opened.
func (f *File) Size() int64 { return f.size }

// ReadAt fills p or says why not.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.file.ReadAt(p, off)
	if errors.Is(err, io.EOF) {
		err = f.cut("read")
	}
	return n, err
}

// ReadVector fills all of bufs or says why not.
func (f *File) ReadVector(bufs [][]byte, off int64) error {
	err := readVector(f.file, bufs, off)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return f.cut("read")
	}
	return f.failed("read", err)
}

// WriteAt writes p; it is durable after Sync. A file that was cut is not
// written to: what is missing would become a hole, and read as zeros.
func (f *File) WriteAt(p []byte, off int64) (int, error) {
	if err := f.whole("write"); err != nil {
		return 0, err
	}
	return f.file.WriteAt(p, off)
}

// Sync makes durable what was written.
func (f *File) Sync() error {
	if err := f.whole("sync"); err != nil {
		return err
	}
	return f.failed("sync", syncData(f.file))
}

// whole is an error where a file is shorter than it was.
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

// cut is the error of a file that is shorter than it was.
func (f *File) cut(op string) error {
	size, err := lengthOf(f.file)
	return f.failed(op, errors.Join(err, fmt.Errorf("%w: the size is now %d bytes, and was %d bytes before", ErrCut, size, f.size)))
}

// failed names the file.
func (f *File) failed(op string, err error) error {
	if err == nil {
		return nil
	}
	return &os.PathError{Op: op, Path: f.file.Name(), Err: err}
}

// Close lets go of the file. I/O under way ends as it would.
func (f *File) Close() error { return f.file.Close() }

// zeroStep is how much is zeroed in one write, where the kernel cannot.
const zeroStep = 1 << 20

// Zero makes a range read as zeros. A file gets a hole there, so that a sparse
// one stays sparse.
func (f *File) Zero(off, n int64) error {
	if err := f.whole("zero"); err != nil {
		return err
	}
	if zeroRange(f.file, off, n) == nil {
		return nil
	}
	return f.writeZeros(off, off+n)
}

// writeZeros writes where something stands that may not be zero.
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

// NextData is where the next bytes from off on stand that are not in a hole,
// and where the next hole begins after them; both are the end where there are
// none. What has no holes, or cannot tell, is data all over.
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
