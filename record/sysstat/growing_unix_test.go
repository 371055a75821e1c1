//go:build unix

package sysstat

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestGrowingPipe: a pipe that was put where a file grew is refused at once,
// whether anybody ever writes to it or not.
func TestGrowingPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "sa14")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := OpenGrowing(pipe)
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, errNoFile) {
			t.Errorf("it says %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits for somebody who writes")
	}
}
