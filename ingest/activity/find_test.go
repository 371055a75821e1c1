package activity

import (
	"os"
	"path/filepath"
	"strings"
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

// TestCutBeforeFirstRecord: a file that ends inside its first record is called so, and not a file
// without disks.
func TestCutBeforeFirstRecord(t *testing.T) {
	r := record(t, t.TempDir(), "fs1", "fs1", midnight, 2)
	r.run(15, 15, 100, 5)
	path := r.file.Name()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)-100], 0o644); err != nil {
		t.Fatal(err)
	}
	_, _, _, err = Discover(t.Context(), []string{path}, Options{})
	if err == nil || !strings.Contains(err.Error(), "the files of fs1 contain no complete record with data: ") || !strings.Contains(err.Error(), "the file ends inside a record") {
		t.Error(err)
	}
}
