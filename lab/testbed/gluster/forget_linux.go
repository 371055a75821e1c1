package gluster

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/lab/testbed/bench"
)

// forgetEvery is shorter than it takes to come back to a file.
const forgetEvery = 4 * time.Second

// forget has bricks forget what they have read, again and again: F10's servers
// had far more data than memory. Small files stay.
func (c *service) forget(ctx context.Context) {
	for bench.Sleep(ctx, forgetEvery) == nil {
		for _, s := range c.Servers() {
			_ = filepath.WalkDir(filepath.Join(c.brick(s), "b"), forgetOne) // files come and go
		}
	}
}

const smallFile = 1 << 20

func forgetOne(path string, d fs.DirEntry, err error) error {
	if err != nil {
		return nil
	}
	if d.IsDir() {
		if d.Name() == ".glusterfs" {
			return fs.SkipDir
		}
		return nil
	}
	if info, err := d.Info(); err != nil || !info.Mode().IsRegular() || info.Size() < smallFile {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	return unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
}
