package source

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// inBerlin describes local times.
const inBerlin = `time: {column: time, format: "%Y-%m-%d %H:%M:%S", zone: Europe/Berlin}`

// A tick is a record at a time, in Unix seconds.
type tick struct{ at, drive, latency int }

// ticks are the records of five drives from 12 hours before clocks are put
// back in Berlin, on 25 October 2026 at 01:00 UTC, to 12 after: one every so
// many seconds, each up to early before and late after that.
func ticks(every, early, late int) []tick {
	rng := rand.New(rand.NewPCG(7, uint64(early+late)))
	const back, half = 1792890000, 12 * 3600
	var out []tick
	for d := range 5 {
		for at := back - half; at < back+half; at += every {
			out = append(out, tick{at + rng.IntN(early+late+1) - early, d, 1 + rng.IntN(1000)})
		}
	}
	return out
}

// stamped are ticks as CSV, of UTC or a zone.
func stamped(all []tick, zone *time.Location) string {
	var text strings.Builder
	text.WriteString("time,group,drive,latency_us\n")
	for _, r := range all {
		stamp := fmt.Sprint(r.at)
		if zone != nil {
			stamp = time.Unix(int64(r.at), 0).In(zone).Format(time.DateTime)
		}
		fmt.Fprintf(&text, "%s,g,%d,%d\n", stamp, r.drive, r.latency)
	}
	return text.String()
}

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("zone Europe/Berlin is absent")
	}
	return zone
}

func byTime(a, b tick) int { return a.at - b.at }

func hasWarning(s *Source, text string) bool {
	return slices.ContainsFunc(s.Warnings(), func(w Warning) bool { return strings.Contains(w.Text, text) })
}

// TestTwice reads local times, over the hour that comes twice, as the same
// records in UTC.
func TestTwice(t *testing.T) {
	zone := berlin(t)
	tests := map[string]struct{ every, early, late int }{
		"hourly":                 {3600, 0, 0},
		"hourly, around":         {3600, 5, 5},
		"hourly, late":           {3600, 0, 29},
		"hourly, minutes around": {3600, 7 * 60, 7 * 60},
		"hourly, by the half":    {3600, -1795, 1805},
		"five minutes":           {300, 0, 3},
		"five minutes, around":   {300, 30, 30},
		"twenty minutes":         {1200, 120, 120},
		"a minute":               {60, 0, 0},
	}
	for name, tt := range tests {
		byDrive := ticks(tt.every, tt.early, tt.late)
		ordered := slices.Clone(byDrive)
		slices.SortStableFunc(ordered, byTime)
		for order, all := range map[string][]tick{"drive": byDrive, "time": ordered} {
			for _, workers := range []int{1, 3} {
				t.Run(fmt.Sprintf("%s, by %s, %d workers", name, order, workers), func(t *testing.T) {
					sameAsUTC(t, all, workers, zone)
				})
			}
		}
	}
}

func sameAsUTC(t *testing.T, list []tick, workers int, zone *time.Location) {
	t.Helper()
	o := options(t, inBerlin)
	o.Workers = workers
	local := open(t, o, write(t, t.TempDir(), "a.csv", stamped(list, zone)))
	utc := open(t, options(t, ""), write(t, t.TempDir(), "a.csv", stamped(list, nil)))
	sameLines(t, slices.Sorted(slices.Values(printed(local.Fleet(), all(t, local)))), slices.Sorted(slices.Values(printed(utc.Fleet(), all(t, utc)))))
	if a, b := fmt.Sprint(local.Warnings()), fmt.Sprint(utc.Warnings()); a != b {
		t.Errorf("warnings %s, of UTC %s", a, b)
	}
}

// TestTwiceOverFiles has a file for each hour: those of the hour that comes
// twice follow on the one before.
func TestTwiceOverFiles(t *testing.T) {
	zone := berlin(t)
	list := ticks(3600, 0, 29)
	slices.SortStableFunc(list, byTime)
	dir := t.TempDir()
	for hour := range slices.Chunk(list, 5) {
		write(t, dir, fmt.Sprintf("%d.csv", hour[0].at), stamped(hour, zone))
	}
	utc := open(t, options(t, ""), write(t, t.TempDir(), "a.csv", stamped(list, nil)))
	want := slices.Sorted(slices.Values(printed(utc.Fleet(), all(t, utc))))
	for _, workers := range []int{1, 2, 7} {
		o := options(t, inBerlin)
		o.Workers = workers
		s := open(t, o, dir)
		sameLines(t, slices.Sorted(slices.Values(printed(s.Fleet(), all(t, s)))), want)
	}
}

// TestTwiceMixed has records out of the order of time, and ones that begin
// within the hour: those at the very same time are told apart, of others a
// warning says that they cannot be.
func TestTwiceMixed(t *testing.T) {
	zone := berlin(t)
	backwards := func(all []tick) []tick { slices.Reverse(all); return all }
	within := func(all []tick) []tick {
		return slices.DeleteFunc(all, func(r tick) bool { return r.at < 1792890000-3600 })
	}
	tests := map[string]struct {
		in     []tick
		hours  int
		warned bool
	}{
		"at the very same time":      {backwards(ticks(3600, 0, 0)), 5 * 24, false},
		"seconds apart, but for one": {backwards(ticks(3600, 0, 29)), 5*23 + 1, true},
		"nothing before":             {within(ticks(3600, 0, 0)), 5 * 13, false},
		"nothing before, minutes":    {within(ticks(60, 0, 0)), 5 * 13, true},
		"in order":                   {ticks(3600, 0, 29), 5 * 24, false},
	}
	for name, tt := range tests {
		s := open(t, options(t, inBerlin), write(t, t.TempDir(), "a.csv", stamped(tt.in, zone)))
		if n := len(all(t, s)); n != tt.hours || hasWarning(s, "occurs twice") != tt.warned {
			t.Errorf("%s: %d drive hours, want %d; warnings %v", name, n, tt.hours, s.Warnings())
		}
	}
}
