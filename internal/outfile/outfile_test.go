//go:build unix

package outfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// text writes a text.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// names lists a directory.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func TestNewFileHasUmask(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	path := filepath.Join(t.TempDir(), "new")
	must(t, Write(t.Context(), path, text("one")))
	info, err := os.Lstat(path)
	must(t, err)
	if read(t, path) != "one" || info.Mode() != 0o640 {
		t.Errorf("holds %q, mode %v", read(t, path), info.Mode())
	}
}

// TestModeAndOwnerKept replaces a secret file of somebody else.
func TestModeAndOwnerKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.html")
	must(t, os.WriteFile(path, []byte("old"), 0o600))
	if os.Geteuid() == 0 {
		must(t, os.Chown(path, 12345, 54321))
	}
	before, err := os.Lstat(path)
	must(t, err)
	must(t, Write(t.Context(), path, text("new")))
	after, err := os.Lstat(path)
	must(t, err)
	was, is := before.Sys().(*syscall.Stat_t), after.Sys().(*syscall.Stat_t)
	if after.Mode() != 0o600 || was.Uid != is.Uid || was.Gid != is.Gid {
		t.Errorf("mode %v, owner %d:%d; was %d:%d", after.Mode(), is.Uid, is.Gid, was.Uid, was.Gid)
	}
	if os.SameFile(before, after) || read(t, path) != "new" {
		t.Errorf("it was not replaced, or holds %q", read(t, path))
	}
	if got := names(t, filepath.Dir(path)); len(got) != 1 {
		t.Errorf("left are %q", got)
	}
}

// TestFailedWriteKeepsFile has the content fail in its middle.
func TestFailedWriteKeepsFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "page.html")
	must(t, os.WriteFile(path, []byte("old"), 0o644))
	broken := errors.New("no page today")
	err := Write(t.Context(), path, func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Repeat("half", 1<<20))
		return errors.Join(err, broken)
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	if read(t, path) != "old" || len(names(t, dir)) != 1 {
		t.Errorf("it holds %q; there are %q", read(t, path), names(t, dir))
	}
}

// TestLinksFollowed writes through links, of which one names nothing yet and
// one leads through the parent of a linked directory.
func TestLinksFollowed(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.MkdirAll(at("a/b"), 0o755), os.Symlink("a/b", at("to-b")),
		os.WriteFile(at("a/file"), []byte("old"), 0o600),
		os.Symlink("to-b/../file", at("link")), os.Symlink("link", at("twice")), os.Symlink("a/new", at("dangling")),
		os.Symlink("round", at("round")))
	for link, file := range map[string]string{"twice": "a/file", "link": "a/file", "dangling": "a/new"} {
		must(t, Write(t.Context(), at(link), text(link)))
		info, err := os.Lstat(at(link))
		must(t, err)
		if info.Mode()&fs.ModeSymlink == 0 || read(t, at(file)) != link {
			t.Errorf("%s is %v now, its target holds %q", link, info.Mode(), read(t, at(file)))
		}
	}
	if info, _ := os.Lstat(at("a/file")); info.Mode() != 0o600 {
		t.Errorf("the target's mode is %v", info.Mode())
	}
	if err := Write(t.Context(), at("round"), text("x")); err == nil || !strings.Contains(err.Error(), "the symbolic links form a loop: name a file") {
		t.Errorf("a circle: %v", err)
	}
}

// TestFIFO writes into a FIFO, which stays one.
func TestFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	must(t, syscall.Mkfifo(path, 0o600))
	got := make(chan string)
	go func() {
		b, _ := os.ReadFile(path)
		got <- string(b)
	}()
	must(t, Write(t.Context(), path, text("through")))
	if g := <-got; g != "through" {
		t.Errorf("the reader got %q", g)
	}
	if info, _ := os.Lstat(path); info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("it is %v now", info.Mode())
	}
}

// TestDevices writes to a full device and to one that takes everything. Both
// stay what they are, also those that this test made, which root could
// replace.
func TestDevices(t *testing.T) {
	full, null := "/dev/full", "/dev/null"
	if dir := t.TempDir(); os.Geteuid() == 0 {
		made := filepath.Join(dir, "full")
		if syscall.Mknod(made, syscall.S_IFCHR|0o666, 1<<8|7) == nil {
			if f, err := os.OpenFile(made, os.O_WRONLY, 0); err == nil { // a mount without devices allows none
				f.Close()
				full = made
			}
		}
	}
	err := Write(t.Context(), full, text("too much"))
	if !errors.Is(err, syscall.ENOSPC) || err.Error() != full+" cannot be written: no space left on device" {
		t.Errorf("a full device: %v", err)
	}
	must(t, Write(t.Context(), null, text("anything")))
	for _, path := range []string{full, null} {
		if info, _ := os.Lstat(path); info.Mode()&fs.ModeDevice == 0 {
			t.Errorf("%s is %v now", path, info.Mode())
		}
	}
}

// asChild has this test's process write to its own standard output.
const asChild = "LIMPET_TEST_OUTFILE"

// TestStdout writes to /dev/stdout where that is a file which text was written
// to before: both stand there, one after the other.
func TestStdout(t *testing.T) {
	if path := os.Getenv(asChild); path != "" {
		os.Stdout.WriteString("verdict\n")
		if err := Write(t.Context(), path, text("page\n")); err != nil {
			os.Stdout.WriteString(err.Error())
		}
		os.Stdout.WriteString("end\n")
		os.Exit(0)
	}
	for _, path := range []string{"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"} {
		if _, err := os.Lstat(path); err != nil {
			t.Skipf("%s: %v", path, err)
		}
		out, err := os.Create(filepath.Join(t.TempDir(), "out"))
		must(t, err)
		cmd := exec.Command(os.Args[0], "-test.run=^TestStdout$")
		cmd.Env, cmd.Stdout = append(os.Environ(), asChild+"="+path), out
		must(t, cmd.Run(), out.Close())
		if got := read(t, out.Name()); got != "verdict\npage\nend\n" {
			t.Errorf("%s: the file holds %q", path, got)
		}
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.Mkdir(at("d"), 0o755), os.WriteFile(at("file"), nil, 0o644))
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	must(t, err, syscall.Bind(fd, &syscall.SockaddrUnix{Name: at("socket")}))
	defer syscall.Close(fd)
	for path, want := range map[string]string{
		"":               "the name is empty",
		at("d"):          at("d") + " cannot be written: this is a directory",
		at("d") + "/":    "this is a directory: name a file in the directory",
		at("no/x.html"):  at("no/x.html") + " cannot be written: there is no directory " + at("no"),
		at("file/x"):     "file/x cannot be written: ",
		at("socket"):     "this is a socket: name a file, a FIFO or a device",
		"/dev/fd/987654": "bad file descriptor",
	} {
		for name, err := range map[string]error{"write": Write(t.Context(), path, text("x")), "check": Check(path)} {
			if name == "check" && strings.HasPrefix(path, "/dev/fd") {
				continue // only an attempt can tell
			}
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), tempPrefix) {
				t.Errorf("%s %q: %v, want %s", name, path, err, want)
			}
		}
	}
	if got := names(t, dir); !slices.Equal(got, []string{"d", "file", "socket"}) {
		t.Errorf("there are %q", got)
	}
}

// TestReadOnly: neither a file that is read-only nor one in such a directory
// is replaced, and both are named by their own name.
func TestReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	file, inside := filepath.Join(dir, "file"), filepath.Join(dir, "d", "x")
	must(t, os.WriteFile(file, []byte("old"), 0o444), os.Mkdir(filepath.Dir(inside), 0o555))
	for _, path := range []string{file, inside} {
		if err := Write(t.Context(), path, text("x")); !errors.Is(err, fs.ErrPermission) || !strings.HasPrefix(err.Error(), path+" cannot be written: ") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// What is private is readable by its owner alone; a file that others may read stays so.
func TestWritePrivate(t *testing.T) {
	dir := t.TempDir()
	open := filepath.Join(dir, "open")
	if err := os.WriteFile(open, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{filepath.Join(dir, "new"): 0o600, open: 0o644} {
		err := WritePrivate(t.Context(), path, text("all"))
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode() != want || info.Size() != 3 {
			t.Errorf("%s: %v %v", path, info, err)
		}
	}
}
