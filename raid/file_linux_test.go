package raid

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
	device := loopDevice(t, filepath.Join(t.TempDir(), "image"))
	path := device.String()
	device.Close()
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
