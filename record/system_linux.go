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

// errBusy is the error for a file that another process writes or compresses.
var errBusy = outfile.ErrLocked

// openLocked opens and locks a file of the recorder. The lock ends when the file is closed or the
// process ends.
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
	if err == nil && !stillNamed(f, path) {
		err = errBusy
	}
	return err
}

// stillNamed reports whether a path still names the open file. Others may have removed or replaced
// it.
func stillNamed(f *os.File, path string) bool {
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

// setTime sets the modification time of an open file, even if another file has its name now.
func setTime(f *os.File, t time.Time) error {
	at := unix.NsecToTimespec(t.UnixNano())
	return outfile.Control(f, func(fd int) error {
		return unix.UtimesNanoAt(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(fd), []unix.Timespec{at, at}, 0)
	})
}

// syncDir writes the names in a directory to the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// uncache drops the content of a file from the page cache.
func uncache(f *os.File) {
	_ = outfile.Control(f, func(fd int) error { return unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED) })
}

// space returns how many bytes may still be written into a directory, and the size of its file
// system.
func space(dir string) (free, all int64, err error) {
	var s unix.Statfs_t
	err = unix.Statfs(dir, &s)
	return int64(s.Bavail) * s.Bsize, int64(s.Blocks) * s.Bsize, err
}

// isFull reports whether an error is caused by a full disk or quota.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// yield sets the lowest priority for this thread and the processes that it starts. They get the
// processor and the disks only if no other process needs them.
func yield() error {
	const (
		thisThread  = 0
		lowest      = 19
		whoProcess  = 1 // IOPRIO_WHO_PROCESS, which in fact means a thread
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
