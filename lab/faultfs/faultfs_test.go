//go:build linux

package faultfs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestRules: rules print as the text that parses them.
func TestRules(t *testing.T) {
	const text = "write *.tmp from 3: eio\nfsync: enospc\nrename to 1: hang\nwrite from 2 to 4: short 10\nfsync a.sa: lie\n"
	rules, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	printed := ""
	for _, r := range rules {
		printed += fmt.Sprintln(r)
	}
	if printed != text {
		t.Errorf("got\n%s, want\n%s", printed, text)
	}
	for _, bad := range []string{"write", "chew: eio", "write: rot", "write from 0: eio", "write from 1 from 2: eio", "write: short", "read: short 1", "write: lie", "write [: eio"} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("write *.tmp from 3: eio\nwrite from 2 to 4: short 10")
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := Parse(text)
		if err != nil {
			return
		}
		for _, r := range rules {
			if again, err := Parse(r.String()); err != nil || len(again) != 1 || again[0] != r {
				t.Errorf("%q is %v, error %v", r, again, err)
			}
		}
	})
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestFaults: each fault is what a program sees.
func TestFaults(t *testing.T) {
	f := Mount(t)
	path := filepath.Join(f.Dir, "a")
	file, err := os.Create(path)
	must(t, err)
	defer file.Close()
	f.Inject("write from 2: enospc\nfsync: eio\nrename: eio\nremove: eio\ncreate b: eio\nread: eio")
	_, first := file.WriteString("one")
	_, second := file.WriteString("two")
	_, created := os.Create(filepath.Join(f.Dir, "b"))
	_, read := os.ReadFile(path)
	if first != nil || !errors.Is(second, syscall.ENOSPC) {
		t.Error(first, second)
	}
	for what, err := range map[string]error{"sync": file.Sync(), "rename": os.Rename(path, path+"2"), "remove": os.Remove(path), "create": created, "read": read} {
		if !errors.Is(err, syscall.EIO) {
			t.Errorf("%s: %v", what, err)
		}
	}
	f.Inject("write to 1: short 4\nfsync to 1: hang")
	if n, err := syscall.Write(int(file.Fd()), []byte("0123456789")); n != 4 || err != nil {
		t.Errorf("of a short write %d bytes, %v", n, err)
	}
	done := make(chan error)
	go func() { done <- file.Sync() }()
	select {
	case err := <-done:
		t.Fatalf("the sync ended: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	f.Inject("")
	must(t, <-done)
	if data, err := os.ReadFile(path); err != nil || string(data) != "one0123" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestCutPower: what was synced is there, with its name where that was synced;
// the rest is there in part on some disks.
func TestCutPower(t *testing.T) {
	f := Mount(t)
	at := func(name string) string { return filepath.Join(f.Dir, name) }
	old := bytes.Repeat([]byte("o"), 4*sector)
	must(t, os.WriteFile(at("safe"), old, 0o644), os.WriteFile(at("torn"), old, 0o644))
	sync := func(name string) {
		file, err := os.Open(at(name))
		must(t, err, file.Sync(), file.Close())
	}
	for _, name := range []string{"safe", "torn", "."} {
		sync(name)
	}
	file, err := os.OpenFile(at("torn"), os.O_RDWR, 0)
	must(t, err)
	_, err = file.Write(bytes.Repeat([]byte("n"), 6*sector))
	must(t, err, file.Close(), os.WriteFile(at("new"), old, 0o644), os.Rename(at("safe"), at("moved")))
	seen := map[string]bool{}
	for seed := range uint64(60) {
		dir := f.CutPower(t, seed)
		torn, err := os.ReadFile(filepath.Join(dir, "torn"))
		must(t, err)
		for what, is := range map[string]bool{
			"old length": len(torn) == 4*sector, "new length": len(torn) == 6*sector,
			"a mix": bytes.ContainsRune(torn, 'o') && bytes.ContainsRune(torn, 'n'), "a hole": bytes.ContainsRune(torn, 0),
		} {
			seen[what] = seen[what] || is
		}
		_, noNew := os.Stat(filepath.Join(dir, "new"))
		safe, isSafe := os.ReadFile(filepath.Join(dir, "safe"))
		moved, isMoved := os.ReadFile(filepath.Join(dir, "moved"))
		if (isSafe == nil) == (isMoved == nil) || !bytes.Equal(append(safe, moved...), old) || isMoved == nil && noNew != nil {
			t.Errorf("seed %d: the renamed file has %v and %v, new %v", seed, isSafe, isMoved, noNew)
		}
		seen["lost name"] = seen["lost name"] || noNew != nil
		seen["renamed"] = seen["renamed"] || isMoved == nil
	}
	if len(seen) != 6 || strings.Contains(fmt.Sprint(seen), "false") {
		t.Errorf("seen %v", seen)
	}
}
