package sadf

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// TestJoinedAfterStep: a recorder writes the second half of a day, the clock
// is set back by twelve hours, and it writes the first half. In the order of
// time the uptime falls between the files, which both begin with a comment:
// the second begins anew, with no interval across.
func TestJoinedAfterStep(t *testing.T) {
	dir := t.TempDir()
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	paths := []string{
		startedAt(t, filepath.Join(dir, "late"), noon, 1000),
		startedAt(t, filepath.Join(dir, "early"), noon.Add(-12*time.Hour), 2000),
	}
	src, err := sysstat.OpenAll(paths)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var out bytes.Buffer
	if err := Dump(&out, src, DefaultOptions()); err != nil {
		t.Fatal(err)
	}
	diff(t, firstColumns(out.String()), `# …
fs1;1;2026-03-02 00:00:01 UTC;sda;1.00;0.00
fs1;1;2026-03-02 00:00:02 UTC;sda;1.00;0.00
# …
fs1;1;2026-03-02 12:00:01 UTC;sda;1.00;0.00
fs1;1;2026-03-02 12:00:02 UTC;sda;1.00;0.00
`)
}

// startedAt writes three samples of a host, from an uptime on.
func startedAt(t *testing.T, path string, begin time.Time, uptime uint64) string {
	t.Helper()
	opts := sysstat.DefaultWriterOptions()
	opts.Hostname, opts.Created = "fs1", begin
	var b bytes.Buffer
	w, err := sysstat.NewWriter(&b, opts)
	if err == nil {
		err = w.WriteComment(begin, "dev 8:0=sda")
	}
	for i := range uint64(3) {
		if err == nil {
			s := &sysstat.Sample{Disks: []sysstat.Disk{{Major: 8, IOs: uptime/100 + i}}}
			err = w.WriteStats(begin.Add(time.Duration(i)*time.Second), uptime+100*i, s)
		}
	}
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}
