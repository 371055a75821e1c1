package arrays

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestEvents reads one event of every mechanism.
func TestEvents(t *testing.T) {
	s := smallIntrepid(t, func(*IntrepidOptions) {})
	at := func(hours float64) time.Time { return s.Start.Add(times(time.Hour, hours)) }
	for text, want := range map[string]Event{
		"at: 2011-05-09T06:00:05Z, for: 2h, mechanism: failed controller, components: ddn6a": {at(6), at(8), FailedController{"ddn6a"}},
		"at: 6h, for: 0.25d, mechanism: server down, components: fs16":                       {at(6), at(12), ServerDown{"fs16"}},
		"at: 6h, mechanism: service down, components: fs16":                                  {at(6), s.End, ServiceDown{"fs16", 5 * time.Minute}},
		"at: 6h, for: 99d, mechanism: slow lun, components: 6.05, factor: 1.8":               {at(6), s.End, SlowLUN{LUN: "6.05", Factor: 1.8}},
		"at: 0.5d, mechanism: busy lun, components: 6.05, writes: {per_second: 3, kib: 64}":  {at(12), s.End, BusyLUN{LUN: "6.05", Writes: Flow{PerSecond: 3, KiB: 64}}},
		"at: 0h, mechanism: internal load, components: 6.05.7, per_second: 2, await: 1s":     {at(0), s.End, InternalLoad{"6.05.7", 2, time.Second}},
		"at: 1h, for: 1h, mechanism: server work, components: fs3, per_second: 0.1, kib: 8":  {at(1), at(2), ServerWork{"fs3", Flow{PerSecond: 0.1, KiB: 8}, true}},
	} {
		got, err := s.ParseEvents("events.yaml", []byte("events:\n  - {"+text+"}\n"))
		if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Errorf("%s\nis %+v, %v\nwant %+v", text, got, err, want)
		}
	}
}

// TestManyComponents wants an event of each, in the order of time.
func TestManyComponents(t *testing.T) {
	s := smallIntrepid(t, func(*IntrepidOptions) {})
	events, err := s.ParseEvents("events.yaml", []byte(`
events:
  - {at: 3h, for: 1h, mechanism: server down, components: ["fs[3-5]", fs9]}
  - {at: 1h, for: 2h, mechanism: server down, components: fs9}
  - {at: 4h, mechanism: server down, components: fs9}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range events {
		got = append(got, e.From.Format("15 ")+e.Mechanism.(ServerDown).Server)
	}
	if want := []string{"01 fs9", "03 fs3", "03 fs4", "03 fs5", "03 fs9", "04 fs9"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestDrawerPicks wants as many LUNs as asked for, others with another seed.
func TestDrawerPicks(t *testing.T) {
	pick := func(seed uint64) DrawerErrors {
		s := smallIntrepid(t, func(o *IntrepidOptions) { o.Seed = seed })
		events, err := s.ParseEvents("events.yaml", []byte("events: [{at: 1h, mechanism: drawer errors, components: ddn7, luns: 11, every: 2s, retry: 3s}]"))
		if err != nil {
			t.Fatal(err)
		}
		return events[0].Mechanism.(DrawerErrors)
	}
	first := pick(1)
	if len(first.LUNs) != 11 || first.Every != 22*time.Second || first.Retry != 3*time.Second {
		t.Errorf("drawer errors %+v", first)
	}
	for _, lun := range first.LUNs {
		if !strings.HasPrefix(lun, "7.") {
			t.Errorf("LUN %s is not of ddn7", lun)
		}
	}
	if slices.Equal(first.LUNs, pick(2).LUNs) || !slices.Equal(first.LUNs, pick(1).LUNs) {
		t.Error("the drawer's LUNs do not go with the seed")
	}
}

// TestBadEvents holds the mistakes of a file against what they are to be
// called, each on its line.
func TestBadEvents(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "bad_events.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	s := smallIntrepid(t, func(*IntrepidOptions) {})
	events, err := s.ParseEvents("bad_events.yaml", text)
	if err == nil || events != nil {
		t.Fatalf("%d events of a bad file, %v", len(events), err)
	}
	golden := filepath.Join("testdata", "bad_events.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(err.Error()+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, readErr := os.ReadFile(golden)
	if readErr != nil {
		t.Fatal(readErr)
	}
	if got := err.Error() + "\n"; got != string(want) {
		t.Errorf("mistakes differ from %s (go test -update writes it anew):\n%s", golden, got)
	}
	for text, want := range map[string]string{"": "events.yaml:1: the file is empty; write at least events:", "event: []": `events.yaml:1: the setting "event" is unknown in an events file; did you mean events?`} {
		if _, err := s.ParseEvents("events.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestShippedEvents wants the 23 incidents of L13's tables with the figures
// that are published, as one file that a run of the whole study reads.
func TestShippedEvents(t *testing.T) {
	incidents := IntrepidEvents()
	count := map[Category]int{}
	var latency time.Duration
	for _, i := range incidents {
		count[i.Category]++
		latency += i.Latency
		if i.Latency <= 0 || i.For < 3*time.Hour || i.Text == "" || len(i.Components) == 0 {
			t.Errorf("incident %+v", i)
		}
	}
	want := map[Category]int{ControllerFailure: 5, ServerFailure: 3, BadState: 6, DrawerFailure: 4, OneLUN: 5}
	if len(incidents) != 23 || !reflect.DeepEqual(count, want) || len(Categories()) != len(want) {
		t.Errorf("%d incidents, by category %v", len(incidents), count)
	}
	// The sum of the tables' latencies, in minutes.
	if sum := 60*(1+17+8.6+11.6+12.9+22.1+7.6+8.4+7.6+3.2+9+3+3.5+1.5+12+3.5+18+26+20+38+8) + 29 + 39; latency.Minutes() != sum {
		t.Errorf("latencies add up to %v min, want %v", latency.Minutes(), sum)
	}
	o := DefaultIntrepidOptions()
	o.Start, o.Days, o.Interval = time.Date(2011, time.April, 13, 0, 0, 5, 0, time.UTC), 474, time.Hour
	s, err := Intrepid(o)
	if err != nil {
		t.Fatal(err)
	}
	events, err := s.ParseEvents("intrepid.yaml", Events())
	if err != nil {
		t.Fatal(err)
	}
	if len(events) < 23 {
		t.Errorf("%d events of %d incidents", len(events), len(incidents))
	}
}

// observed is what the study names of an incident: attachments that were
// missing, at zero or slow.
var observed = map[string][]string{
	"2011-07-14 ddn19a":         {"19.00.105"},
	"2011-09-05 ddn20b":         {"20.00.117"},
	"2011-08-08 ddn19a":         {"19.50.107", "19.50.108"}, // its load is on the tertiary, 19.50.109
	"2011-11-14 ddn14,ddn18":    {"14.41.67", "18.37.103"},
	"2012-05-10 fs84,fs88":      {"16.59.84"},
	"2012-06-13 fs42,fs45,fs46": {"11.69.46"},
	"2011-06-18 15.37":          {"15.37.78"},
	"2011-08-18 19.12":          {"19.12.109"},
	"2011-09-25 11.12":          {"11.12.45"},
	"2012-04-19 9.04":           {"9.04.29"},
	"2012-06-25 21.34.124":      {"21.34.124"},
}

// TestIncidents runs the start of every incident alone. With -short it runs those of which the
// paper names an attachment, and every third of the others.
func TestIncidents(t *testing.T) {
	seen := 0
	for n, i := range IntrepidEvents() {
		if testing.Short() && len(observed[i.Name()]) == 0 && n%3 != 0 {
			continue
		}
		s, err := i.Scenario(DefaultIntrepidOptions())
		if err != nil {
			t.Fatalf("%s: %v", i.Name(), err)
		}
		r, err := s.start()
		if err != nil {
			t.Fatalf("%s: %v", i.Name(), err)
		}
		truth := r.truth()
		if before, after := i.At.Sub(truth.From), truth.To.Sub(i.At); before < 23*time.Hour+59*time.Minute || after < 47*time.Hour+59*time.Minute {
			t.Errorf("%s: %v before it and %v after it", i.Name(), before, after)
		}
		var hit []string
		for _, f := range truth.Faults {
			hit = append(hit, f.Attachments...)
			if f.From.Sub(i.At) > 2*time.Minute || f.From.Before(i.At) {
				t.Errorf("%s: %s is not then", i.Name(), f.Text)
			}
		}
		if len(hit) == 0 {
			t.Errorf("%s hits nothing", i.Name())
		}
		for _, name := range observed[i.Name()] {
			if seen++; !slices.Contains(hit, name) {
				t.Errorf("%s does not hit %s", i.Name(), name)
			}
		}
	}
	if seen != 13 {
		t.Errorf("%d of 13 observations were looked for", seen)
	}
}

func FuzzParseEvents(f *testing.F) {
	bad, err := os.ReadFile(filepath.Join("testdata", "bad_events.yaml"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(bad)
	f.Add(Events())
	f.Add([]byte("events: [{at: 1h, mechanism: lun resets, components: fs1, of: ddn6}]"))
	s, err := Intrepid(smallOptions())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		events, err := s.ParseEvents("events.yaml", data)
		if err != nil {
			return
		}
		run := *s
		run.Events = events
		if _, err := run.start(); err != nil {
			t.Errorf("events that were read cannot be: %v", err)
		}
	})
}
