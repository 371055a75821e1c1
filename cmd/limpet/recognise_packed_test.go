package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompressedOutputIsNamed gives compressed output of a tool to limpet diagnose. The error is the
// same as for plain output, and not that the file is damaged.
func TestCompressedOutputIsNamed(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(slowOSDPolls())); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "perf.txt.gz")
	if err := os.WriteFile(file, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	got := tellOf("diagnose", file)
	if got.code == 0 || !strings.Contains(got.err, "perf.txt.gz is not an activity file but ") || !strings.Contains(got.err, "add --tables ceph") {
		t.Errorf("code %d: %s", got.code, got.err)
	}
}
