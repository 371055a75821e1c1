//go:build unix

package outfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestMake: a directory with anything in it that others put there, or could, is
// refused by name, and what a program itself leaves is not.
func TestMake(t *testing.T) {
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		what  string
		plant func(dir string)
		want  error
	}{
		{"nothing", func(string) {}, nil},
		{"its own files", func(dir string) { do(os.WriteFile(filepath.Join(dir, "journal/1.log"), nil, 0o640)) }, nil},
		{"a link", func(dir string) { do(os.Symlink("/etc/passwd", filepath.Join(dir, "journal/1.log"))) }, ErrNoFile},
		{"a link to a directory", func(dir string) { do(os.Symlink("/etc", filepath.Join(dir, "history"))) }, ErrNoFile},
		{"a pipe", func(dir string) { do(syscall.Mkfifo(filepath.Join(dir, "lock"), 0o600)) }, ErrNoFile},
		{"a directory of everyone", func(dir string) { do(os.Chmod(filepath.Join(dir, "journal"), 0o777)) }, errOthers},
		{"a directory of everyone, sticky", func(dir string) { do(os.Chmod(dir, 0o777|os.ModeSticky)) }, errOthers},
		{"a file of everyone", func(dir string) {
			path := filepath.Join(dir, "ledger")
			do(os.WriteFile(path, nil, 0o600))
			do(os.Chmod(path, 0o666))
		}, errOthers},
		{"a file of another", func(dir string) {
			path := filepath.Join(dir, "ledger")
			do(os.WriteFile(path, nil, 0o600))
			if os.Chown(path, 12345, 12345) != nil {
				t.Skip("only root gives files away")
			}
		}, errOwner},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "state")
			do(MakeOwnDir(dir))
			do(os.Mkdir(filepath.Join(dir, "journal"), 0o750))
			c.plant(dir)
			link := dir + ".link"
			do(os.Symlink(dir, link))
			err := MakeOwnDir(link)
			if !errors.Is(err, c.want) || c.want != nil && !strings.Contains(err.Error(), dir) {
				t.Errorf("it says %v, want %v", err, c.want)
			}
		})
	}
}
