package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNothingToRead: data that cannot be read, or are not there, are an error, and with
// --exit-code nothing that could be judged; files that are no data stay an error. Data of other times
// are no data, whether the names of the files or their rows show the times.
func TestNothingToRead(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"empty/.keep": "", "none.sa": "", "none.csv": "time,disk,latency\n", "wrong.csv": "time,disk,latency\n05/09/2026 00:00:00,a,1\n", "junk.bin": "\x00\x01",
		"old.csv": "time,disk,latency\n2026-01-01T00:00:00Z,a,1\n2026-01-01T01:00:00Z,a,1\n", "2026-01-01.csv": "time,disk,latency\n2026-01-01T00:00:00Z,a,1\n",
		"t.yaml": "time: {column: time}\ncomponent: \"{disk}\"\ngroup: {text: all}\nmetrics:\n  latency: {unit: ms, worse: higher}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args        string
		plain, code int
	}{
		{"diagnose empty", 1, 5},
		{"diagnose none.sa", 1, 5},
		{"diagnose junk.bin", 1, 1},
		{"diagnose nowhere", 1, 1},
		{"diagnose --tables t.yaml empty", 1, 5},
		{"diagnose --tables t.yaml wrong.csv", 1, 5},
		{"diagnose --tables t.yaml none.csv", 0, 5},
		{"diagnose --tables t.yaml --since 2026-01-02 old.csv", 1, 5}, // the rows are of other times
		{"diagnose --tables t.yaml --until 2025-01-02 old.csv", 1, 5},
		{"diagnose --tables t.yaml --since 2026-01-02 -o json old.csv", 1, 5},
		{"diagnose --tables t.yaml --since 2026-01-03 2026-01-01.csv", 1, 5}, // the name of the file is of another time
		{"study --tables t.yaml wrong.csv", 1, 0},
		{"study empty", 1, 0},
		{"train --model m.json empty", 1, 0},
		{"topology discover empty", 1, 0},
		{"topology import empty", 1, 0},
		{"dump empty", 1, 0},
	} {
		for flag, want := range map[string]int{"": tt.plain, "--exit-code": tt.code} {
			if flag != "" && !strings.HasPrefix(tt.args, "diagnose") {
				continue
			}
			var out, errs bytes.Buffer
			if got := run(t.Context(), strings.Fields(tt.args+" "+flag), nil, &out, &errs); got != want {
				t.Errorf("limpet %s %s exits with %d, want %d: %s%s", tt.args, flag, got, want, &out, &errs)
			}
		}
	}
}
