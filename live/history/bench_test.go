//go:build linux

package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
)

// listener gives windows to a history and keeps the time that it takes.
type listener struct {
	b    *testing.B
	s    *Store
	used time.Duration
}

func (l *listener) Window(w *persistence.Window) {
	l.timed(func() error { return l.s.Window(w) })
}
func (l *listener) List(*engine.List)     {}
func (l *listener) Event(*incident.Event) {}

// timed adds the time that this thread takes for something.
func (l *listener) timed(do func() error) {
	before := threadTime()
	if err := do(); err != nil {
		l.b.Fatal(err)
	}
	l.used += threadTime() - before
}

func threadTime() time.Duration  { return cpuTime(unix.RUSAGE_THREAD) }
func processTime() time.Duration { return cpuTime(unix.RUSAGE_SELF) }

func cpuTime(who int) time.Duration {
	var u unix.Rusage
	_ = unix.Getrusage(who, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkIntrepid keeps six hours of a simulated Intrepid with a failed
// controller, 9,216 attachments by eight metrics, and asks for its history.
func BenchmarkIntrepid(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	o := arrays.DefaultIntrepidOptions()
	scenario, err := arrays.Intrepid(o)
	if err != nil {
		b.Fatal(err)
	}
	rows, err := scenario.Rows(15)
	if err != nil {
		b.Fatal(err)
	}
	s, err := Open(b.TempDir(), DefaultOptions())
	if err != nil {
		b.Fatal(err)
	}
	l := &listener{b: b, s: s}
	options := engine.DefaultOptions()
	options.Metrics = nil
	for _, m := range rows.Schema().Metrics {
		options.Metrics = append(options.Metrics, m.Name)
	}
	engine, err := engine.New(options, rows.System(), rows.Schema(), nil, l)
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Begin(rows.System(), rows.Schema()); err != nil {
		b.Fatal(err)
	}
	const hours = 6
	var judged time.Duration
	for range hours * 240 {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			b.Fatal(err)
		}
		l.timed(func() error { return s.Row(row) })
		before, kept := processTime(), l.used
		engine.Push(row)
		judged += processTime() - before - (l.used - kept)
	}
	l.timed(s.Flush)
	b.Logf("%.2f CPU-s a day to write, %.1f to diagnose", l.used.Seconds()*24/hours, judged.Seconds()*24/hours)
	for _, u := range s.Usage() {
		b.Logf("%s: %d files, %.1f MB a day", u.Tier, u.Files, float64(u.Bytes)/1e6*24/hours)
	}
	span := s.Span()
	name := rows.System().Components[100].Name
	ask := func(what string, do func() (string, error)) {
		for range 3 {
			before := time.Now()
			got, err := do()
			if err != nil {
				b.Fatal(err)
			}
			b.Logf("%s: %v, %s", what, time.Since(before), got)
		}
	}
	ctx := context.Background()
	ask("series of 6 h", func() (string, error) {
		x, err := s.Series(ctx, name, "await", span.Steps.From-15, span.Steps.To, 500)
		return fmt.Sprint(len(x.Buckets), x.BucketSeconds), err
	})
	ask("scores of 6 h", func() (string, error) {
		x, err := s.Scores(ctx, name, 0, span.Steps.To)
		return fmt.Sprint(len(x.Scores)), err
	})
	ask("map of await", func() (string, error) {
		x, err := s.Map(ctx, MapKind{Metric: "await"}, span.Steps.To-7200-300)
		return fmt.Sprint(len(x.Values)), err
	})
	ask("map of scores", func() (string, error) {
		x, err := s.Map(ctx, MapKind{Score: true}, span.Steps.To-7200)
		return fmt.Sprint(len(x.Values)), err
	})
	for b.Loop() { // the work is done
	}
}

// BenchmarkLarge keeps an hour of 100,000 drives by eight metrics, all of them busy,
// and a month of quarter hours of 9,216 by one, and asks for maps and series.
func BenchmarkLarge(b *testing.B) {
	b.Run("map", func(b *testing.B) {
		w := made(b, 100_000, metric.Device(), 15, 120)
		for i := int64(0); b.Loop(); i++ {
			m, err := w.Map(context.Background(), MapKind{Metric: "await"}, start+15+15*(i%60))
			if err != nil || len(m.Values) != 100_000 {
				b.Fatal(len(m.Values), err)
			}
		}
	})
	b.Run("month", func(b *testing.B) {
		w := made(b, 9216, []metric.Metric{metric.Await}, 900, 30*96)
		for b.Loop() {
			s, err := w.Series(context.Background(), "fs0/sd0", "await", start, start+30*tortureDaySeconds, 500)
			if err != nil || len(s.Buckets) < 400 {
				b.Fatal(len(s.Buckets), err)
			}
		}
	})
}

// made is a history of so many rows of busy components in groups of about 600.
func made(b *testing.B, components int, metrics []metric.Metric, stepSeconds int64, rows int) *Store {
	rng := rand.New(rand.NewPCG(1, 1))
	system := systemOf(rng, max(1, components/600), components)
	schema := table.Schema{StepSeconds: stepSeconds, Metrics: metrics, Components: components, Load: -1}
	s, err := Open(b.TempDir(), DefaultOptions())
	must(b, err)
	must(b, s.Begin(system, schema))
	l := &listener{b: b, s: s}
	r := table.NewRow(schema)
	for n := range rows {
		for m := range r.Values {
			for c := n % 16; c < components; c += 16 { // a sixteenth changes
				r.Values[m][c] = rng.ExpFloat64() * 100
			}
		}
		r.End = start + int64(n+1)*stepSeconds
		l.timed(func() error { return s.Row(r) })
	}
	must(b, s.Flush())
	values := float64(rows * components * len(metrics))
	b.Logf("%.1f CPU-ns a value to write, %.2f bytes", float64(l.used.Nanoseconds())/values, float64(s.Usage()[0].Bytes)/values)
	return s
}
