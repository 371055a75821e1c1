//go:build linux

package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// The kernel of a small machine may have no block device that delays requests. So the images of
// disks are in a file system in user space that can delay requests: device A of a disk is a loop
// device on a file of this file system. The file "delays" takes one rule a line. A rule replaces
// the rule before it for the same image:
//
//	s3-osd2 40ms 100%     every request takes 40 ms longer
//	s3-osd2 200ms 5%      one request of 20 takes 200 ms longer
//	none                  no request takes longer
//
// A delayed request does not delay other requests: all requests of a queue wait at the same time.

// delaysFile is the name of the file that takes rules.
const delaysFile = "delays"

// delayRule states which share of the requests to an image take longer, and how much longer.
type delayRule struct {
	image   string // name of the image; empty: all images
	delay   time.Duration
	percent int
}

// parseDelay reads a rule.
func parseDelay(line string) (r delayRule, err error) {
	words := strings.Fields(line)
	if len(words) == 1 && words[0] == "none" {
		return r, nil
	}
	if len(words) != 3 {
		return r, fmt.Errorf("%q is not a delay of an image: write IMAGE DELAY PERCENT%%, or none", line)
	}
	r.image = words[0]
	if r.delay, err = time.ParseDuration(words[1]); err != nil || r.delay < 0 {
		return r, fmt.Errorf("%q is not a delay: write a time such as 40ms", words[1])
	}
	if r.percent, err = strconv.Atoi(strings.TrimSuffix(words[2], "%")); err != nil || r.percent < 0 || r.percent > 100 {
		return r, fmt.Errorf("%q is not a share: write 0%% to 100%%", words[2])
	}
	return r, nil
}

// Images mounts the files of a directory as images of disks that can be slow. It returns after the
// file system is unmounted.
func Images(_ context.Context, dir, mount string) error {
	root := &imageRoot{}
	names, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, n := range names {
		file, err := os.OpenFile(filepath.Join(dir, n.Name()), os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer file.Close()
		root.images = append(root.images, &image{name: n.Name(), file: file})
	}
	server, err := fs.Mount(mount, root, &fs.Options{MountOptions: fuse.MountOptions{
		FsName: "limpet-testbed", DirectMountStrict: true, DisableXAttrs: true, MaxBackground: 1024, MaxWrite: 1 << 20,
	}})
	if err != nil {
		return err
	}
	server.Wait()
	return nil
}

// imageRoot is the directory of the images.
type imageRoot struct {
	fs.Inode
	images []*image
}

// OnAdd adds the files to the directory.
func (r *imageRoot) OnAdd(ctx context.Context) {
	for _, i := range r.images {
		r.AddChild(i.name, r.NewPersistentInode(ctx, i, fs.StableAttr{Mode: syscall.S_IFREG}), true)
	}
	r.AddChild(delaysFile, r.NewPersistentInode(ctx, &delays{root: r}, fs.StableAttr{Mode: syscall.S_IFREG}), true)
}

// image is the file of a disk.
type image struct {
	fs.Inode
	name string
	file *os.File

	mu      sync.Mutex
	delay   time.Duration
	percent int
}

// wait sleeps for the delay of a request, if the rule delays it.
func (i *image) wait() {
	i.mu.Lock()
	delay, percent := i.delay, i.percent
	i.mu.Unlock()
	if delay > 0 && (percent >= 100 || rand.IntN(100) < percent) {
		time.Sleep(delay)
	}
}

func (i *image) set(r *delayRule) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if r.image == "" || r.image == i.name {
		i.delay, i.percent = r.delay, r.percent
	}
}

// Getattr returns the size of the image.
func (i *image) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	info, err := i.file.Stat()
	if err != nil {
		return fs.ToErrno(err)
	}
	out.FromStat(info.Sys().(*syscall.Stat_t))
	return 0
}

// Open turns off the page cache, so that every request of the loop device arrives here.
func (*image) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return nil, fuse.FOPEN_DIRECT_IO, 0
}

func (i *image) Read(_ context.Context, _ fs.FileHandle, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	i.wait()
	n, err := i.file.ReadAt(dest, off)
	if n == 0 && err != nil && off < i.size() {
		return nil, fs.ToErrno(err)
	}
	return fuse.ReadResultData(dest[:n]), 0
}

func (i *image) size() int64 {
	info, err := i.file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

func (i *image) Write(_ context.Context, _ fs.FileHandle, data []byte, off int64) (uint32, syscall.Errno) {
	i.wait()
	n, err := i.file.WriteAt(data, off)
	if err != nil {
		return uint32(n), fs.ToErrno(err)
	}
	return uint32(n), 0
}

// Fsync waits like any other request. It writes nothing to disk: nobody needs the image after a
// crash of the machine.
func (i *image) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	i.wait()
	return 0
}

// delays is the file of the rules.
type delays struct {
	fs.Inode
	root *imageRoot
}

// Getattr returns the attributes of an empty file.
func (*delays) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	out.Mode = syscall.S_IFREG | 0o200
	return 0
}

// Setattr ignores changes. Shells truncate the file before they write to it.
func (*delays) Setattr(context.Context, fs.FileHandle, *fuse.SetAttrIn, *fuse.AttrOut) syscall.Errno {
	return 0
}

// Open turns off the page cache, so that every write arrives here.
func (*delays) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return nil, fuse.FOPEN_DIRECT_IO, 0
}

// Write parses rules and applies them to the images.
func (d *delays) Write(_ context.Context, _ fs.FileHandle, data []byte, _ int64) (uint32, syscall.Errno) {
	for line := range strings.Lines(string(data)) {
		rule, err := parseDelay(strings.TrimSpace(line))
		if err != nil {
			return 0, syscall.EINVAL
		}
		for _, i := range d.root.images {
			i.set(&rule)
		}
	}
	return uint32(len(data)), 0
}
