package sysstat

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// The content decides, not the name.
func TestCompressed(t *testing.T) {
	plain, err := os.ReadFile("testdata/sa-disk")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := readTimes(t, plain)
	for _, c := range []struct {
		kind string
		pack func() []byte
	}{
		{"plain", func() []byte { return plain }},
		{"xz", func() []byte { return packed(t, "testdata/sa-disk.xz") }},
		{"bzip2", func() []byte { return packed(t, "testdata/sa-disk.bz2") }},
		{"gzip", func() []byte {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			w.Write(plain)
			w.Close()
			return b.Bytes()
		}},
		{"zstd", func() []byte {
			var b bytes.Buffer
			w, _ := zstd.NewWriter(&b)
			w.Write(plain)
			w.Close()
			return b.Bytes()
		}},
	} {
		t.Run(c.kind, func(t *testing.T) {
			file := c.pack()
			path := filepath.Join(t.TempDir(), "sa14")
			if err := os.WriteFile(path, file, 0o644); err != nil {
				t.Fatal(err)
			}
			r, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			n := 0
			for ; err == nil; n++ {
				_, err = r.Next()
			}
			if err != io.EOF || n-1 != len(want) || len(r.Warnings()) > 0 {
				t.Errorf("%d records, want %d: %v %v", n-1, len(want), err, r.Warnings())
			}
			if c.kind != "plain" {
				testBroken(t, c.kind, file)
			}
		})
	}
}

func packed(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A compressed file that breaks off costs what follows, with a warning.
func testBroken(t *testing.T, kind string, file []byte) {
	r, err := NewReader(bytes.NewReader(file[:len(file)-20]), "test")
	if err != nil {
		// Small files are one block, of which nothing is left.
		if !strings.Contains(err.Error(), "test: ") {
			t.Errorf("cut: %v", err)
		}
		return
	}
	for err == nil {
		_, err = r.Next()
	}
	if w := r.Warnings(); err != io.EOF || len(w) == 0 || !strings.Contains(w[0].What, "the "+kind+" data are incomplete: their end is missing") {
		t.Errorf("cut: %v, warnings %v", err, w)
	}
}
