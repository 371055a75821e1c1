package member

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// mounted mounts something for a test, or skips it.
func mounted(t *testing.T, source, kind string) (dir string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("mounting needs root")
	}
	dir = t.TempDir()
	if err := syscall.Mount(source, dir, kind, 0, ""); err != nil {
		t.Skipf("%s cannot be mounted: %v", kind, err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// TestNoDirectIO: where a file system has no direct I/O, files are made and
// opened without.
func TestNoDirectIO(t *testing.T) {
	path := filepath.Join(mounted(t, "none", "ramfs"), "member")
	f, err := CreateFile(path, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if f.Direct() || f.Size() != 1<<20 {
		t.Errorf("direct: %v, %d bytes", f.Direct(), f.Size())
	}
	f.Close()
	if f, err = OpenFile(path); err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// TestMountedDevice: a device with a file system that is mounted is nobody's
// member, were it forced.
func TestMountedDevice(t *testing.T) {
	if _, err := exec.LookPath("mke2fs"); err != nil {
		t.Skip("mke2fs is not installed")
	}
	path := loopDevice(t)
	if out, err := exec.Command("mke2fs", "-q", "-F", path).CombinedOutput(); err != nil {
		t.Fatalf("mke2fs: %v: %s", err, out)
	}
	mounted(t, path, "ext2")
	if _, err := OpenFile(path); !errors.Is(err, ErrMounted) {
		t.Errorf("a mounted device was opened: %v", err)
	}
	f, err := OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// TestNoFileAmongDevices: who mistypes a drive gets no file.
func TestNoFileAmongDevices(t *testing.T) {
	name := "limpet-no-such-drive"
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink("/dev", link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"/dev", "/dev/../dev", link} {
		path := filepath.Join(dir, name)
		if _, err := CreateFile(path, 1<<20); !errors.Is(err, ErrDevices) {
			os.Remove(path)
			t.Errorf("%s: %v", path, err)
		}
	}
	if amongDevices(filepath.Join(t.TempDir(), name)) || sameFileSystem("/dev", "/dev/shm") != amongDevices("/dev/shm/"+name) {
		t.Error("files elsewhere are taken for devices")
	}
}

// traced has a process make a file whose system calls are looked at.
const traced = "LIMPET_RAID_TRACED"

// TestCreateFileSyncsDirectory looks on from outside: that a directory is
// synced shows nowhere else but after a loss of power.
func TestCreateFileSyncsDirectory(t *testing.T) {
	if path := os.Getenv(traced); path != "" {
		f, err := CreateFile(path, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		return
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed")
	}
	path := filepath.Join(t.TempDir(), "member")
	cmd := exec.Command(strace, "-f", "-y", "-e", "trace=fsync", os.Args[0], "-test.run=^TestCreateFileSyncsDirectory$")
	cmd.Env = append(os.Environ(), traced+"="+path)
	out, err := cmd.CombinedOutput()
	if err != nil && strings.Contains(string(out), "ptrace") {
		t.Skipf("strace may not: %s", out)
	}
	synced := regexp.MustCompile(`(?s)fsync\(\d+<` + regexp.QuoteMeta(path) + `>.*fsync\(\d+<` + regexp.QuoteMeta(filepath.Dir(path)) + `>`)
	if err != nil || !synced.Match(out) {
		t.Errorf("no sync of the file and then of its directory: %v\n%s", err, out)
	}
}

// TestReadOnlyFiles are shared by readers, and not with a writer.
func TestReadOnlyFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "member")
	f, err := CreateFile(path, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReadOnly(path); !errors.Is(err, ErrInUse) {
		t.Errorf("a reader beside a writer: %v", err)
	}
	f.Close()
	for range 2 {
		r, err := OpenReadOnly(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if _, err := r.WriteAt(make([]byte, ChunkSize), 0); err == nil {
			t.Error("it was written to")
		}
	}
	if _, err := OpenFile(path); !errors.Is(err, ErrInUse) {
		t.Errorf("a writer beside readers: %v", err)
	}
}

// loopDevice is a block device of 1 MiB.
func loopDevice(t *testing.T) string {
	t.Helper()
	image := filepath.Join(t.TempDir(), "image")
	if err := os.WriteFile(image, noise(1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("losetup", "--find", "--show", image).CombinedOutput()
	if err != nil {
		t.Skipf("losetup makes no loop device: %v: %s", err, out)
	}
	device := strings.TrimSpace(string(out))
	t.Cleanup(func() { exec.Command("losetup", "--detach", device).Run() })
	return device
}

// TestKinds: to open a pipe would wait for its other end for ever, and a
// character device holds nothing.
func TestKinds(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, "/dev/zero", t.TempDir()} {
		for _, open := range []func(string) (*File, error){OpenFile, OpenReadOnly} {
			if f, err := open(path); !errors.Is(err, ErrKind) {
				t.Errorf("%s was opened as %v: %v", path, f, err)
			}
		}
	}
}

// TestCut: a file that is cut while it is in use fails. Written to, it would
// have a hole where its bytes were.
func TestCut(t *testing.T) {
	f := newTestFile(t, 4*ChunkSize)
	var pool Buffers
	buf := pool.Get(4 * ChunkSize)
	copy(buf, noise(len(buf)))
	if _, err := f.WriteAt(buf, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(f.String(), ChunkSize); err != nil {
		t.Fatal(err)
	}
	if _, err := f.ReadAt(buf[:ChunkSize], 0); err != nil {
		t.Errorf("what is there cannot be read: %v", err)
	}
	_, write := f.WriteAt(buf[:ChunkSize], 3*ChunkSize)
	_, read := f.ReadAt(buf, 0)
	for what, err := range map[string]error{
		"write": write, "read": read, "sync": f.Sync(), "zero": f.Zero(0, ChunkSize),
		"read vector": f.ReadVector([][]byte{buf[:ChunkSize], buf[ChunkSize:]}, 0),
	} {
		if !errors.Is(err, ErrCut) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if info, err := os.Stat(f.String()); err != nil || info.Size() != ChunkSize {
		t.Errorf("the file has %d bytes (%v)", info.Size(), err)
	}
}

// TestSparse: a file of zeros takes no room, and a part that is zeroed gives
// its room back.
func TestSparse(t *testing.T) {
	f := newTestFile(t, 1<<40)
	if err := f.Zero(0, 1<<40); err != nil {
		t.Fatal(err)
	}
	if data, hole, err := f.NextData(0); data != 1<<40 || hole != 1<<40 || err != nil {
		t.Errorf("data at %d, a hole at %d (%v)", data, hole, err)
	}
	var pool Buffers
	if _, err := f.WriteAt(pool.Get(1<<20), 1<<30); err != nil {
		t.Fatal(err)
	}
	if data, hole, err := f.NextData(0); data != 1<<30 || hole != 1<<30+1<<20 || err != nil {
		t.Errorf("data at %d, a hole at %d (%v)", data, hole, err)
	}
	if err := f.writeZeros(0, 1<<40); err != nil { // where the kernel cannot
		t.Fatal(err)
	}
	var s syscall.Stat_t
	if err := syscall.Stat(f.String(), &s); err != nil || s.Blocks > 2<<20/512 {
		t.Errorf("zeros take %d blocks (%v)", s.Blocks, err)
	}
}

// TestRoom: files are added up by file system.
func TestRoom(t *testing.T) {
	dir := t.TempDir()
	free, _, err := freeBytes(dir)
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "c")}
	if err := CheckSpace(paths, free/4); err != nil {
		t.Error(err)
	}
	if err := CheckSpace(paths, free/2); !errors.Is(err, ErrNoSpace) {
		t.Errorf("half of what is free, three times: %v", err)
	}
}
