package serve

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestArchiveTimes: no file of a backup has a later time than on disk, and each has its content.
func TestArchiveTimes(t *testing.T) {
	dir := t.TempDir()
	at := time.Unix(1_700_000_000, 900_000_000)
	path := filepath.Join(dir, "limpet-x", "journal", "1.log")
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("rows"), 0o640); err != nil {
		t.Fatal(err)
	}
	for p := path; p != dir; p = filepath.Dir(p) {
		if err := os.Chtimes(p, at, at); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := writeArchive(&out, dir); err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := tar.NewReader(&out); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		if h.ModTime.Unix() != at.Unix() {
			t.Errorf("%s: %v, on disk %v", h.Name, h.ModTime, at)
		}
		if data, err := io.ReadAll(r); err != nil || h.Name == "limpet-x/journal/1.log" && string(data) != "rows" {
			t.Errorf("%s: %q, %v", h.Name, data, err)
		}
	}
	if want := []string{"limpet-x/", "limpet-x/journal/", "limpet-x/journal/1.log"}; len(names) != 3 || names[0] != want[0] || names[1] != want[1] || names[2] != want[2] {
		t.Errorf("%q", names)
	}
}
