//go:build linux

package faultfs

import (
	"context"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// add creates a child of a directory.
func (n *node) add(ctx context.Context, op Op, name string, mode uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	if fault, _ := n.fs.fault(op, name); fault != "" {
		return nil, fault.errno()
	}
	child := n.fs.newNode(mode)
	child.name = name
	if caller, ok := fuse.FromContext(ctx); ok {
		child.uid, child.gid = caller.Uid, caller.Gid
	}
	inode := n.NewInode(ctx, child, fs.StableAttr{Mode: mode})
	n.fs.mu.Lock()
	defer n.fs.mu.Unlock()
	n.changes = append(n.changes, []change{{name, child}})
	child.attributes(&out.Attr)
	return inode, 0
}

func (n *node) Create(ctx context.Context, name string, _, mode uint32, out *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	inode, errno := n.add(ctx, Create, name, syscall.S_IFREG|mode, out)
	return inode, nil, openFlags(name), errno
}

func (n *node) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	return n.add(ctx, Mkdir, name, syscall.S_IFDIR|mode, out)
}

func (n *node) Symlink(ctx context.Context, target, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	inode, errno := n.add(ctx, Create, name, syscall.S_IFLNK|0o777, out)
	if errno == 0 {
		inode.Operations().(*node).link = target
	}
	return inode, errno
}

func (n *node) Readlink(context.Context) ([]byte, syscall.Errno) { return []byte(n.link), 0 }

func (n *node) Unlink(_ context.Context, name string) syscall.Errno { return n.remove(name) }

func (n *node) Rmdir(_ context.Context, name string) syscall.Errno {
	if child := n.GetChild(name); child != nil && len(child.Children()) > 0 {
		return syscall.ENOTEMPTY
	}
	return n.remove(name)
}

func (n *node) remove(name string) syscall.Errno {
	if fault, _ := n.fs.fault(Remove, name); fault != "" {
		return fault.errno()
	}
	n.fs.mu.Lock()
	defer n.fs.mu.Unlock()
	if child := n.GetChild(name); child != nil {
		child.Operations().(*node).removed = true
	}
	n.changes = append(n.changes, []change{{name, nil}})
	return 0
}

// Rename moves a name. Within a directory, a rename is atomic: a power cut leaves either the old
// name or the new name.
func (n *node) Rename(_ context.Context, name string, parent fs.InodeEmbedder, newName string, _ uint32) syscall.Errno {
	if fault, _ := n.fs.fault(Rename, newName); fault != "" {
		return fault.errno()
	}
	to := parent.(*node)
	n.fs.mu.Lock()
	defer n.fs.mu.Unlock()
	child := n.GetChild(name).Operations().(*node)
	if old := to.GetChild(newName); old != nil && old.Operations() != child.EmbeddedInode().Operations() {
		old.Operations().(*node).removed = true
	}
	child.name = newName
	gone, there := change{name, nil}, change{newName, child}
	if to == n {
		n.changes = append(n.changes, []change{gone, there})
		return 0
	}
	to.changes = append(to.changes, []change{there})
	n.changes = append(n.changes, []change{gone})
	return 0
}
