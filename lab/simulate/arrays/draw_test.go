package arrays

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// fourArrays are two days of four small arrays.
func fourArrays(t *testing.T, seed uint64) *Scenario {
	t.Helper()
	o := DefaultIntrepidOptions()
	o.Arrays, o.Servers, o.LUNs, o.Days, o.Seed = 4, 32, 96, 2, seed
	s, err := Intrepid(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDraw wants faults of every mechanism, in order, within the run, at
// different components; what an events file makes of their entries, all of
// them together, is the same.
func TestDraw(t *testing.T) {
	often := map[string]int{}
	const runs = 60
	shared := 0 // runs with two faults in one array
	for seed := range uint64(runs) {
		s := fourArrays(t, seed)
		drawn, err := s.Draw(3)
		if err != nil || len(drawn) != 3 {
			t.Fatalf("seed %d: %d faults, error %v", seed, len(drawn), err)
		}
		var entries []string
		var events []Event
		arrays := map[string]bool{}
		for i, d := range drawn {
			often[d.Mechanism]++
			entries, events = append(entries, d.Entry), append(events, d.Events...)
			e := d.Events[0]
			if after := e.From.Sub(s.Start); after < drawnEarliest || after > drawnLatest || e.To.After(s.End) || e.To.Sub(e.From) < repairedSoonest {
				t.Errorf("seed %d: %s from %v to %v", seed, d.Entry, e.From, e.To)
			}
			if i > 0 && e.From.Before(drawn[i-1].Events[0].From) {
				t.Errorf("seed %d: %s is out of order", seed, d.Entry)
			}
			arrays[arrayOf(t, s, d.Component)] = true
		}
		if len(arrays) < 3 {
			shared++
		}
		read, err := s.ParseEvents("drawn.yaml", []byte("events:\n- "+strings.Join(entries, "\n- ")))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if fmt.Sprint(read) != fmt.Sprint(events) {
			t.Errorf("seed %d: an events file makes %v of %v", seed, read, events)
		}
	}
	if len(often) != len(drawables) {
		t.Errorf("mechanisms drawn: %v", often)
	}
	fair := 3 * runs / float64(len(drawables))
	for name, n := range often {
		if math.Abs(float64(n)-fair) > 4*math.Sqrt(fair) {
			t.Errorf("%s was drawn %d times, about %.0f are fair", name, n, fair)
		}
	}
	if shared < runs/4 {
		t.Errorf("two faults were in one array in %d of %d runs", shared, runs)
	}
}

func arrayOf(t *testing.T, s *Scenario, component string) string {
	t.Helper()
	system, err := s.System()
	if err != nil {
		t.Fatal(err)
	}
	return system.Components[system.Match(component)[0]].Array
}

// TestDrawnApart wants two faults never to hide each other.
func TestDrawnApart(t *testing.T) {
	s := fourArrays(t, 1)
	system, err := s.System()
	if err != nil {
		t.Fatal(err)
	}
	d := &drawing{scenario: s, system: system}
	damage := func(m Mechanism) *damage {
		return d.damage(&Drawn{Component: m.describe().Component, Events: []Event{{Mechanism: m}}})
	}
	slow := func(luns ...string) Mechanism { return DrawerErrors{Array: "ddn6", LUNs: luns, Every: time.Second} }
	tests := []struct {
		name string
		a, b Mechanism
		want bool
	}{
		{"a server of a failed controller", FailedController{"ddn6a"}, ServerDown{"fs2"}, true},
		{"a server of the other controller", FailedController{"ddn6a"}, ServerDown{"fs5"}, false},
		{"two LUNs", SlowLUN{LUN: "6.01", Factor: 2}, SlowLUN{LUN: "6.02", Factor: 2}, false},
		{"one LUN", SlowLUN{LUN: "6.01", Factor: 2}, BusyLUN{LUN: "6.01"}, true},
		{"a LUN in the drawer", SlowLUN{LUN: "6.01", Factor: 2}, slow("6.00", "6.01"), true},
		{"a LUN in another drawer", SlowLUN{LUN: "6.05", Factor: 2}, slow("6.00", "6.01"), false},
		{"a slow LUN whose path is lost", SlowLUN{LUN: "6.01", Factor: 2}, FailedController{"ddn6a"}, false},
		{"a standby path that is needed", InternalLoad{Attachment: "6.01.7"}, FailedController{"ddn6a"}, true},
		{"a standby path of another array", InternalLoad{Attachment: "7.01.15"}, FailedController{"ddn6a"}, false},
		{"two kinds at one array", slow("6.00"), LostPaths{Component: "ddn6", Attachments: []string{"6.09.2"}}, true},
	}
	for _, tt := range tests {
		if a, b := damage(tt.a).hides(damage(tt.b)), damage(tt.b).hides(damage(tt.a)); a != tt.want || b != tt.want {
			t.Errorf("%s: %v and %v, want %v", tt.name, a, b, tt.want)
		}
	}
	d.done = append(d.done, damage(FailedController{"ddn6a"}))
	if !d.cutsOff(damage(FailedController{"ddn6b"})) || d.cutsOff(damage(FailedController{"ddn7b"})) {
		t.Error("a LUN keeps a path unless both of its controllers fail")
	}
}

func TestDrawTwice(t *testing.T) {
	entries := func(seed uint64) (all []string) {
		drawn, err := fourArrays(t, seed).Draw(2)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range drawn {
			all = append(all, d.Entry)
		}
		return all
	}
	if one, two := entries(7), entries(7); !slices.Equal(one, two) {
		t.Errorf("one seed draws %v and %v", one, two)
	}
	if slices.Equal(entries(7), entries(8)) {
		t.Error("two seeds draw the same")
	}
}

func TestDrawErrors(t *testing.T) {
	short := fourArrays(t, 1)
	short.End = short.Start.Add(12 * time.Hour)
	few := DefaultIntrepidOptions()
	few.Arrays, few.Servers, few.LUNs, few.Days = 2, 16, 32, 2
	crowded, err := Intrepid(few)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		s      *Scenario
		faults int
		want   string
	}{
		{short, 2, "make the run longer"},
		{crowded, 200, "too small for 200 faults at the same time"},
	} {
		if _, err := tt.s.Draw(tt.faults); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %q", err, tt.want)
		}
	}
}

// TestLostLUNsDrawn wants servers behind both controllers.
func TestLostLUNsDrawn(t *testing.T) {
	for seed := range uint64(20) {
		s := fourArrays(t, seed)
		system, err := s.System()
		if err != nil {
			t.Fatal(err)
		}
		d := &drawing{scenario: s, system: system, rng: s.source("test")}
		events, err := d.parse("{at: 7h, mechanism: lost luns, " + d.lostLUNs() + "}")
		if err != nil {
			t.Fatal(err)
		}
		behind := map[string]bool{}
		for _, e := range events {
			for _, c := range system.Match(e.hits()[0]) {
				behind[system.Components[c].Controller] = true
			}
		}
		if len(events) < 2 || len(events) > 3 || len(behind) != 2 {
			t.Errorf("seed %d: %d servers behind %d controllers", seed, len(events), len(behind))
		}
	}
}
