//go:build unix

package paths

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestNoFiles: pipes, devices and links to them are no files, wherever they
// stand in a directory. One that is named is the user's own choice.
func TestNoFiles(t *testing.T) {
	dir := tree(t, "a.csv", "z.csv")
	pipe := filepath.Join(dir, "pipe.csv")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"b.csv": "/dev/zero", "c.csv": pipe, "loop": "loop", "d.csv": "a.csv"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := List([]string{dir})
	for i := range got {
		got[i] = filepath.Base(got[i])
	}
	if want := []string{"a.csv", "d.csv", "loop", "z.csv"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q (%v), want %q", got, err, want)
	}
	if got, err := List([]string{pipe}); err != nil || !slices.Equal(got, []string{pipe}) {
		t.Errorf("%q (%v), want the pipe", got, err)
	}
}

// TestUnreadable: a directory that cannot be read is named, and hides nothing
// that stands beside it.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := tree(t, "a/1.csv", "b/2.csv", "c/3.csv")
	if err := os.Chmod(filepath.Join(dir, "b"), 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(dir, "b"), 0o700)
	var got []string
	err := Walk(dir, func(name string, isDir bool) {
		if !isDir {
			got = append(got, filepath.Base(name))
		}
	})
	if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "b")) {
		t.Errorf("it says %v", err)
	}
	if !slices.Equal(got, []string{"1.csv", "3.csv"}) {
		t.Errorf("seen: %q", got)
	}
}
