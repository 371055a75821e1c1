//go:build linux

package outfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/faultfs"
)

var (
	oldPage = strings.Repeat("old ", 1000)
	newPage = strings.Repeat("new and longer ", 1000)
)

// settled is a mounted directory that holds an old page, for good.
func settled(t *testing.T) (*faultfs.FS, string) {
	f := faultfs.Mount(t)
	page := filepath.Join(f.Dir, "page.html")
	must(t, os.WriteFile(page, []byte(oldPage), 0o600), Sync(page), SyncDir(f.Dir))
	return f, page
}

// TestPowerCut cuts power before each operation of a write, on many disks: the
// old page is there, or the new one, each whole. Once Write has returned, it is
// the new one.
func TestPowerCut(t *testing.T) {
	f, page := settled(t)
	cuts, ops := map[string]int{}, 0
	check := func(when string, wants ...string) {
		for seed := range uint64(8) {
			got := read(t, filepath.Join(f.CutPower(t, seed), "page.html"))
			for i, want := range wants {
				if got == want {
					cuts[when[:3]+fmt.Sprint(i)]++
				}
			}
			if got != wants[0] && got != wants[len(wants)-1] {
				t.Errorf("%s, seed %d: the page holds %d bytes, %.20q…", when, seed, len(got), got)
			}
		}
	}
	f.Before(func(op faultfs.Op, name string) {
		ops++
		check(fmt.Sprintf("cut before %s of %s", op, name), oldPage, newPage)
	})
	must(t, Write(t.Context(), page, text(newPage)))
	f.Before(nil)
	check("after", newPage)
	if ops < 5 || cuts["cut0"] == 0 || cuts["cut1"] == 0 {
		t.Errorf("%d operations, %v", ops, cuts)
	}
}

// TestFaults has each operation of a write fail in each way: then the page is
// as it was, or it is the new one where only the directory's sync failed, and
// no temporary file is left.
func TestFaults(t *testing.T) {
	const cut = "write from 2: enospc\nwrite: short 100" // a disk that fills up in the middle
	for rules, failing := range map[string]bool{
		"": false, "create: eio": true, "create: enospc": true, "write: eio": true, "write: enospc": true, cut: true,
		"write: short 1000": false, "fsync .limpet*: eio": true, "rename: eio": true, "rename: enospc": true, "fsync to 1: eio": true, "fsync from 2: eio": true,
	} {
		f, page := settled(t)
		f.Inject(rules)
		err := Write(t.Context(), page, text(newPage))
		f.Inject("")
		want := oldPage
		if !failing || rules == "fsync from 2: eio" {
			want = newPage
		}
		if (err != nil) != failing || read(t, page) != want || len(names(t, f.Dir)) != 1 {
			t.Errorf("%q: error %v, the page holds %.20q…, there are %q", rules, err, read(t, page), names(t, f.Dir))
		}
		if err != nil && (!strings.HasPrefix(err.Error(), page+" cannot be written: ") || strings.Contains(err.Error(), tempPrefix)) {
			t.Errorf("%q: %v", rules, err)
		}
	}
}

// TestHung: while a disk hangs, the old page is there.
func TestHung(t *testing.T) {
	f, page := settled(t)
	f.Inject("fsync to 1: hang")
	done := make(chan error)
	go func() { done <- Write(t.Context(), page, text(newPage)) }()
	time.Sleep(50 * time.Millisecond)
	if got := read(t, page); got != oldPage {
		t.Errorf("the page holds %.20q…", got)
	}
	f.Inject("")
	must(t, <-done)
	if got := read(t, page); got != newPage {
		t.Errorf("then it holds %.20q…", got)
	}
}

// TestMakeDirs: directories that were made are there after a power cut, with what was synced in them.
func TestMakeDirs(t *testing.T) {
	f := faultfs.Mount(t)
	dir := filepath.Join(f.Dir, "var", "lib", "limpet")
	file := filepath.Join(dir, "file")
	for range 2 { // the second time they exist
		must(t, MakeDirs(dir, 0o700))
	}
	must(t, os.WriteFile(file, []byte(oldPage), 0o600), Sync(file), SyncDir(dir))
	for seed := range uint64(8) {
		if got := read(t, filepath.Join(f.CutPower(t, seed), "var", "lib", "limpet", "file")); got != oldPage {
			t.Errorf("seed %d: %.20q", seed, got)
		}
	}
}
