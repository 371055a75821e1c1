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

// forgetEvery is shorter than the time until the workload reads a file again.
const forgetEvery = 4 * time.Second

// forget removes the files of the bricks from the page cache, again and again, because the servers
// of F10 had far more data than memory. Small files stay in the page cache.
func (c *service) forget(ctx context.Context) {
	for bench.Sleep(ctx, forgetEvery) == nil {
		for _, s := range c.Servers() {
			_ = filepath.WalkDir(filepath.Join(c.brick(s), "b"), forgetOne) // a file may have been removed meanwhile
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
