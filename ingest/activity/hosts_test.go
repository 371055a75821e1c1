package activity

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestListFiles: unfinished files are passed over, unless they were named
// themselves.
func TestListFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"fs1-20110509T000005Z.sa.zst", "fs1-20110510T000005Z.sa",
		".fs1-20110510T000005Z.sa.zst.part", "fs2-20110510T000005Z.sa.part", ".fs3.swp",
		"day.part/fs4-20110510T000005Z.sa", ".old/fs5-20110510T000005Z.sa",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	whole := []string{"day.part/fs4-20110510T000005Z.sa", "fs1-20110509T000005Z.sa.zst", "fs1-20110510T000005Z.sa"}
	for named, want := range map[string][]string{
		".":                                 whole,
		"fs2-20110510T000005Z.sa.part":      {"fs2-20110510T000005Z.sa.part"},
		".fs1-20110510T000005Z.sa.zst.part": {".fs1-20110510T000005Z.sa.zst.part"},
	} {
		got, err := listFiles([]string{filepath.Join(dir, named)})
		for i := range got {
			got[i], _ = filepath.Rel(dir, got[i])
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, error %v, want %q", named, got, err, want)
		}
	}
}
