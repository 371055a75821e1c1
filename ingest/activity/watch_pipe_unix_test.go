//go:build unix

package activity

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestPipe: a file that a pipe replaces between two looks does not block, and
// is gone with the next scan.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sa14")
	if err := os.WriteFile(path, []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	w := newFileWatch([]string{dir})
	if _, err := w.Scan(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	polled := make(chan struct{})
	go func() { w.Poll([]string{path}); close(polled) }()
	select {
	case <-polled:
	case <-time.After(time.Minute):
		t.Fatal("it waits for somebody who writes")
	}
	changes, err := w.Scan()
	if got := told(dir, changes); got != "gone sa14" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
