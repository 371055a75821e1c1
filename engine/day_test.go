package engine_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
)

// BenchmarkIntrepidDay diagnoses a simulated day of all of Intrepid: 9,216 attachments in
// 16 peer groups, by all eight metrics, up to incidents. It also measures the rows alone.
func BenchmarkIntrepidDay(b *testing.B) {
	b.Run("rows", func(b *testing.B) { benchmarkDay(b, false) })
	b.Run("incidents", func(b *testing.B) { benchmarkDay(b, true) })
}

func benchmarkDay(b *testing.B, judged bool) {
	var used time.Duration
	var pairs float64
	peak := 0.0
	for b.Loop() {
		forgetPeak()
		before := cpuTime()
		pairs = day(b, judged)
		used += cpuTime() - before
		peak = max(peak, peakMB())
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/day")
	b.ReportMetric(used.Seconds()/float64(b.N), "cpu-s/day")
	b.ReportMetric(peak, "MB-peak")
	if judged {
		b.ReportMetric(pairs/1e9, "Gpairs/day")
	}
}

// pairCount counts the pairs of peers that windows compare.
type pairCount struct {
	windows int
	pairs   float64
}

func (c *pairCount) Window(w *persistence.Window) {
	n := float64(len(w.Verdicts))
	c.windows++
	c.pairs += n * (n - 1) / 2
}

func (c *pairCount) List(*engine.List)     {}
func (c *pairCount) Event(*incident.Event) {}

// day reads the rows of a day with a failed controller, and counts the pairs of peers
// that are compared.
func day(b *testing.B, judged bool) (pairs float64) {
	rows, o := intrepid(b)
	count := &pairCount{}
	engine, err := engine.New(o, rows.System(), rows.Schema(), nil, count)
	if err != nil {
		b.Fatal(err)
	}
	if !judged {
		for err == nil {
			_, err = rows.Next()
		}
		return 0
	}
	if err := engine.Run(rows); err != nil {
		b.Fatal(err)
	}
	found := incidents(engine)
	if count.windows != 8*16*191 || len(found) == 0 || found[0].Place.Name != "ddn19a" {
		b.Fatalf("%d windows, %d incidents", count.windows, len(found))
	}
	return count.pairs
}

// intrepid returns a day of Intrepid with all eight metrics.
func intrepid(b *testing.B) (*arrays.Rows, engine.Options) {
	s, err := arrays.Intrepid(arrays.DefaultIntrepidOptions())
	if err != nil {
		b.Fatal(err)
	}
	s.Events = append(s.Events, arrays.Event{From: s.Start.Add(6 * time.Hour), To: s.End, Mechanism: arrays.FailedController{Controller: "ddn19a"}})
	rows, err := s.Rows(15)
	if err != nil {
		b.Fatal(err)
	}
	o := engine.DefaultOptions()
	o.Metrics = nil
	for _, m := range rows.Schema().Metrics {
		o.Metrics = append(o.Metrics, m.Name)
	}
	return rows, o
}

// BenchmarkState saves and restores all of Intrepid with all eight metrics, after eight
// hours and in the middle of a window.
func BenchmarkState(b *testing.B) {
	rows, o := intrepid(b)
	running, err := engine.New(o, rows.System(), rows.Schema(), nil, engine.NoListener{})
	if err != nil {
		b.Fatal(err)
	}
	for range 8*240 + 17 {
		row, err := rows.Next()
		if err != nil {
			b.Fatal(err)
		}
		running.Push(row)
	}
	var data []byte
	b.Run("save", func(b *testing.B) {
		for b.Loop() {
			if data, err = running.Save(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(data))/1e6, "MB")
	})
	b.Run("restore", func(b *testing.B) {
		for b.Loop() {
			if _, err := engine.Restore(data, o, rows.System(), rows.Schema(), nil, engine.NoListener{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// cpuTime returns the processor time that this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// forgetPeak resets the peak of the resident size in the kernel.
func forgetPeak() {
	runtime.GC()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// peakMB returns the peak of the resident size since then; 0 if the kernel does not
// report it.
func peakMB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kb float64
	if _, err := fmt.Sscan(rest, &kb); err != nil {
		return 0
	}
	return kb / 1000
}
