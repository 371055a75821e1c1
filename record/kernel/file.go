package kernel

import (
	"fmt"
	"syscall"
)

const (
	// firstBuffer is that of a file that has not been read yet: what the
	// kernel hands out at a time of most.
	firstBuffer = 4096
	// wordBuffer is more than any attribute of a single word takes.
	wordBuffer = 64
)

// A file is one of the kernel's that is read from its start again and again.
// The system calls are made directly, since package os allocates for each
// error, and an interface that is down answers every second with one.
type file struct {
	path string
	fd   int // plus one, so that the zero value is closed
	buf  []byte
}

func (f *file) open(path string) error {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	f.path, f.fd = path, fd+1
	return nil
}

// read is all of the file as it is now, valid until the next read.
func (f *file) read() ([]byte, error) {
	for n := 0; ; {
		if n == len(f.buf) {
			f.buf = append(f.buf, make([]byte, max(n, firstBuffer))...)
		}
		m, err := syscall.Pread(f.fd-1, f.buf[n:], int64(n))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", f.path, err)
		}
		if m == 0 {
			return f.buf[:n], nil
		}
		n += m
	}
}

// peek is the beginning of the file, which is all of an attribute of a single
// word, valid until the next call. Its error is as the kernel gave it.
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
