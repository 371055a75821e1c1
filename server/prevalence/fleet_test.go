package prevalence

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/topology"
)

// rows are quarter hours of drives of which some are slow at times.
type rows struct {
	schema  table.Schema
	at, end int64
	wait    func(component int, hour int64) float64
	gate    chan struct{} // of the first row; nil: there is none
}

func (r *rows) Schema() table.Schema { return r.schema }

func (r *rows) Next() (*table.Row, error) {
	if r.gate != nil {
		<-r.gate
	}
	if r.at += 900; r.at > r.end {
		return nil, io.EOF
	}
	row := &table.Row{End: r.at, Values: make([][]float64, 2)}
	for c := range r.schema.Components {
		row.Values[0] = append(row.Values[0], r.wait(c, (r.at-1)/hourSeconds))
		row.Values[1] = append(row.Values[1], 20)
	}
	return row, nil
}

const begin = 1_700_000_000 / hourSeconds // an hour

func made(t *testing.T) *topology.System {
	t.Helper()
	text := "name: made\nservers: s[1-4]\ndrives:\n  - devices: sd[a-f]\n    models:\n      OLD: sd[a-c]\n      NEW: sd[d-f]\n"
	system, _, err := topology.Parse("made.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return system
}

// of has two days of drives of which NEW ones are three times slower by design, and of
// which s2/sda is three times slower than its peers for ten hours, the last ones.
func of(system *topology.System, from, to int64) *rows {
	slow, _ := system.Lookup("s2/sda")
	return &rows{
		schema: table.Schema{StepSeconds: 900, Metrics: []metric.Metric{metric.Await, metric.TPS}, Components: len(system.Components)},
		at:     from, end: to,
		wait: func(c int, hour int64) float64 {
			wait := 5.0 + 0.1*float64(c%3)
			if system.Components[c].Model == "NEW" {
				wait *= 3
			}
			if c == slow && hour >= begin+38 {
				wait *= 3
			}
			return wait
		},
	}
}

// TestCount holds the figures against what was put into the hours: they are T16's, and
// no model that is slower by design is slow.
func TestCount(t *testing.T) {
	system := made(t)
	f, err := Count(of(system, begin*hourSeconds, (begin+48)*hourSeconds), system)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Parts) != 1 || f.Parts[0].Drives != 24 || f.Parts[0].Groups != 8 || f.Parts[0].DriveHours != 24*48 || f.Parts[0].SlowNow != 1 || f.Parts[0].DrivesNow != 24 {
		t.Fatalf("parts %+v", f.Parts)
	}
	if int64(f.From) != begin*hourSeconds || int64(f.To) != (begin+48)*hourSeconds {
		t.Errorf("from %v to %v", f.From, f.To)
	}
	got := ""
	for _, one := range f.Parts[0].Figures {
		got += fmt.Sprintf("%s %d of %d\n", one.Name, one.Part, one.Whole)
	}
	want := "slow-hours-2 10 of 1152\nslow-hours-1.5 10 of 1152\never-2 1 of 24\npersist-2 1 of 1\npersist-8h-2 1 of 1\nagain-2 9 of 9\noften-2 0 of 1\n"
	if got != want {
		t.Errorf("figures\n%s, want\n%s", got, want)
	}
	at := slices.IndexFunc(f.Parts[0].Tables, func(one api.FleetTable) bool { return one.Name == "worst-drives" })
	if worst := f.Parts[0].Tables[max(at, 0)]; at < 0 || len(worst.Rows) != 1 || !strings.HasPrefix(worst.Rows[0].Label, "s2/sda") || worst.Rows[0].Values[0] != 10 {
		t.Errorf("the worst are %+v", worst)
	}
	at = slices.IndexFunc(f.Parts[0].Tables, func(one api.FleetTable) bool { return one.Name == "model" })
	if models := f.Parts[0].Tables[max(at, 0)]; at < 0 || len(models.Rows) != 2 {
		t.Errorf("models are %+v", models)
	}
}

// TestMetrics refuses what is no latency.
func TestMetrics(t *testing.T) {
	list, err := Metrics(&table.Schema{Metrics: metric.Device()}, []string{"await"})
	if err != nil || len(list) != 3 || list[0] != metric.Await {
		t.Errorf("metrics %v, error %v", list, err)
	}
	if _, err := Metrics(&table.Schema{Metrics: []metric.Metric{metric.TPS}}, nil); err == nil || !strings.Contains(err.Error(), "needs a latency, but the first metric, tps, is not a latency") {
		t.Errorf("error %v", err)
	}
}

// until asks again and again, for as long as patience lasts.
func until(t *testing.T, k *Keeper, days int, last int64, holds func(*api.Fleet) bool) *api.Fleet {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); runtime.Gosched() {
		f, err := k.Of(days, last)
		if err != nil {
			t.Fatal(err)
		}
		if holds(f) {
			return f
		}
	}
	t.Fatal("it was never so")
	return nil
}

// TestKeeper: who asks never waits, is told how far the count is, and gets one that is
// kept until another hour is over.
func TestKeeper(t *testing.T) {
	system, gate, opened := made(t), make(chan struct{}), 0
	k := New(func(_ context.Context, from, to int64) (table.Stream, *topology.System, error) {
		opened++
		r := of(system, from, to)
		r.gate = gate
		return r, system, nil
	}, time.Now)
	defer k.Close()
	const last = (begin+48)*hourSeconds + 100
	done := func(f *api.Fleet) bool { return f.Reading == nil }
	if f, err := k.Of(2, last); err != nil || f.Reading == nil || *f.Reading != 0 {
		t.Fatalf("%+v, error %v", f, err)
	}
	for range 96 {
		gate <- struct{}{}
	}
	if f := until(t, k, 2, last, func(f *api.Fleet) bool { return f.Reading != nil && *f.Reading > 0.4 }); *f.Reading > 0.6 {
		t.Errorf("half is read, and it says %v", *f.Reading)
	}
	close(gate)
	f := until(t, k, 2, last, done)
	if f.Days != 2 || f.Parts[0].DriveHours != 24*48 {
		t.Errorf("%+v", f)
	}
	if again := until(t, k, 2, last+60, done); again != f || opened != 1 {
		t.Errorf("the same hours were counted %d times", opened)
	}
	until(t, k, 2, last+2*hourSeconds, func(other *api.Fleet) bool { return other.To > f.To })
	k.mu.Lock()
	k.kept[2].took = time.Hour
	k.mu.Unlock()
	if a := k.kept[2]; a.stale(last + 10*hourSeconds) {
		t.Error("what took an hour is counted again after ten")
	}
}

// TestKeeperSaysWhatIsWrong: an error is told, and tried again when an hour is over.
func TestKeeperSaysWhatIsWrong(t *testing.T) {
	k := New(func(context.Context, int64, int64) (table.Stream, *topology.System, error) {
		return nil, nil, api.Refusef("there is no latency")
	}, time.Now)
	defer k.Close()
	for end := time.Now().Add(time.Minute); ; runtime.Gosched() {
		if _, err := k.Of(7, 100*hourSeconds); err != nil {
			if err.Error() != "there is no latency" {
				t.Error(err)
			}
			return
		}
		if time.Now().After(end) {
			t.Fatal("no error was told")
		}
	}
}

// TestMissing: hours without a value are no hours.
func TestMissing(t *testing.T) {
	system := made(t)
	r := of(system, begin*hourSeconds, (begin+10)*hourSeconds)
	wait := r.wait
	r.wait = func(c int, hour int64) float64 {
		if hour%2 == 0 {
			return math.NaN()
		}
		return wait(c, hour)
	}
	f, err := Count(r, system)
	if err != nil || f.Parts[0].DriveHours != 24*5 {
		t.Errorf("%+v, error %v", f, err)
	}
}
