package agent

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A loop is a loop device on a file of its own. It is held open, and the
// kernel frees it with the last who does: whatever becomes of a test, none
// stays.
type loop struct {
	*os.File
	minor int
}

// firstLoop is a number above those that others use. A device has so many
// blocks of a size that direct I/O takes.
const (
	loopMajor  = 7
	firstLoop  = 100
	blockSize  = 4096
	loopBlocks = 1024
)

func needRoot(t testing.TB, why string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skipf("needs root: %s", why)
	}
}

// loops makes loop devices, which end with the test.
func loops(t testing.TB, n int) (list []*loop) {
	t.Helper()
	needRoot(t, "makes loop devices")
	for range n {
		l, err := newLoop(t.TempDir(), firstLoop)
		if err != nil {
			t.Skipf("no loop devices: %v", err)
		}
		t.Cleanup(l.remove)
		list = append(list, l)
	}
	return list
}

// newLoop makes a device that was not there before, of the first number that
// is free.
func newLoop(dir string, from int) (*loop, error) {
	for minor := from; ; minor++ {
		_, err := loopControl(unix.LOOP_CTL_ADD, minor)
		if errors.Is(err, unix.EEXIST) {
			continue
		}
		if err != nil {
			return nil, err
		}
		l, err := attach(minor, filepath.Join(dir, "loop"))
		if err != nil {
			loopControl(unix.LOOP_CTL_REMOVE, minor)
		}
		return l, err
	}
}

// loopControl adds and removes devices.
func loopControl(request uint, minor int) (int, error) {
	control, err := os.OpenFile("/dev/loop-control", os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer control.Close()
	n, _, errno := unix.Syscall(unix.SYS_IOCTL, control.Fd(), uintptr(request), uintptr(minor))
	if errno != 0 {
		return 0, fmt.Errorf("%s: %w", control.Name(), errno)
	}
	return int(n), nil
}

// attach puts a file behind a device.
func attach(minor int, path string) (*loop, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := file.Truncate(loopBlocks * blockSize); err != nil {
		return nil, err
	}
	device, err := os.OpenFile(fmt.Sprintf("/dev/loop%d", minor), os.O_RDWR|unix.O_DIRECT, 0)
	if err != nil {
		return nil, err
	}
	err = unix.IoctlLoopConfigure(int(device.Fd()), &unix.LoopConfig{
		Fd:   uint32(file.Fd()),
		Info: unix.LoopInfo64{Flags: unix.LO_FLAGS_AUTOCLEAR},
	})
	if err != nil {
		device.Close()
		return nil, fmt.Errorf("%s: %w", device.Name(), err)
	}
	return &loop{File: device, minor: minor}, nil
}

// name is that of the device.
func (l *loop) name() string { return fmt.Sprintf("loop%d", l.minor) }

// remove takes the device from the machine.
func (l *loop) remove() {
	if l.Close() == nil {
		loopControl(unix.LOOP_CTL_REMOVE, l.minor)
	}
}

// work does as many I/Os as are asked for, one after the other, past the
// memory; when it returns the device has done all of them.
func (l *loop) work(t testing.TB, writes, reads int) {
	t.Helper()
	block := aligned(blockSize)
	for i := range writes {
		if _, err := l.WriteAt(block, int64(i%loopBlocks)*blockSize); err != nil {
			t.Error(err)
		}
	}
	for i := range reads {
		if _, err := l.ReadAt(block, int64(i%loopBlocks)*blockSize); err != nil {
			t.Error(err)
		}
	}
}

// storm has several read and write the whole device at once, so that I/Os wait
// for each other.
func (l *loop) storm(t testing.TB, readers, writers int) {
	t.Helper()
	var all sync.WaitGroup
	for i := range readers + writers {
		do := l.ReadAt
		if i >= readers {
			do = l.WriteAt
		}
		all.Go(func() {
			if _, err := do(aligned(loopBlocks*blockSize), 0); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// aligned is memory that a device can read and write by itself.
func aligned(size int) []byte {
	b := make([]byte, size+blockSize)
	skip := -uintptr(unsafe.Pointer(&b[0])) & (blockSize - 1)
	return b[skip:][:size]
}
