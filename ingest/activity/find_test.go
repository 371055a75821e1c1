package activity

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFindActivityBesideRecorder: a directory in which a recorder is
// compressing a file is read without a warning.
func TestFindActivityBesideRecorder(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, "fs1-20260301T000005Z.sa", "fs1", midnight, 2).run(20, 1, 100, 5)
	if err := os.WriteFile(filepath.Join(dir, ".fs1-20260301T000005Z.sa.zst.part"), []byte("half of it"), 0o644); err != nil {
		t.Fatal(err)
	}
	hosts, warnings, err := groupByHost(t.Context(), []string{dir})
	if err != nil || len(warnings) > 0 || len(hosts) != 1 || len(hosts[0].Paths) != 1 {
		t.Errorf("hosts %+v, warnings %v, error %v", hosts, warnings, err)
	}
}
