//go:build unix

package outfile

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asVictim has this test's process write a file that it never completes.
const asVictim = "LIMPET_TEST_OUTFILE_VICTIM"

// hanging starts a process that is in the middle of writing a file.
func hanging(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), asVictim+"="+path)
	out, err := cmd.StdoutPipe()
	must(t, err, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	if _, err := io.ReadFull(out, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// TestKilled kills a run in the middle of a file. The next one in the same
// directory clears away what it left, but nothing of a run that is alive and
// nothing that a user has called alike.
func TestKilled(t *testing.T) {
	if path := os.Getenv(asVictim); path != "" {
		_ = Write(t.Context(), path, func(w io.Writer) error {
			if _, err := io.WriteString(w, strings.Repeat("half", 1<<16)); err != nil {
				return err
			}
			os.Stdout.WriteString("begun")
			time.Sleep(time.Minute)
			return nil
		})
		os.Exit(0)
	}
	dir := t.TempDir()
	own := []string{".limpet-notes", ".limpet-1.tmp", ".limpet-0123456789abcdeg.tmp", "page.html"}
	for _, name := range own {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o644))
	}
	page := filepath.Join(dir, "page.html")
	killed := hanging(t, page)
	must(t, killed.Process.Kill())
	killed.Wait()
	if left := temps(t, dir); len(left) != 1 || read(t, page) != "old" {
		t.Fatalf("the killed run left %q, the page holds %q", left, read(t, page))
	}
	alive := hanging(t, page)
	if left := temps(t, dir); len(left) != 1 {
		t.Errorf("the second run left %q of the first and itself", left)
	}
	must(t, Write(t.Context(), filepath.Join(dir, "other"), text("x")))
	if left := temps(t, dir); len(left) != 1 {
		t.Errorf("of the run that is alive there is %q", left)
	}
	must(t, alive.Process.Kill())
	alive.Wait()
	must(t, Write(t.Context(), page, text("new")))
	want := append(slices.Clone(own), "other")
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) || read(t, page) != "new" {
		t.Errorf("there are %q, want %q; the page holds %q", got, want, read(t, page))
	}
}

// temps lists the temporary files of a directory.
func temps(t *testing.T, dir string) []string {
	return slices.DeleteFunc(names(t, dir), func(name string) bool { return !isTemp(name) })
}

// TestSweepDoesNotWait: neither a FIFO nor a link of a temporary name is
// opened, and what the link names stays.
func TestSweepDoesNotWait(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(at("victim"), nil, 0o644), os.Symlink("victim", at(".limpet-8000000000000001.tmp")),
		syscall.Mkfifo(at(".limpet-8000000000000002.tmp"), 0o600))
	must(t, Write(t.Context(), at("page"), text("x")))
	if got := names(t, dir); len(got) != 4 {
		t.Errorf("there are %q", got)
	}
}

// TestMakeDir: a directory is swept when its maker is gone, and not before.
func TestMakeDir(t *testing.T) {
	dir := t.TempDir()
	first, err := MakeDir(dir)
	must(t, err, os.WriteFile(filepath.Join(first.Path, "a"), nil, 0o644))
	second, err := MakeDir(dir)
	must(t, err)
	if got := temps(t, dir); len(got) != 2 {
		t.Errorf("there are %q", got)
	}
	first.lock.Close() // as the kernel does for one who is killed
	must(t, second.Remove())
	sweep(dir)
	if got := names(t, dir); len(got) != 0 {
		t.Errorf("left are %q", got)
	}
}

// TestMakeDirNamesTheDirectory: what cannot be made is told by the name that was given.
func TestMakeDirNamesTheDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := MakeDir(file)
	if want := "no file can be created in directory " + file + ": not a directory"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
