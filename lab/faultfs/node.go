//go:build linux

package faultfs

import (
	"context"
	"maps"
	"strings"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// A node is a file, a directory or a link. FS.mu guards its fields.
type node struct {
	fs.Inode
	fs       *FS
	name     string // most recent name
	mode     uint32
	uid, gid uint32
	time     time.Time
	removed  bool
	link     string

	data   []byte         // content of a file
	synced []byte         // content at the last sync
	dirty  map[int64]bool // sectors that were written since the last sync

	lasting map[string]*node // names of a directory that are on the disk
	changes [][]change       // changes of these names that are not on the disk yet, in order
}

// A change gives a name to a node; node nil: the name is removed.
type change struct {
	name string
	node *node
}

const sector = 512

func (f *FS) newNode(mode uint32) *node {
	return &node{fs: f, mode: mode, time: time.Now(), dirty: map[int64]bool{}, lasting: map[string]*node{}}
}

func (n *node) attributes(a *fuse.Attr) {
	a.Mode, a.Size, a.Nlink, a.Blksize = n.mode, uint64(len(n.data)), 1, 4096
	a.Blocks, a.Uid, a.Gid = (a.Size+sector-1)/sector, n.uid, n.gid
	if n.removed {
		a.Nlink = 0
	}
	a.SetTimes(&n.time, &n.time, &n.time)
}

func (n *node) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	n.fs.mu.Lock()
	defer n.fs.mu.Unlock()
	n.attributes(&out.Attr)
	return 0
}

func (n *node) Lookup(_ context.Context, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	child := n.GetChild(name)
	if child == nil {
		return nil, syscall.ENOENT
	}
	n.fs.mu.Lock()
	defer n.fs.mu.Unlock()
	child.Operations().(*node).attributes(&out.Attr)
	return child, 0
}

func (n *node) Setattr(_ context.Context, _ fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	size, resized := in.GetSize()
	if resized {
		if fault, _ := n.fs.fault(Truncate, n.name); fault != "" {
			return fault.errno()
		}
	}
	n.fs.mu.Lock()
	defer n.fs.mu.Unlock()
	if resized {
		n.resize(int64(size))
	}
	if mode, ok := in.GetMode(); ok {
		n.mode = n.mode&syscall.S_IFMT | mode&^uint32(syscall.S_IFMT)
	}
	if uid, ok := in.GetUID(); ok {
		n.uid = uid
	}
	if gid, ok := in.GetGID(); ok {
		n.gid = gid
	}
	if t, ok := in.GetMTime(); ok {
		n.time = t
	}
	n.attributes(&out.Attr)
	return 0
}

func (n *node) resize(size int64) {
	from := min(size, int64(len(n.data)))
	if size > int64(len(n.data)) {
		n.data = append(n.data, make([]byte, size-int64(len(n.data)))...)
	}
	n.data = n.data[:size]
	n.touch(from, size)
}

// touch marks the sectors of some bytes as not synced.
func (n *node) touch(from, to int64) {
	for s := from / sector; s*sector < to; s++ {
		n.dirty[s] = true
	}
	n.time = time.Now()
}

func (n *node) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return nil, openFlags(n.name), 0
}

// openFlags returns how the kernel treats an open file: it sends each operation to this file system
// at once. The shared memory of SQLite is the exception, because only a file that the kernel caches
// can be mapped. Another process must map it: a thread of this process that waits for a page would
// stop the scheduler of Go, and nobody could serve the page.
func openFlags(name string) uint32 {
	if strings.HasSuffix(name, "-shm") {
		return 0
	}
	return fuse.FOPEN_DIRECT_IO
}

func (n *node) Read(_ context.Context, _ fs.FileHandle, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	if fault, _ := n.fs.fault(Read, n.name); fault != "" {
		return nil, fault.errno()
	}
	n.fs.mu.Lock()
	defer n.fs.mu.Unlock()
	if off >= int64(len(n.data)) {
		return fuse.ReadResultData(nil), 0
	}
	return fuse.ReadResultData(dest[:copy(dest, n.data[off:])]), 0
}

func (n *node) Write(_ context.Context, _ fs.FileHandle, data []byte, off int64) (uint32, syscall.Errno) {
	fault, short := n.fs.fault(Write, n.name)
	switch fault {
	case "":
	case Short:
		data = data[:min(short, len(data))]
	default:
		return 0, fault.errno()
	}
	n.fs.mu.Lock()
	defer n.fs.mu.Unlock()
	end := off + int64(len(data))
	if end > int64(len(n.data)) {
		n.resize(end)
	}
	copy(n.data[off:], data)
	n.touch(off, end)
	return uint32(len(data)), 0
}

// Fsync writes the content of a file, or the names of a directory, to the disk.
func (n *node) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	switch fault, _ := n.fs.fault(Fsync, n.name); fault {
	case "":
	case Lie:
		return 0
	default:
		return fault.errno()
	}
	n.fs.mu.Lock()
	defer n.fs.mu.Unlock()
	n.synced = append([]byte(nil), n.data...)
	clear(n.dirty)
	n.lasting, n.changes = n.after(len(n.changes)), nil
	return 0
}

// after returns the names of a directory on the disk after the given number of changes.
func (n *node) after(changes int) map[string]*node {
	names := maps.Clone(n.lasting)
	for _, group := range n.changes[:changes] {
		for _, c := range group {
			if c.node == nil {
				delete(names, c.name)
			} else {
				names[c.name] = c.node
			}
		}
	}
	return names
}

// Statfs reports a disk with much free space.
func (n *node) Statfs(_ context.Context, out *fuse.StatfsOut) syscall.Errno {
	out.Bsize, out.Blocks, out.Bfree, out.Bavail, out.NameLen = 4096, 1<<30, 1<<30, 1<<30, 255
	return 0
}
