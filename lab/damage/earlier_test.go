package damage

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var save = flag.String("damage.save", "", "write the states of this version as fixtures with this `NAME`")

// earlier are the states that fixtures exist of.
var earlier = []state{serveState, nodeState, arrayState, recorderState, changesState}

// TestEarlierVersions opens states that earlier versions of limpet have written. All that was
// acknowledged to a person is there, nothing is reported as damaged, and nobody is notified again.
// Fixtures are never changed: go test ./lab/damage -run TestEarlierVersions -damage.save NAME
// writes new ones for a version that saves something in another form.
func TestEarlierVersions(t *testing.T) {
	if *save != "" {
		saveStates(t, filepath.Join("testdata", "states", *save))
	}
	fixtures, err := filepath.Glob("testdata/states/*/*.tar.gz")
	if err != nil || len(fixtures) == 0 {
		t.Fatal("no states of earlier versions", err)
	}
	for _, path := range fixtures {
		t.Run(strings.TrimPrefix(path, "testdata/states/"), func(t *testing.T) {
			name, _, _ := strings.Cut(filepath.Base(path), "-")
			at := slices.IndexFunc(earlier, func(s state) bool { return s.name == name })
			if at < 0 {
				t.Fatalf("no state is called %s", name)
			}
			dir := filepath.Join(t.TempDir(), "state")
			unpack(t, path, dir)
			got := earlier[at].open(t, dir)
			if !got.starts || got.says != "" {
				t.Errorf("starts %v, says %q", got.starts, got.says)
			}
			want, err := os.ReadFile(strings.TrimSuffix(path, ".tar.gz") + ".want")
			if err != nil {
				t.Fatal(err)
			}
			if lost := less(strings.Split(strings.TrimSpace(string(want)), "\n"), promised(got.has)); len(lost) > 0 {
				t.Errorf("lost: %.1000q", lost)
			}
		})
	}
}

// promised leaves out measured values: a later version may measure otherwise.
func promised(has []string) []string {
	return slices.DeleteFunc(slices.Clone(has), func(line string) bool {
		return strings.HasPrefix(line, "value ") || strings.HasPrefix(line, "sample ")
	})
}

// saveStates writes the states of this version.
func saveStates(t *testing.T, to string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, s := range earlier {
		base := t.TempDir()
		d := dirs{filepath.Join(base, "clean"), filepath.Join(base, "kill"), filepath.Join(base, "backup"), filepath.Join(base, "older")}
		s.write(t, d)
		for _, dir := range []string{d.clean, d.killed} {
			name := filepath.Join(to, s.name+"-"+filepath.Base(dir))
			pack(t, dir, name+".tar.gz")
			opened := filepath.Join(t.TempDir(), "state")
			copyState(t, dir, opened)
			text := strings.Join(promised(s.open(t, opened).has), "\n") + "\n"
			if err := os.WriteFile(name+".want", []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// pack writes the files of a directory into an archive.
func pack(t *testing.T, dir, path string) {
	t.Helper()
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	w := tar.NewWriter(z)
	for _, name := range filesOf(t, dir) {
		if strings.HasSuffix(name, "-shm") { // it is only of use to the process that has it mapped
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(data))})
		}
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close(), os.WriteFile(path, out.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// unpack writes the files of an archive into a directory.
func unpack(t *testing.T, path, dir string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		var data []byte
		if err == nil {
			data, err = io.ReadAll(r)
		}
		to := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}
