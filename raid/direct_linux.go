package raid

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

// openDirect opens past the page cache where the file system can.
func openDirect(path string, flag int) (f *os.File, direct bool, err error) {
	f, err = os.OpenFile(path, flag|syscall.O_DIRECT, 0o600)
	if errors.Is(err, syscall.EINVAL) {
		f, err = os.OpenFile(path, flag, 0o600)
		return f, false, err
	}
	return f, true, err
}

// lock keeps other processes that lock out, until the file is closed.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrInUse
	}
	return err
}

// withFD holds the file while the kernel works on it: it may be closed beside.
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

// maxVector is how many buffers the kernel takes at once.
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

// preadv fills all of bufs. The wrapper of x/sys grows its vector piece by
// piece, which costs a read of a few chunks a tenth of its speed.
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

// zeroRange has the kernel do it, if it can.
func zeroRange(f *os.File, off, n int64) error {
	return unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_ZERO_RANGE|unix.FALLOC_FL_KEEP_SIZE, off, n)
}
