package agent

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// TestWaitsAreRecorded: a recorder of this machine writes waits into its file, between connections and latencies, with the
// room of file systems some seconds later.
func TestWaitsAreRecorded(t *testing.T) {
	o := DefaultOptions()
	o.NoLatency = true
	o.Record.Dir, o.Record.Interval = t.TempDir(), 100*time.Millisecond
	stop := start(t, o)
	time.Sleep(1500 * time.Millisecond)
	stop()
	samples, systems, late := 0, 0, uint64(0)
	var s hoststat.Sample
	eachStats(t, onlyFile(t, o), func(rec *sysstat.Record, _ *sysstat.Inventory) {
		raw, _, _ := rec.Items(hoststat.ID)
		if err := hoststat.Decode(raw, &s); err != nil {
			t.Error(err)
		}
		samples++
		systems += len(s.FileSystems)
		late = max(late, s.LateMicros)
	})
	if samples < 5 || late == 0 || late > uint64(time.Hour/time.Microsecond) {
		t.Errorf("%d samples, at most %d µs late", samples, late)
	}
	t.Logf("%d samples, %d lines of file systems, pressure %v", samples, systems, s.Pressure)
}

// TestSadfSkipsWaits: sadf prints the same of a file, whether it has waits or not.
func TestSadfSkipsWaits(t *testing.T) {
	sadf, err := exec.LookPath("sadf")
	if err != nil {
		t.Skip("needs sadf of sysstat")
	}
	var printed []string
	for _, without := range []bool{false, true} {
		o := plant(t)
		o.NoTCP, o.NoWaits = true, without
		o.Record.Interval = 100 * time.Millisecond
		var log bytes.Buffer
		m := opened(t, o, &log)
		path := filepath.Join(t.TempDir(), "sa")
		w := writerAt(t, path, sysstat.WriterOptions{
			Hostname: "fs1", Machine: "x86_64", CPUs: 2, Created: time.Unix(1_700_000_000, 0).UTC(),
			Activities: sysstat.DefaultWriterOptions().Activities, Custom: m.custom(),
		})
		var s sysstat.Sample
		for i := range 5 {
			m.Late(time.Duration(i) * time.Second)
			if err := m.Sample(&s); err != nil {
				t.Fatal(err)
			}
			s.Disks[0].IOs += uint64(10 * i)
			if err := w.WriteStats(time.Unix(1_700_000_000+int64(i), 0).UTC(), uint64(100_000+100*i), &s); err != nil {
				t.Fatal(err)
			}
		}
		out, err := exec.Command(sadf, "-d", "-U", path, "--", "-d", "-u", "-n", "DEV").CombinedOutput()
		if err != nil {
			t.Fatalf("sadf: %v: %s", err, out)
		}
		printed = append(printed, string(out))
	}
	if printed[0] != printed[1] || strings.Count(printed[0], "\n") < 10 {
		t.Errorf("with waits:\n%s\nwithout:\n%s", printed[0], printed[1])
	}
}

// writerAt begins an activity file that is closed with the test.
func writerAt(t *testing.T, path string, o sysstat.WriterOptions) *sysstat.Writer {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	w, err := sysstat.NewWriter(f, o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}
