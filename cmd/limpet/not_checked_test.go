package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOnlyWhatDataShowIsRuledOut: a source without any metric of load does not rule out the
// workload, and says so in every output; a source with one does.
func TestOnlyWhatDataShowIsRuledOut(t *testing.T) {
	const checked, unchecked = "Ruled out: workload (same load as its peers)", "Not checked: workload (the data do not show the load)"
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain := "name: plain\nfiles: '*.csv'\ntime: {column: time, format: unix}\ncomponent: drive\ngroup: {text: drives}\nmetrics:\n  latency: {unit: ms, worse: higher, noise: 1}\n"
	loaded := strings.Replace(plain, "name: plain", "name: loaded", 1) + "  requests: {unit: 1/s, worse: either, noise: 1, load: true}\n"
	table := write("drives.csv", slowDriveTable())
	for _, tt := range []struct {
		name, tables, file, want, not string
	}{
		{"ceph osd perf", "ceph", write("perf.txt", slowOSDPolls()), unchecked, checked},
		{"a table without load", write("plain.yaml", plain), table, unchecked, checked},
		{"a table with load", write("loaded.yaml", loaded), table, checked, unchecked},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, format := range []string{"text", "json"} {
				var out, errors bytes.Buffer
				if code := run(t.Context(), []string{"diagnose", "--tables", tt.tables, "-o", format, tt.file}, nil, &out, &errors); code != 0 {
					t.Fatalf("exit %d: %s", code, &errors)
				}
				want, not := tt.want, tt.not
				if format == "json" {
					want, not = inJSON(want), inJSON(not)
				}
				if !strings.Contains(out.String(), want) || strings.Contains(out.String(), not) {
					t.Errorf("%s: want %q, and not %q:\n%.2000s", format, want, not, &out)
				}
			}
		})
	}
}

// inJSON is a line of a report as an object of JSON has it.
func inJSON(line string) string {
	list := `"ruled_out":[{`
	if strings.HasPrefix(line, "Not checked") {
		list = `"not_checked":[{`
	}
	_, text, _ := strings.Cut(line, ": ")
	what, why, _ := strings.Cut(strings.TrimSuffix(text, ")"), " (")
	return fmt.Sprintf(`%s"explanation":%q,"why":%q`, list, what, why)
}

// slowDriveTable has twelve drives every 15 s for four hours, of which d3 becomes five times
// slower after two.
func slowDriveTable() string {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("time,drive,latency,requests\n")
	for step := range 960 {
		for drive := range 12 {
			latency := 5 * (0.9 + 0.2*rng.Float64())
			if drive == 3 && step >= 480 {
				latency *= 5
			}
			fmt.Fprintf(&b, "%d,d%d,%.3f,%d\n", 1_700_000_000+15*step, drive, latency, 100+rng.IntN(3))
		}
	}
	return b.String()
}

// slowOSDPolls has the answers of `ceph osd perf` every 15 s for four hours; osd.3 becomes five
// times slower after two.
func slowOSDPolls() string {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for step := range 960 {
		fmt.Fprintln(&b, time.Unix(int64(1_700_000_000+15*step), 0).UTC().Format(time.RFC3339))
		b.WriteString(`{"pg_ready":true,"osdstats":{"osd_perf_infos":[`)
		for osd := range 12 {
			ms := 20 + rng.IntN(4)
			if osd == 3 && step >= 480 {
				ms *= 5
			}
			if osd > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"id":%d,"perf_stats":{"commit_latency_ms":%d,"apply_latency_ms":%d,"commit_latency_ns":%d,"apply_latency_ns":%d}}`, osd, ms, ms, ms*1_000_000, ms*1_000_000)
		}
		b.WriteString("]}}\n")
	}
	return b.String()
}
