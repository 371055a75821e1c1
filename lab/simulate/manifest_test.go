package simulate

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// placed is a directory that a run has written to.
func placed(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	place(t, dir, "first")
	return dir
}

func place(t *testing.T, dir, text string) {
	t.Helper()
	g := fill(t, dir, text)
	defer g.Discard()
	if err := g.Place(); err != nil {
		t.Fatal(err)
	}
}

func page(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// TestUsersFilesStay: a file that limpet did not write, or that somebody has
// changed or replaced since, is named and stays as it is.
func TestUsersFilesStay(t *testing.T) {
	const changed = " was changed after limpet wrote the file: "
	for name, c := range map[string]struct {
		do   func(path string) error
		want string
	}{
		"written before": {func(path string) error {
			return errors.Join(os.Remove(filepath.Join(filepath.Dir(path), ManifestFile)), os.WriteFile(path, []byte("mine"), 0o644))
		}, " exists, and limpet did not write this file: "},
		"edited": {func(path string) error { return os.WriteFile(path, []byte("mine"), 0o644) }, changed},
		"linked": {func(path string) error {
			own := path + ".own"
			return errors.Join(os.Remove(path), os.WriteFile(own, []byte("mine"), 0o644), os.Symlink(own, path))
		}, changed},
	} {
		t.Run(name, func(t *testing.T) {
			dir := placed(t)
			path := filepath.Join(dir, TruthFile)
			if err := c.do(path); err != nil {
				t.Fatal(err)
			}
			if _, err := NewStage(dir, staged...); err == nil || !strings.HasPrefix(err.Error(), "file "+path+c.want) {
				t.Errorf("got %v", err)
			}
			if err := WriteBeside(dir, TruthFile, page("new")); err == nil {
				t.Error("written beside a simulation it was replaced")
			}
			if got, _ := os.ReadFile(path); string(got) != "mine" {
				t.Errorf("it holds %q now", got)
			}
		})
	}
}

// TestWriteBeside: a page is replaced by the page of another run, and by none
// once it was changed.
func TestWriteBeside(t *testing.T) {
	dir := placed(t)
	path := filepath.Join(dir, "report.html")
	for _, text := range []string{"one", "two"} {
		if err := WriteBeside(dir, "report.html", page(text)); err != nil {
			t.Fatal(err)
		}
		place(t, dir, text)
		if got, _ := os.ReadFile(path); string(got) != text {
			t.Errorf("it holds %q", got)
		}
	}
	if err := os.WriteFile(path, []byte("with my notes"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := MayReplace(dir, "report.html"); err == nil || !strings.Contains(err.Error(), "report.html was changed after limpet wrote the file: ") {
		t.Errorf("got %v", err)
	}
}

// TestKilledWhilePlacing: a run that was killed between two of its files can be
// repeated.
func TestKilledWhilePlacing(t *testing.T) {
	dir := placed(t)
	g := fill(t, dir, "second")
	fresh, err := g.secure()
	if err != nil {
		t.Fatal(err)
	}
	before, _ := readManifest(dir)
	if err := append(before, fresh...).write(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(g.Path(staged[1]), filepath.Join(dir, staged[1])); err != nil {
		t.Fatal(err)
	}
	g.Discard()
	place(t, dir, "third")
	for _, name := range staged {
		if got, _ := os.ReadFile(filepath.Join(dir, name)); string(got) != "third" {
			t.Errorf("%s holds %q", name, got)
		}
	}
}
