package activity

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/topology"
)

// A day of many servers, to compare Follow with Open:
//
//	limpet simulate intrepid --compress=false --dir day
//	LIMPET_DAY=day go test -run xxx -bench Day -benchtime 1x ./ingest/activity
func aDay(b *testing.B) (dir string, o Options) {
	b.Helper()
	dir = os.Getenv("LIMPET_DAY")
	if dir == "" {
		b.Skip("LIMPET_DAY names no directory that limpet simulate intrepid has made")
	}
	text, err := os.ReadFile(filepath.Join(dir, "topology.yaml"))
	if err != nil {
		b.Fatal(err)
	}
	system, _, err := topology.Parse("topology.yaml", text)
	if err != nil {
		b.Fatal(err)
	}
	o = Options{System: system}
	for _, m := range metric.Device() {
		o.Metrics = append(o.Metrics, m.Name)
	}
	return filepath.Join(dir, "activity"), o
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// drain counts the rows of a source up to a given end.
func drain(b *testing.B, s ingest.Source, last int64) (rows int) {
	b.Helper()
	for {
		row, err := s.Next(b.Context())
		switch {
		case errors.Is(err, ingest.ErrChanged):
			continue
		case err == io.EOF:
			return rows
		case err != nil:
			b.Fatal(err)
		}
		if rows++; row.End >= last {
			return rows
		}
	}
}

func BenchmarkDayOpen(b *testing.B) {
	dir, o := aDay(b)
	for b.Loop() {
		cpu := cpuSeconds()
		s, err := Open(b.Context(), []string{dir}, o)
		if err != nil {
			b.Fatal(err)
		}
		rows := drain(b, s, endOfDay)
		b.ReportMetric(float64(rows), "rows")
		b.ReportMetric(cpuSeconds()-cpu, "cpu-s")
		s.Close()
	}
}

// endOfDay is the end of the last row.
const endOfDay = 1304985600

// BenchmarkDayFollow reads the day as a backlog, then watches its files for
// five seconds, then takes a new system.
func BenchmarkDayFollow(b *testing.B) {
	dir, o := aDay(b)
	for b.Loop() {
		cpu, begin := cpuSeconds(), time.Now()
		// The clock is just after the day, so the last rows are closed.
		f, err := Follow(b.Context(), []string{dir}, o, FollowOptions{Now: func() time.Time { return time.Unix(endOfDay+3600, 0) }})
		if err != nil {
			b.Fatal(err)
		}
		rows := drain(b, f, endOfDay)
		b.ReportMetric(float64(rows), "rows")
		b.ReportMetric(cpuSeconds()-cpu, "cpu-s")
		b.ReportMetric(time.Since(begin).Seconds(), "live-s")
		b.ReportMetric(float64(f.Progress().Open), "open-files")
		time.Sleep(time.Second)
		idle := cpuSeconds()
		time.Sleep(5 * time.Second)
		b.ReportMetric((cpuSeconds()-idle)/5*100, "idle-%")
		again := cpuSeconds()
		f.work.Lock()
		f.stale = true
		f.work.Unlock()
		for range 20 { // every turn takes the lock
			time.Sleep(500 * time.Millisecond)
			f.work.Lock()
			f.work.Unlock() //nolint:staticcheck // it waits for a turn
		}
		b.ReportMetric(cpuSeconds()-again, "renew-cpu-s")
		f.Close()
	}
}

// BenchmarkDayLive appends one record at a time to the files, and measures the
// cost of following besides the cost of the rows.
func BenchmarkDayLive(b *testing.B) {
	dir, o := aDay(b)
	const steps = 200
	files, err := listFiles([]string{dir})
	if err != nil {
		b.Fatal(err)
	}
	th := &theatre{t: b, from: dir, dir: b.TempDir(), opts: o, clock: 1 << 40, clocks: map[string]trueClock{}}
	th.follow.Now = func() time.Time { return time.Unix(th.clock, 0) }
	for _, path := range files {
		th.loadSome(path, steps)
	}
	for b.Loop() {
		th.begin()
		cpu := 0.0
		for range steps {
			th.write()
			was := cpuSeconds()
			for th.f.checkAndRead() {
			}
			cpu += cpuSeconds() - was
			for {
				if row, err := th.f.take(); row == nil && err == nil {
					break
				}
			}
			th.clock += 15
		}
		b.ReportMetric(cpu/steps*1e3, "cpu-ms/step")
		b.ReportMetric(float64(th.f.Progress().Given), "given")
	}
}
