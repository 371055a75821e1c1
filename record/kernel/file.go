package kernel

import (
	"fmt"
	"syscall"
)

const (
	// firstBuffer is the size of the first buffer of a file. The kernel returns most files in
	// pieces of at most this size.
	firstBuffer = 4096
	// wordBuffer is larger than any attribute of a single word.
	wordBuffer = 64
)

// A file is a file of the kernel that is read from its beginning again and again. The system calls
// are made directly, because package os allocates memory for each error, and reading an attribute
// of an interface that is down returns an error at every sample.
type file struct {
	path string
	fd   int // descriptor + 1, so that the zero value is closed
	buf  []byte
}

func (f *file) open(path string) error {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("cannot open %s: %w", path, err)
	}
	f.path, f.fd = path, fd+1
	return nil
}

// read returns the whole current content of the file, valid until the next read.
func (f *file) read() ([]byte, error) {
	for n := 0; ; {
		if n == len(f.buf) {
			f.buf = append(f.buf, make([]byte, max(n, firstBuffer))...)
		}
		m, err := syscall.Pread(f.fd-1, f.buf[n:], int64(n))
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", f.path, err)
		}
		if m == 0 {
			return f.buf[:n], nil
		}
		n += m
	}
}

// peek returns the beginning of the file, which is enough for an attribute of a single word. It is
// valid until the next call. The error is the unchanged error of the kernel.
func (f *file) peek() ([]byte, error) {
	if f.buf == nil {
		f.buf = make([]byte, wordBuffer)
	}
	n, err := syscall.Pread(f.fd-1, f.buf, 0)
	return f.buf[:max(n, 0)], err
}

func (f *file) isOpen() bool { return f.fd > 0 }

func (f *file) close() error {
	if !f.isOpen() {
		return nil
	}
	fd := f.fd - 1
	f.fd = 0
	return syscall.Close(fd)
}
