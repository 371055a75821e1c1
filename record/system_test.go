package record

import (
	"encoding/binary"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/record/dayfile"
)

// TestYield: a thread that yielded is idle for the processor and the disks.
func TestYield(t *testing.T) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and its thread ends with it
		if err := yield(); err != nil {
			t.Error(err)
		}
		// The system call counts from 40 down.
		if p, err := unix.Getpriority(unix.PRIO_PROCESS, 0); err != nil || 20-p != 19 {
			t.Errorf("nice %d, %v", 20-p, err)
		}
		if p, _, errno := unix.Syscall(unix.SYS_IOPRIO_GET, 1, 0, 0); errno != 0 || p>>13 != 3 {
			t.Errorf("I/O priority %#x, %v", p, errno)
		}
	}()
	<-done
	if p, _ := unix.Getpriority(unix.PRIO_PROCESS, 0); 20-p == 19 {
		t.Error("another thread is idle too")
	}
}

// TestWriteError names the file as it is called, not as it was while it was
// being made.
func TestWriteError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.sa")
	o := DefaultOptions().File
	o.Created = at("2026-03-01 12:00:00")
	out, err := create(path, o, false)
	if err != nil {
		t.Fatal(err)
	}
	out.last = o.Created
	out.close()
	r := Recorder{out: out, opts: DefaultOptions()}
	if err := r.finish(o.Created); err == nil || strings.Contains(err.Error(), dayfile.PartSuffix) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
}

// TestBirth: a file has its name only once its header is written, since a
// crash may come at any time.
func TestBirth(t *testing.T) {
	dir := t.TempDir()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK)
	if err != nil {
		t.Skipf("no inotify: %v", err)
	}
	defer unix.Close(fd)
	if _, err := unix.InotifyAddWatch(fd, dir, unix.IN_CREATE|unix.IN_MODIFY|unix.IN_MOVED_TO); err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions().File
	o.Created = at("2026-03-01 12:00:00")
	out, err := create(filepath.Join(dir, "a.sa"), o, true)
	if err != nil {
		t.Fatal(err)
	}
	defer out.close()
	b := make([]byte, 4096)
	n, err := unix.Read(fd, b)
	if err != nil {
		t.Fatal(err)
	}
	for b = b[:n]; len(b) > 0; {
		mask, size := binary.NativeEndian.Uint32(b[4:]), binary.NativeEndian.Uint32(b[12:])
		name := unix.ByteSliceToString(b[unix.SizeofInotifyEvent:])
		b = b[unix.SizeofInotifyEvent+size:]
		if last := len(b) == 0; (name == "a.sa") != last || last && mask != unix.IN_MOVED_TO {
			t.Errorf("%s: event %#x", name, mask)
		}
	}
}
