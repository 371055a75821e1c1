package outfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestLock: a file is locked once, until it is closed.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first, second := open(), open()
	defer second.Close()
	if err := Lock(first); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this system has no locks")
	} else if err != nil {
		t.Fatal(err)
	}
	if err := Lock(second); !errors.Is(err, ErrLocked) {
		t.Errorf("locked twice: %v", err)
	}
	first.Close()
	if err := Lock(second); err != nil {
		t.Errorf("after the first was closed: %v", err)
	}
	if err := Lock(first); err == nil {
		t.Error("a closed file was locked")
	}
}
