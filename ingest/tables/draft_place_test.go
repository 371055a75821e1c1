package tables_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/period"
	"github.com/limpet-storage/limpet/ingest/tables"
)

// writeTables writes tables with the same four drives: one file for each path. The values of a file
// depend on its number.
func writeTables(t *testing.T, values map[string]int) string {
	t.Helper()
	dir := t.TempDir()
	for name, number := range values {
		var b strings.Builder
		b.WriteString("ts,disk_id,latency_ms\n")
		day := 0
		if strings.Contains(name, "07-19") {
			day = 86400
		}
		for step := range 20 {
			for disk := range 4 {
				fmt.Fprintf(&b, "%d,disk%d,%d\n", 1658102400+day+15*step, disk, 5+100*number+step+disk)
			}
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestDraftTakesServersFromThePath drafts a description of one of several files, and reads all of them
// with it.
func TestDraftTakesServersFromThePath(t *testing.T) {
	for name, tt := range map[string]struct {
		files      map[string]int // the files, and their numbers; the first by name is drafted
		draft      string
		want       []string
		components int
	}{
		"hosts and days": {
			map[string]int{"A/host_1/2022-07-18.csv": 1, "A/host_1/2022-07-19.csv": 2, "A/host_2/2022-07-18.csv": 3, "A/host_2/2022-07-19.csv": 4},
			"A/host_1/2022-07-18.csv",
			[]string{`files: "{host}/*.csv"`, `component: "{host}/{disk_id}"`, `group: "{host}"`, `server: "{host}"`, `device: "{disk_id}"`, "A/host_2/2022-07-18.csv has components with the same names at the same times"},
			8,
		},
		"clusters and hosts": {
			map[string]int{"cluster_A/h1/a.csv": 1, "cluster_A/h2/a.csv": 2, "cluster_B/h1/a.csv": 3, "cluster_B/h2/a.csv": 4},
			"cluster_A/h1/a.csv",
			[]string{`files: "{cluster}/{host}/*.csv"`, `component: "{cluster}/{host}/{disk_id}"`, `server: "{cluster}/{host}"`},
			16,
		},
		"a file for each server": {map[string]int{"fs1.csv": 1, "fs2.csv": 2}, "fs1.csv", []string{`files: "{host}.csv"`, `component: "{host}/{disk_id}"`}, 8},
		"one server":             {map[string]int{"host_1/2022-07-18.csv": 1, "host_1/2022-07-19.csv": 2}, "host_1/2022-07-18.csv", []string{"\ncomponent: \"{disk_id}\"\ngroup: {text: all}"}, 4},
		"a copy":                 {map[string]int{"a/x.csv": 1, "b/x.csv": 1}, "a/x.csv", []string{"\ncomponent: \"{disk_id}\"\n"}, 4},
		"dates in names":         {map[string]int{"fs1-2022-07-18.csv": 1, "fs2-2022-07-18.csv": 2}, "fs1-2022-07-18.csv", []string{"fs2-2022-07-18.csv has components with the same names", "take the server from the path"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := writeTables(t, tt.files)
			text, err := tables.Describe(filepath.Join(dir, tt.draft))
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			err = readAll(t, text, dir, tt.components)
			if (err == io.EOF) != (tt.components > 0) {
				t.Errorf("the tables end with %v\n%s", err, text)
			}
		})
	}
}

// TestMixedComponentsAreAnError reads drives of two hosts that a description gives the same names.
func TestMixedComponentsAreAnError(t *testing.T) {
	const description = "time: ts\ncomponent: \"{disk_id}\"\ngroup: {text: all}\nmetrics: {latency: {column: latency_ms, unit: ms, worse: higher}}\n"
	dir := writeTables(t, map[string]int{"h1/a.csv": 1, "h2/a.csv": 2, "h3/a.csv": 3})
	err := readAll(t, description, dir, 4)
	if err == io.EOF || !strings.Contains(err.Error(), "80 of 80 samples have several values of the same metric") || !strings.Contains(err.Error(), "h1/a.csv and in ") {
		t.Errorf("mixed hosts: %v", err)
	}
	until := period.Period{Until: time.Unix(1658102400+150, 0)}
	if err := readPeriod(t, description, dir, 4, until); err == io.EOF || !strings.Contains(err.Error(), "samples have several values") {
		t.Errorf("mixed hosts, until a time before the last row: %v", err)
	}
	for name, files := range map[string]map[string]int{
		"copies":  {"h1/a.csv": 1, "h2/a.csv": 1},
		"one day": {"2022-07-18.csv": 1, "b/2022-07-18.csv": 2, "2022-07-19.csv": 3},
	} {
		if err := readAll(t, description, writeTables(t, files), 4); err != io.EOF {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// readAll reads tables to their end, and returns the error of the last call of Next.
func readAll(t *testing.T, description, dir string, components int) error {
	t.Helper()
	return readPeriod(t, description, dir, components, period.Period{})
}

func readPeriod(t *testing.T, description, dir string, components int, p period.Period) error {
	t.Helper()
	d, err := tables.ParseDescription("draft.yaml", []byte(description))
	if err != nil {
		t.Fatal(err)
	}
	src, err := tables.Open(t.Context(), d, []string{dir}, tables.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if n := len(src.System().Components); components > 0 && n != components {
		t.Errorf("%d components, and %d are right", n, components)
	}
	selection := ingest.Selection{Period: p}
	rows, err := selection.Rows(src)
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := rows.Next(t.Context()); err != nil {
			return err
		}
	}
}
