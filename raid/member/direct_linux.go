package member

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

func mapBuffer(n int) []byte {
	buf, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(fmt.Sprintf("raid: no memory for a buffer of %d bytes: %v", n, err)) // as make does
	}
	return buf
}

func unmapBuffer(buf []byte) {
	if err := syscall.Munmap(buf); err != nil {
		panic(fmt.Sprintf("raid: buffer of %d bytes was not mapped: %v", len(buf), err))
	}
}

// openDirect opens a file with direct I/O, if the file system supports it.
func openDirect(path string, flag int) (f *os.File, direct bool, err error) {
	f, err = os.OpenFile(path, flag|syscall.O_DIRECT, 0)
	if errors.Is(err, syscall.EINVAL) {
		f, err = os.OpenFile(path, flag, 0)
		return f, false, err
	}
	if errors.Is(err, syscall.EBUSY) {
		err = &os.PathError{Op: "open", Path: path, Err: ErrMounted}
	}
	return f, true, err
}

// ofDevice returns the flag with which the kernel refuses a block device that is mounted or part of
// another device. For a file it returns 0, because there the flag has another meaning.
func ofDevice(path string) int {
	info, err := os.Stat(path)
	if err == nil && info.Mode()&(os.ModeDevice|os.ModeCharDevice) == os.ModeDevice {
		return syscall.O_EXCL
	}
	return 0
}

// sameFileSystem reports whether two files are on the same file system. It returns false if one of
// them does not exist.
func sameFileSystem(x, y string) bool {
	var a, b syscall.Stat_t
	return syscall.Stat(x, &a) == nil && syscall.Stat(y, &b) == nil && a.Dev == b.Dev
}

// syncDirectory makes the entries of a directory durable.
func syncDirectory(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// lock locks a file until it is closed. With alone, no other process can lock it; otherwise other
// processes can lock it too, but not alone.
func lock(f *os.File, alone bool) error {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrInUse
	}
	return err
}

// withFD keeps the file open during do: another goroutine may close the file at the same time.
func withFD(f *os.File, do func(fd int) error) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := conn.Control(func(fd uintptr) { failed = do(int(fd)) }); err != nil {
		return err
	}
	return failed
}

func syncData(f *os.File) error { return withFD(f, syscall.Fdatasync) }

// maxVector is the largest number of buffers of one system call.
const maxVector = 1024

func readVector(f *os.File, bufs [][]byte, off int64) error {
	return withFD(f, func(fd int) error {
		for len(bufs) > 0 {
			n := min(len(bufs), maxVector)
			read, err := preadv(fd, bufs[:n], off)
			if err != nil {
				return err
			}
			bufs, off = bufs[n:], off+read
		}
		return nil
	})
}

// preadv fills all of bufs. It does not use the wrapper of x/sys, which grows its vector piece by
// piece and makes a read of a few chunks 10 % slower.
func preadv(fd int, bufs [][]byte, off int64) (int64, error) {
	vector := make([]syscall.Iovec, len(bufs))
	var want int64
	for i, buf := range bufs {
		vector[i].Base = &buf[0]
		vector[i].SetLen(len(buf))
		want += int64(len(buf))
	}
	for {
		n, _, errno := syscall.Syscall6(syscall.SYS_PREADV, uintptr(fd),
			uintptr(unsafe.Pointer(&vector[0])), uintptr(len(vector)), uintptr(off), uintptr(off>>32), 0)
		switch {
		case errno == syscall.EINTR:
		case errno != 0:
			return 0, errno
		case int64(n) < want:
			return 0, io.ErrUnexpectedEOF
		default:
			return want, nil
		}
	}
}

// zeroRange makes the kernel zero a range. It prefers a hole, which needs no space.
func zeroRange(f *os.File, off, n int64) error {
	return withFD(f, func(fd int) error {
		if unix.Fallocate(fd, unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, off, n) == nil {
			return nil
		}
		return unix.Fallocate(fd, unix.FALLOC_FL_ZERO_RANGE|unix.FALLOC_FL_KEEP_SIZE, off, n)
	})
}

// nextData asks the file system for the next data and the next hole. If the file system does not
// know, everything is data.
func nextData(f *os.File, off, size int64) (data, hole int64) {
	data, hole = off, size
	err := withFD(f, func(fd int) (err error) {
		if data, err = unix.Seek(fd, off, unix.SEEK_DATA); err != nil {
			return err
		}
		hole, err = unix.Seek(fd, data, unix.SEEK_HOLE)
		return err
	})
	switch {
	case errors.Is(err, unix.ENXIO): // a hole to the end
		return size, size
	case err != nil:
		return off, size
	}
	return data, hole
}

// lengthOf returns the present length of a file.
func lengthOf(f *os.File) (int64, error) {
	var s unix.Stat_t
	err := withFD(f, func(fd int) error { return unix.Fstat(fd, &s) })
	return s.Size, err
}

// freeBytes returns the free bytes of a file system for this user, and its device number.
func freeBytes(dir string) (free int64, device uint64, err error) {
	var s unix.Statfs_t
	var d unix.Stat_t
	if err := errors.Join(unix.Statfs(dir, &s), unix.Stat(dir, &d)); err != nil {
		return 0, 0, &os.PathError{Op: "stat", Path: dir, Err: err}
	}
	return int64(min(s.Bavail, 1<<62/uint64(s.Bsize))) * s.Bsize, d.Dev, nil
}
