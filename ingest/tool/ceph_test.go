package tool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"
)

func TestPolls(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"text": {
			"2026-11-15T23:12:20Z\nosd  commit_latency(ms)  apply_latency(ms)\n  2                   4                  5\n  0                   3                  3\n1794784358\n  2 6 6\n",
			"2026-11-15T23:12:20Z,osd.2,4,5 2026-11-15T23:12:20Z,osd.0,3,3 1794784358,osd.2,6,6",
		},
		"JSON with nanoseconds": {
			"2026-11-15T23:12:20Z\n" + `{"osdstats":{"osd_perf_infos":[{"id":2,"perf_stats":{"commit_latency_ms":4,"apply_latency_ms":5,"commit_latency_ns":4250000,"apply_latency_ns":5000000}}]}}` + "\n",
			"2026-11-15T23:12:20Z,osd.2,4.25,5",
		},
		"JSON of old releases, pretty": {
			"2026-11-15T23:12:20Z\n{\n \"osd_perf_infos\": [\n  {\"id\": 7,\n   \"perf_stats\": {\"commit_latency_ms\": 4, \"apply_latency_ms\": 5}}\n ]\n}\n2026-11-15T23:12:35Z\n{}\n",
			"2026-11-15T23:12:20Z,osd.7,4,5",
		},
	} {
		got, err := readTable(t, "ceph", c.text)
		if rows := strings.Join(strings.Fields(got)[1:], " "); err != nil || rows != c.want {
			t.Errorf("%s:\n%s, %v, want\n%s", name, rows, err, c.want)
		}
	}
	if _, err := readTable(t, "ceph", "osd commit apply\n 2 4 4\n"); err == nil || !strings.Contains(err.Error(), "line 2: the output has no time: run `date") {
		t.Errorf("without a time: %v", err)
	}
}

// What a real cluster printed, after a time.
func TestShared(t *testing.T) {
	dir := checkout.Shared(t, "data/site/ceph/canonical+hotsos")
	for _, name := range []string{"ceph_osd_perf", "ceph_osd_perf_--format_json-pretty.json"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Skipf("no reference files: %v", err)
		}
		got, err := readTable(t, "ceph", "1794784343\n"+string(b))
		if want := "1794784343,osd.2,0,0 1794784343,osd.0,0,0 1794784343,osd.1,0,0"; err != nil || strings.Join(strings.Fields(got)[1:], " ") != want {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
}
