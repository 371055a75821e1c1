package activity

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// told prints changes in short.
func told(dir string, changes []change) string {
	var list []string
	for _, c := range changes {
		text := fmt.Sprint([]string{"new", "changed", "moved", "gone"}[c.Kind], " ", c.Path)
		if c.From != "" {
			text += " from " + c.From
		}
		list = append(list, strings.ReplaceAll(text, dir+"/", ""))
	}
	return strings.Join(list, ", ")
}

// TestScan: each change of a file is returned once.
func TestScan(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "later")
	w := newFileWatch([]string{dir})
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) {
		t.Helper()
		do(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		do(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	move := func(from, to string) { t.Helper(); do(os.Rename(filepath.Join(dir, from), filepath.Join(dir, to))) }
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() {}, ""},
		{func() { write("fs2/sa14", "a") }, "new fs2/sa14"},
		{func() { write("fs10/sa14", "a") }, "new fs10/sa14"},
		{func() { write("fs2/.sa15.tmp", "a") }, ""},
		{func() { write("fs2/sa16.part", "a") }, ""},
		{func() {}, ""},
		{func() { write("fs2/sa14", "ab") }, "changed fs2/sa14"},
		{func() { move("fs2/.sa15.tmp", "fs2/sa15") }, "new fs2/sa15"},
		{func() { write("fs2/sa14.xz", "packed") }, ""},
		{func() { do(os.Remove(filepath.Join(dir, "fs2/sa14"))) }, "moved fs2/sa14.xz from fs2/sa14"},
		{func() { move("fs10/sa14", "fs10/sa14.1") }, "moved fs10/sa14.1 from fs10/sa14"},
		{func() { write("fs2/new", "abc"); move("fs2/new", "fs2/sa15") }, "changed fs2/sa15"},
		{func() { do(os.RemoveAll(dir)) }, "gone fs2/sa14.xz, gone fs2/sa15, gone fs10/sa14.1"},
	} {
		step.do()
		changes, err := w.Scan()
		if got := told(dir, changes); got != step.want || err != nil {
			t.Errorf("%q, want %q; %v", got, step.want, err)
		}
	}
	if got := w.Awaited(nil); len(got) != 1 || got[0].Path != dir || got[0].Exists {
		t.Error(got)
	}
}

// TestAwaited: a directory is awaited until it has a file in use.
func TestAwaited(t *testing.T) {
	dir := t.TempDir()
	w := newFileWatch([]string{dir + "/"})
	for _, file := range []string{"notes", "sa01"} {
		if _, err := w.Scan(); err != nil {
			t.Fatal(err)
		}
		got := w.Awaited(func(path string) bool { return filepath.Base(path) == "sa01" })
		if len(got) != 1 || !got[0].Exists || got[0].Text != dir+"/: no activity files yet; let recorders write activity files to this directory, or copy activity files to this directory" {
			t.Errorf("before %s: %v", file, got)
		}
		if err := os.WriteFile(filepath.Join(dir, file), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Scan(); err != nil {
		t.Fatal(err)
	}
	if got := w.Awaited(func(path string) bool { return filepath.Base(path) == "sa01" }); len(got) > 0 {
		t.Error(got)
	}
}

// TestDirsChanged: files that appear and disappear change a directory, files
// that grow do not.
func TestDirsChanged(t *testing.T) {
	dir := t.TempDir()
	w := newFileWatch([]string{dir, filepath.Join(dir, "absent")})
	scan := func() {
		t.Helper()
		if _, err := w.Scan(); err != nil {
			t.Fatal(err)
		}
	}
	scan()
	for _, name := range []string{"sa14", "fs1/sa14", "fs1/old/sa13", "absent/sa14"} {
		path := filepath.Join(dir, name)
		time.Sleep(20 * time.Millisecond) // longer than a tick of the file system's clock
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if !w.DirsChanged() {
			t.Errorf("nothing seen of %s", name)
		}
		scan()
		if err := os.WriteFile(path, []byte("more"), 0o644); err != nil {
			t.Fatal(err)
		}
		if w.DirsChanged() {
			t.Errorf("%s grew, no file came", name)
		}
		for _, ask := range []string{"as of a local file system", "as of a network"} {
			if got := told(dir, w.Poll([]string{path, path + ".none"})); got != "changed "+name {
				t.Errorf("%s: polled %q", ask, got)
			}
			w.local = nil
			if err := os.WriteFile(path, []byte("and more"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
