package fleet

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestTruth holds the truth of a small fleet, and with it every draw.
func TestTruth(t *testing.T) {
	o := small()
	o.DiskGroups, o.SSDGroups, o.Days = 40, 40, 30
	dir, _ := written(t, o)
	got, err := os.ReadFile(filepath.Join(dir, TruthFile))
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", TruthFile)
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("truth.yaml is not as in %s; rewrite it with -update:\n%s", golden, got)
	}
}
