package local

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/activity"
)

// TestThisMachine takes two seconds of the machine that the test runs on, and records them.
func TestThisMachine(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), Options{Activity: activity.Options{Metrics: []string{"await"}}, Dir: dir, NoLatency: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Next(t.Context()); !errors.Is(err, ingest.ErrChanged) {
		t.Skipf("this machine shows no drive: %v", err)
	}
	ends := []int64{}
	for len(ends) < 2 {
		row, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(row.Values[0]) != len(s.System().Components) || !row.Heard[0] {
			t.Errorf("row %+v of %d components", row, len(s.System().Components))
		}
		ends = append(ends, row.End)
	}
	if ends[1] <= ends[0] || ends[1] > ends[0]+2 {
		t.Errorf("rows end at %v", ends)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.sa")); len(files) != 1 {
		t.Errorf("recorded are %v", files)
	}
}

// TestRefused: a pattern that is none is named before anything is sampled.
func TestRefused(t *testing.T) {
	if _, err := Open(t.Context(), Options{Activity: activity.Options{Metrics: []string{"await"}}, Devices: []string{"["}}); err == nil {
		t.Error("no error")
	}
}

// TestNoMatch: a pattern without devices is named, with the devices of the machine.
func TestNoMatch(t *testing.T) {
	const diskstats = "   7       0 loop0 1 0 0 0 0 0 0 0 0 0 0\n 253       0 vda 1 0 0 0 0 0 0 0 0 0 0\n 253      16 vdb 1 0 0 0 0 0 0 0 0 0 0\n"
	if err := noMatch([]string{"vd*", "loop0"}, diskstats); err != nil {
		t.Error(err)
	}
	err := noMatch([]string{"vda", "nvme*"}, diskstats)
	if err == nil || !strings.Contains(err.Error(), "no device matches nvme*; this machine has vd[a-b]: correct --devices") {
		t.Errorf("got %v", err)
	}
}
