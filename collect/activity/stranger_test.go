package activity

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStrangers: a file that limpet reads in another way is told as what it is, with
// what to type.
func TestStrangers(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct{ content, want string }{
		"a.csv":     {"ts,disk,latency\n1,a,5\n", "is a table (CSV), no activity file: describe its columns in a YAML file, and say --tables FILE"},
		"b.txt":     {"time;host\n", "is a table (CSV)"},
		"c.parquet": {"PAR1\x00\x00", "is a Parquet table, no activity file"},
		"sar.out":   {"Linux 6.1.0 (fs1) \t03/01/26 \t_x86_64_\t(8 CPU)\n\n00:00:01 DEV tps\n", "is text that sar or iostat printed, no activity file: give the file that sar read"},
		"notes":     {"buy disks\n", "not those of an activity file"},
		"empty":     {"", "the file is empty"},
		"d":         {"\xd5", "the file ends inside its first bytes"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(tt.content), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Open(context.Background(), []string{path}, Options{})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "magic") {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}
