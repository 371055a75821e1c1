package record

import (
	"errors"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/internal/outfile"
)

// errBusy is a file that someone else writes or compresses.
var errBusy = outfile.ErrLocked

// openLocked opens a file of the recorder's own and keeps others from doing so. The lock goes with
// the file's closing or the process's end.
func openLocked(path string, flag int) (*os.File, error) {
	f, err := openOwn(path, flag, lockMode)
	if err != nil {
		return nil, err
	}
	if err := lock(f, path); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func lock(f *os.File, path string) error {
	err := outfile.Lock(f)
	if err == nil && !stands(f, path) {
		err = errBusy
	}
	return err
}

// stands says whether a path still is the file that was opened: others may
// have removed or replaced it.
func stands(f *os.File, path string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, now)
}

// syncData writes the content of a file to the disk.
func syncData(f *os.File) error {
	return outfile.Control(f, unix.Fdatasync)
}

// setTime sets when a file was modified, whatever has its name by now.
func setTime(f *os.File, t time.Time) error {
	at := unix.NsecToTimespec(t.UnixNano())
	return outfile.Control(f, func(fd int) error {
		return unix.UtimesNanoAt(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(fd), []unix.Timespec{at, at}, 0)
	})
}

// syncDir makes the names in a directory last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// uncache gives back the memory that holds what was read or written.
func uncache(f *os.File) {
	_ = outfile.Control(f, func(fd int) error { return unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED) })
}

// space is how many bytes may still be written into a directory, and how many
// its disk has in all.
func space(dir string) (free, all int64, err error) {
	var s unix.Statfs_t
	err = unix.Statfs(dir, &s)
	return int64(s.Bavail) * s.Bsize, int64(s.Blocks) * s.Bsize, err
}

// isFull says whether an error is one that room would cure.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// yield gives way to all others: this thread, and the processes that it
// starts, get the processor and the disks when no one else wants them.
func yield() error {
	const (
		thisThread  = 0
		lowest      = 19
		whoProcess  = 1 // IOPRIO_WHO_PROCESS, a thread in truth
		idleClass   = 3 // IOPRIO_CLASS_IDLE
		classOffset = 13
	)
	err := unix.Setpriority(unix.PRIO_PROCESS, thisThread, lowest)
	_, _, errno := unix.Syscall(unix.SYS_IOPRIO_SET, whoProcess, thisThread, idleClass<<classOffset)
	if errno != 0 {
		return errors.Join(err, errno)
	}
	return err
}
