//go:build linux

package faultfs

import (
	"os"
	"path"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// An FS is mounted until its test ends.
type FS struct {
	Dir string // mount point

	mu    sync.Mutex
	wake  *sync.Cond // signalled when rules change
	rules []Rule
	met   []int // by rule: number of operations that matched
	epoch int   // number of times that rules were replaced
	root  *node

	before func(op Op, name string)
}

// Mount mounts an empty file system. Its content is lost at the end of the test.
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
	closeOnExec()
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

// closeOnExec keeps programs that the test starts from inheriting the connections of file systems. A
// program that inherited one would keep it open when the test is killed, and would then wait for an
// answer for ever.
func closeOnExec() {
	const fds = "/proc/self/fd"
	entries, _ := os.ReadDir(fds)
	for _, e := range entries {
		to, err := os.Readlink(path.Join(fds, e.Name()))
		fd, notNumber := strconv.Atoi(e.Name())
		if err == nil && notNumber == nil && to == "/dev/fuse" {
			syscall.CloseOnExec(fd)
		}
	}
}

// Inject replaces the rules by the rules of a text. Operations that hang continue without a fault.
func (f *FS) Inject(text string) {
	rules, err := Parse(text)
	if err != nil {
		panic(err) // a mistake in the test
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rules, f.met = rules, make([]int, len(rules))
	f.epoch++
	f.wake.Broadcast()
}

// Before sets a function that is called before each operation that changes something, in the order
// of the operations. The function may cut power.
func (f *FS) Before(do func(op Op, name string)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before = do
}

// fault returns the fault that a rule gives an operation; empty: none. For a short write, it also
// returns the number of bytes that are written.
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
