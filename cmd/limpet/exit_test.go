package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/record/hoststat"
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
		"part.csv": unreadableSecondDay,
		"t.yaml":   "time: {column: time}\ncomponent: \"{disk}\"\ngroup: {text: all}\nmetrics:\n  latency: {unit: ms, worse: higher}\n",
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
		{"diagnose --tables t.yaml --since 2026-01-02 part.csv", 1, 5},       // the rows of the period cannot be read
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

// unreadableSecondDay is a table whose rows of the second day have times that limpet cannot read.
const unreadableSecondDay = "time,disk,latency\n2026-01-01T00:00:00Z,a,1\n2026-01-01T01:00:00Z,a,1\n02/01/2026 00:00,a,1\n02/01/2026 01:00,a,1\n"

// TestWhyNothing: if the rows of the chosen period cannot be read, a warning has the reason. Without
// it, the error advises only to choose another period.
func TestWhyNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"part.csv": unreadableSecondDay, "t.yaml": "time: {column: time}\ncomponent: \"{disk}\"\ngroup: {text: all}\nmetrics:\n  latency: {unit: ms, worse: higher}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{"diagnose", "diagnose --quiet", "diagnose -o json", "train --model m.json"} {
		var out, errs bytes.Buffer
		code := run(t.Context(), strings.Fields(args+" --tables t.yaml --since 2026-01-02 part.csv"), nil, &out, &errs)
		lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
		if code != 1 || len(lines) < 2 || !strings.Contains(lines[0], "warning: ") || !strings.Contains(lines[0], `"02/01/2026 00:00"`) || !strings.Contains(lines[len(lines)-1], "there are no data since 2026-01-02") {
			t.Errorf("limpet %s: exit %d: %s", args, code, &errs)
		}
	}
}

// TestHostsWithoutData: hosts whose files do not cover the period do not stop the diagnosis of the
// services. A warning names the hosts.
func TestHostsWithoutData(t *testing.T) {
	hosts := waitsDir(t, func(int, int, *hoststat.Sample) bool { return true })
	t.Chdir(t.TempDir())
	services := "time,disk,latency\n"
	for step := range 288 {
		for _, name := range []string{"a", "b", "c", "d"} {
			services += fmt.Sprintf("2026-03-%02dT%02d:%d0:00Z,%s,1\n", 1+step/144, step/6%24, step%6, name)
		}
	}
	for name, text := range map[string]string{
		"osds.csv": services, "empty/.keep": "", "t.yaml": "time: {column: time}\ncomponent: \"{disk}\"\ngroup: {text: all}\nmetrics:\n  latency: {unit: ms, worse: higher}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		args, period, want string
		code               int
	}{
		{hosts, "2026-03-02", "there are no data since 2026-03-02", 0},
		{"empty", "2026-03-02", "there are no files", 0},
		{hosts, "2026-04-02", "data since 2026-04-02", 5}, // the services have no data either
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), []string{"diagnose", "--exit-code", "--tables", "t.yaml", "--since", test.period, "--hosts", test.args, "osds.csv"}, nil, &out, &errs)
		if code != test.code || (code == 0) != strings.Contains(out.String(), "nothing limps") {
			t.Errorf("hosts %s since %s: exit %d: %s%s", test.args, test.period, code, &out, &errs)
		}
		first, _, _ := strings.Cut(errs.String(), "\n")
		if !strings.Contains(first, "the services are diagnosed without their hosts (--hosts): ") || !strings.Contains(first, test.want) {
			t.Errorf("hosts %s since %s: the first warning is %q", test.args, test.period, first)
		}
	}
}
