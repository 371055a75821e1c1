//go:build linux

package faultfs

import (
	"path"
	"sync"
	"syscall"
	"testing"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// An FS is mounted until its test ends.
type FS struct {
	Dir string // where it is mounted

	mu    sync.Mutex
	wake  *sync.Cond // when rules change
	rules []Rule
	met   []int // by rule: how many operations matched
	epoch int   // of the rules
	root  *node

	before func(op Op, name string)
}

// Mount mounts an empty file system; what it holds is gone with the test.
func Mount(t testing.TB) *FS {
	t.Helper()
	f := &FS{Dir: t.TempDir()}
	f.wake = sync.NewCond(&f.mu)
	f.root = f.newNode(syscall.S_IFDIR | 0o755)
	server, err := fs.Mount(f.Dir, f.root, &fs.Options{MountOptions: fuse.MountOptions{
		FsName: "faultfs", DirectMountStrict: true, DisableXAttrs: true,
	}})
	if err != nil {
		t.Skipf("mounting a file system that fails: %v", err)
	}
	t.Cleanup(func() {
		f.Inject("")
		if err := server.Unmount(); err != nil {
			if err := syscall.Unmount(f.Dir, syscall.MNT_DETACH); err != nil {
				t.Log(err)
			}
		}
	})
	return f
}

// Inject replaces the rules by those of a text. What hangs goes on.
func (f *FS) Inject(text string) {
	rules, err := Parse(text)
	if err != nil {
		panic(err) // of the test
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rules, f.met = rules, make([]int, len(rules))
	f.epoch++
	f.wake.Broadcast()
}

// Before has a function called before each operation that changes something,
// in the order in which they come, so that it can cut power there.
func (f *FS) Before(do func(op Op, name string)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before = do
}

// fault is what a rule says of an operation that is about to happen; empty:
// it may. Of a short write it returns the bytes.
func (f *FS) fault(op Op, name string) (Fault, int) {
	f.mu.Lock()
	before := f.before
	f.mu.Unlock()
	if before != nil && op != Read {
		before(op, name)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var hit *Rule
	for i := range f.rules {
		r := &f.rules[i]
		if !r.matches(op, path.Base(name)) {
			continue
		}
		f.met[i]++
		if hit == nil && f.met[i] >= max(r.From, 1) && (r.To == 0 || f.met[i] <= r.To) {
			hit = r
		}
	}
	if hit == nil {
		return "", 0
	}
	if hit.Fault == Hang {
		for epoch := f.epoch; epoch == f.epoch; {
			f.wake.Wait()
		}
		return "", 0
	}
	return hit.Fault, hit.Bytes
}
