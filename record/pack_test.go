package record

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/record/dayfile"
)

func keeperOf(dir, compress string) *keeper {
	o := DefaultOptions()
	o.Dir, o.File.Hostname, o.Compress, o.CompressMB = dir, "fs1", compress, 0
	o.orDefaults()
	return newKeeper(o)
}

// TestPack: what is compressed reads as before, and keeps its time.
func TestPack(t *testing.T) {
	for _, compress := range []string{Zstd, XZ} {
		t.Run(compress, func(t *testing.T) {
			if _, err := exec.LookPath("xz"); compress == XZ && err != nil {
				t.Skip("xz is not installed")
			}
			dir, path := closedFile(t)
			before, info := readFile(t, path), stat(t, path)
			keeperOf(dir, compress).pass(t.Context())
			after := readFile(t, path+"."+compress)
			if !slices.Equal(before.ios, after.ios) || !slices.Equal(before.comments, after.comments) {
				t.Error("the records differ")
			}
			packed := stat(t, path+"."+compress)
			if !packed.ModTime().Equal(info.ModTime()) || packed.Size() > info.Size()/5 {
				t.Errorf("%d of %d bytes, modified %v", packed.Size(), info.Size(), packed.ModTime())
			}
			if exists(path) || exists(dayfile.PartPath(path+"."+compress)) {
				t.Error("the file itself is left")
			}
		})
	}
}

// closedFile is a directory of the test's with a file in it.
func closedFile(t *testing.T) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	clock := newClock(at("2026-03-01 12:00:00"))
	path = filepath.Join(dir, dayfile.Name("fs1", at("2026-03-01 12:00:00")))
	o := DefaultOptions().File
	o.Hostname, o.Created = "fs1", at("2026-03-01 12:00:00")
	out, err := create(path, o, false)
	if err != nil {
		t.Fatal(err)
	}
	m := &fakeMachine{clock: clock, disks: 20, booted: -time.Hour}
	r := Recorder{machine: m}
	for i := range 900 {
		if err := r.take(); err != nil {
			t.Fatal(err)
		}
		if err := out.write(o.Created.Add(time.Duration(i)*time.Second), r.uptime, &r.sample); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.close(); err != nil {
		t.Fatal(err)
	}
	return dir, path
}

func stat(t *testing.T, path string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

const crashAt = "LIMPET_TEST_CRASH_AT" // step, in the directory that follows a colon

// TestPackCrash: a process dies ahead of each step; what is left then has all
// records, and the next keeper completes it.
func TestPackCrash(t *testing.T) {
	if step, dir, ok := strings.Cut(os.Getenv(crashAt), ":"); ok {
		k := keeperOf(dir, Zstd)
		k.reached = func(s string) {
			if s == step {
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
		}
		k.pass(t.Context())
		return
	}
	for _, step := range []string{"compress", "sync", "verify", "rename", "sync directory", "remove", "end"} {
		t.Run(step, func(t *testing.T) {
			dir, path := closedFile(t)
			before := readFile(t, path)
			cmd := exec.Command(os.Args[0], "-test.run=^TestPackCrash$")
			cmd.Env = append(os.Environ(), crashAt+"="+step+":"+dir)
			if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != -1 {
				t.Fatalf("the process lives on: %v\n%s", err, out)
			}
			checkFiles(t, dir, before)
			if err := removeParts(dir, "fs1"); err != nil {
				t.Fatal(err)
			}
			keeperOf(dir, Zstd).pass(t.Context())
			checkFiles(t, dir, before)
			if entries, _ := os.ReadDir(dir); len(entries) != 1 || entries[0].Name() != filepath.Base(path)+".zst" {
				t.Errorf("left are %v", entries)
			}
		})
	}
}

// checkFiles: there is a file, and each that has a name has all records.
func checkFiles(t *testing.T, dir string, want content) {
	t.Helper()
	files, err := list(dir, "fs1")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		if got := readFile(t, f.path); !slices.Equal(got.ios, want.ios) {
			t.Errorf("%s has %d samples, want %d", f.path, len(got.ios), len(want.ios))
		}
	}
}

// TestPackVerifies: a result that does not read back leaves the file alone.
func TestPackVerifies(t *testing.T) {
	damages := map[string]func(b []byte) []byte{
		"cut":     func(b []byte) []byte { return b[:len(b)/2] },
		"empty":   func([]byte) []byte { return nil },
		"flipped": func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"whole, but of another file": func([]byte) []byte {
			_, path := closedFile(t)
			plain, _ := os.ReadFile(path)
			var out bytes.Buffer
			if err := packZstd(t.Context(), &out, bytes.NewReader(plain[:len(plain)/2])); err != nil {
				t.Error(err)
			}
			return out.Bytes()
		},
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			dir, path := closedFile(t)
			before := readFile(t, path)
			k := keeperOf(dir, Zstd)
			k.reached = func(step string) {
				if step != "verify" {
					return
				}
				made := dayfile.PartPath(path + ".zst")
				b, _ := os.ReadFile(made)
				if err := os.WriteFile(made, damage(b), 0o600); err != nil {
					t.Error(err)
				}
			}
			k.pass(t.Context())
			checkFiles(t, dir, before)
			if entries, _ := os.ReadDir(dir); len(entries) != 1 || !k.left[path] {
				t.Errorf("left are %v", entries)
			}
		})
	}
}

// TestPackOther: what is in use, or no activity file, stays as it is.
func TestPackOther(t *testing.T) {
	dir, path := closedFile(t)
	held, err := openLocked(path, os.O_RDWR)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	garbage := filepath.Join(dir, "fs1-20260228T000005Z.sa")
	if err := os.WriteFile(garbage, []byte("no activity file"), 0o600); err != nil {
		t.Fatal(err)
	}
	k := keeperOf(dir, Zstd)
	k.pass(t.Context())
	if entries, _ := os.ReadDir(dir); len(entries) != 2 || !exists(garbage) || !exists(path) {
		t.Errorf("left are %v", entries)
	}
}

// TestThrottle: a rate is kept to, and ends with its context.
func TestThrottle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		src := &throttled{t.Context(), bytes.NewReader(make([]byte, 50e6)), 10e6}
		if n, err := io.Copy(io.Discard, src); n != 50e6 || err != nil {
			t.Error(n, err)
		}
		if took := time.Since(begin).Round(10 * time.Millisecond); took != 5*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// TestRotatedIsPacked: closed files are compressed while recording continues,
// and a step back into the day of one that is gone overwrites nothing.
func TestRotatedIsPacked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("2026-02-28 23:00:00"))
		h.opts.Compress = Zstd
		h.run(func() {
			time.Sleep(2*time.Hour + 500*time.Millisecond)
			h.wantNames("fs1-20260228T230000Z.sa.zst", "fs1-20260301T000005Z.sa")
			h.clock.step(-2 * time.Hour)
			time.Sleep(2 * time.Hour)
		})
		h.wantNames("fs1-20260228T230000Z.sa.zst", "fs1-20260228T230001Z.sa.zst", "fs1-20260301T000005Z.sa.zst", "fs1-20260301T000006Z.sa")
		checkAllTaken(t, h)
	})
}
