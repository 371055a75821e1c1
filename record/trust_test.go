package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/record/dayfile"
)

const secret = "a secret of somebody else"

// untouched is a file outside of the directory that nobody may touch, and a path
// at which nothing may appear.
func untouched(t *testing.T) (file, absent string) {
	t.Helper()
	dir := t.TempDir()
	file = filepath.Join(dir, "shadow")
	if err := os.WriteFile(file, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if got, _ := os.ReadFile(file); string(got) != secret {
			t.Errorf("the victim holds %.40q now", got)
		}
		if info := stat(t, file); info.Mode() != 0o600 {
			t.Errorf("the victim's mode is %v now", info.Mode())
		}
		if exists(filepath.Join(dir, "absent")) {
			t.Error("the target of a link was made")
		}
	})
	return file, filepath.Join(dir, "absent")
}

// plants are ways to put something in the place of a file.
func plants(file, absent string) map[string]func(path string) error {
	return map[string]func(path string) error{
		"link":          func(path string) error { return os.Symlink(file, path) },
		"dangling link": func(path string) error { return os.Symlink(absent, path) },
		"hard link":     func(path string) error { return os.Link(file, path) },
		"FIFO":          func(path string) error { return syscall.Mkfifo(path, 0o644) },
	}
}

// TestPlantedLock: the recorder does not start where something else stands for
// its lock, and says what.
func TestPlantedLock(t *testing.T) {
	file, absent := untouched(t)
	for name, plant := range plants(file, absent) {
		h := newHost(t, at("2026-03-01 12:00:00"))
		path := filepath.Join(h.opts.Dir, lockName("fs1"))
		if err := plant(path); err != nil {
			t.Fatal(err)
		}
		r, err := New(h.opts, h.machine)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Run(t.Context()); !errors.Is(err, errForeign) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLockIsPrivate: whoever could read the lock could take it.
func TestLockIsPrivate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("2026-03-01 12:00:00"))
		path := filepath.Join(h.opts.Dir, lockName("fs1"))
		if err := os.WriteFile(path, nil, 0o644); err != nil { // of an earlier version
			t.Fatal(err)
		}
		h.record(2 * time.Second)
		if mode := stat(t, path).Mode(); mode != 0o600 {
			t.Errorf("the lock's mode is %v", mode)
		}
	})
}

// TestPlantedPart: nothing is compressed into a link, and the file is
// compressed all the same.
func TestPlantedPart(t *testing.T) {
	file, absent := untouched(t)
	for name, plant := range plants(file, absent) {
		dir, path := closedFile(t)
		before := readFile(t, path)
		if err := plant(dayfile.PartPath(path + "." + Zstd)); err != nil {
			t.Fatal(err)
		}
		keeperOf(dir, Zstd).pass(t.Context())
		if exists(path) || exists(dayfile.PartPath(path+"."+Zstd)) {
			t.Errorf("%s: it was not compressed", name)
		}
		if info, err := os.Lstat(path + "." + Zstd); err != nil || !info.Mode().IsRegular() {
			t.Errorf("%s: the result is %v, %v", name, info, err)
		}
		checkFiles(t, dir, before)
	}
}

// TestPlantedBeginning: what stands where a file is to be begun, or where it is
// made, is neither followed nor gone on in, nor does it keep the recorder from
// recording.
func TestPlantedBeginning(t *testing.T) {
	file, absent := untouched(t)
	day := dayfile.Name("fs1", at("2026-03-01 12:00:00"))
	for _, planted := range []string{day, dayfile.PartPath(day), dayfile.Name("fs1", at("2026-03-01 11:00:00"))} {
		for how, plant := range plants(file, absent) {
			synctest.Test(t, func(t *testing.T) {
				h := newHost(t, at("2026-03-01 12:00:00"))
				if err := plant(filepath.Join(h.opts.Dir, planted)); err != nil {
					t.Fatal(err)
				}
				h.record(10500 * time.Millisecond)
				samples := 0
				files, err := list(h.opts.Dir, "fs1")
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range files {
					samples += len(readFile(t, f.path).times)
				}
				if len(files) != 1 || samples != 10 {
					t.Errorf("%s as %s: %d samples in %v", how, planted, samples, files)
				}
			})
		}
	}
}

// TestPlantedFuture: files of days that never were, however they are made, do
// not make genuine days old, and are left alone.
func TestPlantedFuture(t *testing.T) {
	file, absent := untouched(t)
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("2026-03-01 12:00:00"))
		var said bytes.Buffer
		h.opts.KeepDays, h.opts.Interval, h.opts.Log = 3, 5*time.Second, slog.New(slog.NewTextHandler(&said, nil))
		h.record(24 * time.Hour)
		genuine := h.names()
		copied, err := os.ReadFile(filepath.Join(h.opts.Dir, genuine[0]))
		if err != nil {
			t.Fatal(err)
		}
		ways := plants(file, absent)
		ways["empty"] = func(path string) error { return os.WriteFile(path, nil, 0o644) }
		ways["noise"] = func(path string) error { return os.WriteFile(path, []byte("noise"), 0o644) }
		ways["copy"] = func(path string) error { return os.WriteFile(path, copied, 0o644) }
		if os.Geteuid() == 0 {
			ways["another user's"] = func(path string) error {
				return errors.Join(os.WriteFile(path, copied, 0o644), os.Chown(path, 12345, 12345))
			}
		}
		var planted []string
		for how, plant := range ways {
			for i := range 8 {
				path := filepath.Join(h.opts.Dir, dayfile.Name("fs1", at("2099-01-01 00:00:05").AddDate(0, 0, 10*len(planted)+i)))
				if i%2 == 0 {
					path += "." + Zstd
				}
				if err := plant(path); err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				planted = append(planted, path)
			}
		}
		h.record(time.Hour)
		for _, n := range genuine {
			if !exists(filepath.Join(h.opts.Dir, n)) {
				t.Errorf("%s is gone", n)
			}
		}
		for _, path := range planted {
			if !exists(path) {
				t.Errorf("%s is gone", path)
			}
		}
		if n := strings.Count(said.String(), "found a file that it did not write"); n != len(planted) {
			t.Errorf("of %d files the log speaks %d times", len(planted), n)
		}
	})
}

// TestDirectories: who may write where the recorder does.
func TestDirectories(t *testing.T) {
	for _, c := range []struct {
		mode    os.FileMode
		owner   int
		refused string
		warned  string
	}{
		{0o755, 0, "", ""},
		{0o700, 0, "", ""},
		{0o775, 0, "", "may replace files in"},
		{0o775 | os.ModeSticky, 0, "", ""},
		{0o777, 0, "every user may replace files in", ""},
		{0o702, 0, "every user may replace files in", ""},
		{0o777 | os.ModeSticky, 0, "", "every user may create files in"},
		{0o755, 12345, "belongs to the user with the ID 12345", ""},
	} {
		t.Run(fmt.Sprint(c.mode, c.owner), func(t *testing.T) {
			h := newHost(t, at("2026-03-01 12:00:00"))
			if err := os.Chmod(h.opts.Dir, c.mode); err != nil {
				t.Fatal(err)
			}
			if c.owner != 0 {
				if os.Geteuid() != 0 {
					t.Skip("only root may give a directory away")
				}
				if err := os.Chown(h.opts.Dir, c.owner, -1); err != nil {
					t.Fatal(err)
				}
			}
			var said bytes.Buffer
			h.opts.Log = slog.New(slog.NewTextHandler(&said, nil))
			_, err := New(h.opts, h.machine)
			if (err != nil) != (c.refused != "") || err != nil && !strings.Contains(err.Error(), c.refused) {
				t.Errorf("error %v, want %q", err, c.refused)
			}
			if got := said.String(); (got != "") != (c.warned != "") || !strings.Contains(got, c.warned) {
				t.Errorf("warned is %q, want %q", got, c.warned)
			}
		})
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "d")
	if err := errors.Join(os.Mkdir(dir, 0o755), os.Chmod(parent, 0o777)); err != nil {
		t.Fatal(err)
	}
	if warnings, err := checkDir(dir); err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "every user may write to "+parent) {
		t.Errorf("warnings %q, error %v", warnings, err)
	}
}

// TestReplacedWhilePacking: a result that somebody put another file in the
// place of is not taken.
func TestReplacedWhilePacking(t *testing.T) {
	file, _ := untouched(t)
	dir, path := closedFile(t)
	k := keeperOf(dir, Zstd)
	k.reached = func(step string) {
		if step == "rename" {
			os.Remove(dayfile.PartPath(path + "." + Zstd))
			os.Symlink(file, dayfile.PartPath(path+"."+Zstd))
		}
	}
	if err := k.pack(context.Background(), path); !errors.Is(err, errForeign) {
		t.Errorf("got %v", err)
	}
	if !exists(path) || exists(path+"."+Zstd) {
		t.Error("the file itself is gone, or the other took its place")
	}
}
