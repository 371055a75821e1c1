//go:build unix

package outfile

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stranger is a user that is neither this one nor the owner of the directory.
const stranger = 12345

// TestPlanted: in a directory like /tmp, a link, a file and a FIFO of another user
// are refused, and neither they nor what they lead to changes. What this user or
// the owner of the directory has made is used.
func TestPlanted(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make files of another user")
	}
	base := t.TempDir()
	must(t, os.Chmod(base, 0o755))
	sticky, plain := filepath.Join(base, "sticky"), filepath.Join(base, "plain")
	must(t, os.Mkdir(sticky, 0o755), os.Mkdir(plain, 0o777), os.Chmod(plain, 0o777), os.Chmod(sticky, 0o777|os.ModeSticky), os.Chown(sticky, 777, 777))
	victim := filepath.Join(base, "victim")
	reset := func() { must(t, os.WriteFile(victim, []byte("precious"), 0o600)) }
	link := func(dir, name, to string, owner int) string {
		path := filepath.Join(dir, name)
		must(t, os.Symlink(to, path), os.Lchown(path, owner, owner))
		return path
	}
	file := func(dir, name string, owner int) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte("theirs"), 0o666), os.Chown(path, owner, owner))
		return path
	}
	fifo := filepath.Join(sticky, "fifo")
	must(t, syscall.Mkfifo(fifo, 0o666), os.Chown(fifo, stranger, stranger))
	reader, err := os.OpenFile(fifo, os.O_RDONLY|syscall.O_NONBLOCK, 0) // so that opening it would succeed
	must(t, err)
	defer reader.Close()
	group := filepath.Join(base, "group")
	must(t, os.Mkdir(group, 0o755), os.Chmod(group, 0o775|os.ModeSticky))
	for name, path := range map[string]string{
		"link":                  link(sticky, "link", victim, stranger),
		"link to nothing":       link(sticky, "dangling", filepath.Join(base, "new"), stranger),
		"own link to a link":    link(plain, "twice", filepath.Join(sticky, "link"), 0),
		"link to the directory": filepath.Join(link(sticky, "dir", base, stranger), "victim"),
		"file":                  file(sticky, "file", stranger),
		"file for a group":      file(group, "file", stranger),
		"FIFO":                  fifo,
	} {
		reset()
		for how, err := range map[string]error{"write": Write(t.Context(), path, text("report")), "check": Check(path)} {
			if err == nil || !strings.Contains(err.Error(), "belongs to user 12345, and other users may write in ") {
				t.Errorf("%s, %s: %v", name, how, err)
			}
		}
		if got := read(t, victim); got != "precious" {
			t.Errorf("%s: the victim holds %q", name, got)
		}
	}
	for _, dir := range []string{sticky, group} {
		if got := read(t, filepath.Join(dir, "file")); got != "theirs" {
			t.Errorf("%s: the file holds %q", dir, got)
		}
	}
	if _, err := os.Lstat(filepath.Join(base, "new")); err == nil {
		t.Error("a file was made where a link of another user leads")
	}
	for name, path := range map[string]string{
		"own link":                    link(sticky, "mine", victim, 0),
		"link of the directory's":     link(sticky, "owners", victim, 777),
		"link in a plain directory":   link(plain, "link", victim, stranger),
		"link in a group's directory": link(group, "link", victim, stranger),
		"file in a plain directory":   file(plain, "file", stranger),
		"file of the directory's":     file(sticky, "owners-file", 777),
		"new file":                    filepath.Join(sticky, "fresh"),
	} {
		if err := Write(t.Context(), path, text("report")); err != nil || read(t, path) != "report" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFIFOWithoutReader: a FIFO that nobody reads, or whose reader has stopped
// reading, holds nobody up after the first signal.
func TestFIFOWithoutReader(t *testing.T) {
	for name, stuck := range map[string]bool{"no reader": false, "a reader that does not read": true} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "fifo")
			must(t, syscall.Mkfifo(path, 0o600))
			if stuck {
				reader, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
				must(t, err)
				defer reader.Close()
			}
			ctx, signal := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() {
				ended <- Write(ctx, path, func(w io.Writer) error {
					_, err := w.Write(make([]byte, 1<<22))
					return err
				})
			}()
			select {
			case err := <-ended:
				t.Fatalf("it ended before the signal: %v", err)
			case <-time.After(100 * time.Millisecond):
			}
			signal()
			select {
			case err := <-ended:
				if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "the FIFO") {
					t.Error(err)
				}
			case <-time.After(time.Minute):
				t.Fatal("it does not end")
			}
		})
	}
}
