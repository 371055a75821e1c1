package simulate

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var staged = []string{TruthFile, filepath.Join(ActivityDir, "a.sa"), filepath.Join(ActivityDir, "b.sa")}

// tree lists the files and directories under a directory.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if name, _ := filepath.Rel(dir, path); name != "." && name != ManifestFile {
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// fill stages a text as every file but those left out.
func fill(t *testing.T, dir, text string, leftOut ...string) *Stage {
	t.Helper()
	g, err := NewStage(dir, staged...)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range staged {
		if slices.Contains(leftOut, name) {
			continue
		}
		if err := g.Write(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

func TestPlace(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "deep", "er")
	for _, text := range []string{"first", "second"} {
		g := fill(t, dir, text)
		if err := g.Place(); err != nil {
			t.Fatal(err)
		}
		g.Discard()
		for _, name := range staged {
			if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != text {
				t.Errorf("%s holds %q, %v; want %q", name, got, err, text)
			}
		}
	}
	want := []string{"deep", "deep/er", "deep/er/.limpet-manifest", "deep/er/activity", "deep/er/activity/a.sa", "deep/er/activity/b.sa", "deep/er/truth.yaml"}
	if got := tree(t, root); !slices.Equal(got, want) {
		t.Errorf("there are %v, want %v", got, want)
	}
}

func TestDiscardLeavesNothing(t *testing.T) {
	root := t.TempDir()
	g := fill(t, filepath.Join(root, "deep", "er"), "half")
	g.Discard()
	if got := tree(t, root); len(got) > 0 {
		t.Errorf("left behind: %v", got)
	}
}

// TestPlaceAllOrNone wants files of an earlier run to stay where one of the
// new ones was not written.
func TestPlaceAllOrNone(t *testing.T) {
	dir := t.TempDir()
	before := fill(t, dir, "before")
	if err := before.Place(); err != nil {
		t.Fatal(err)
	}
	before.Discard()
	g := fill(t, dir, "after", staged[2])
	if err := g.Place(); err == nil || !strings.Contains(err.Error(), "b.sa was not written") {
		t.Errorf("a file is lacking: %v", err)
	}
	g.Discard()
	for _, name := range staged {
		if got, _ := os.ReadFile(filepath.Join(dir, name)); string(got) != "before" {
			t.Errorf("%s holds %q", name, got)
		}
	}
	if got := tree(t, dir); len(got) != 4 {
		t.Errorf("there are %v", got)
	}
}

func TestRefuseOthers(t *testing.T) {
	for name, tt := range map[string]struct {
		make func(dir string) error
		want string
	}{
		"data of others": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ActivityDir, "sa15"), nil, 0o644)
		}, "has the file sa15, which limpet did not write: name another directory"},
		"a directory for a file": {func(dir string) error {
			return os.Mkdir(filepath.Join(dir, TruthFile), 0o755)
		}, "is a directory, but limpet must write a file there"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, ActivityDir), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := tt.make(dir); err != nil {
				t.Fatal(err)
			}
			before := tree(t, dir)
			if _, err := NewStage(dir, staged...); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if after := tree(t, dir); !slices.Equal(before, after) {
				t.Errorf("there were %v, now %v", before, after)
			}
		})
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "report.html"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	fill(t, dir, "beside other files").Discard()
	if _, err := NewStage(filepath.Join(dir, "report.html"), staged...); err == nil {
		t.Error("a file was taken for a directory")
	}
}
