package duckdb

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate/fleet"
	"github.com/limpet-storage/limpet/study"
)

// written writes a simulated fleet of some days, 140,000 records each; or
// is the one in LIMPET_FLEET, for comparisons that take longer.
func written(t testing.TB, days int) string {
	t.Helper()
	if dir := os.Getenv("LIMPET_FLEET"); dir != "" {
		return dir
	}
	o := fleet.DefaultOptions()
	o.Days = days
	dir := filepath.Join(t.TempDir(), "fleet")
	if _, err := fleet.Write(t.Context(), dir, o, nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestSame demands that both count the same.
func TestSame(t *testing.T) {
	dir := written(t, 3)
	want, err := Query(dir, runtime.GOMAXPROCS(0))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Study(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	got := Count(r)
	for _, kind := range []string{study.Disk.String(), study.SSD.String()} {
		if got[kind] != want[kind] {
			t.Errorf("%s: limpet counts\n%+v, DuckDB\n%+v", kind, got[kind], want[kind])
		}
		if got[kind].Slow2 == 0 || got[kind].Tail1 == 0 {
			t.Errorf("%s: nothing is slow: %+v", kind, got[kind])
		}
	}
}

// measure runs something over a fleet's rows, and tells rows by the second of
// time and of a core: on a busy machine the latter is what can be compared.
func measure(b *testing.B, rows int64, run func() error) {
	begin := coreSeconds(b)
	for b.Loop() {
		if err := run(); err != nil {
			b.Fatal(err)
		}
	}
	million := float64(rows) * float64(b.N) / 1e6
	b.ReportMetric(million/b.Elapsed().Seconds(), "Mrows/s")
	b.ReportMetric(million/(coreSeconds(b)-begin), "Mrows/core-s")
}

// coreSeconds are those that the process has used so far.
func coreSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// BenchmarkFirstPass: both on one core, over the same files in the same run.
func BenchmarkFirstPass(b *testing.B) {
	dir := written(b, 14)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	r, err := Study(b.Context(), dir)
	if err != nil {
		b.Fatal(err)
	}
	rows := r.Accounts[study.All].Rows
	b.Run("limpet", func(b *testing.B) {
		measure(b, rows, func() error { _, err := Study(b.Context(), dir); return err })
	})
	b.Run("duckdb", func(b *testing.B) {
		measure(b, rows, func() error { _, err := Query(dir, 1); return err })
	})
}
