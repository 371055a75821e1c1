package arrays

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// smallOptions are two arrays of Intrepid with a third of their LUNs.
func smallOptions() IntrepidOptions {
	o := DefaultIntrepidOptions()
	o.Arrays, o.Servers, o.LUNs, o.Compressed = 2, 16, 48, false
	return o
}

// small is an hour of them under a steady load, with nothing but the events
// given.
func small(t *testing.T, events ...Event) *Scenario {
	t.Helper()
	s, err := Intrepid(smallOptions())
	if err != nil {
		t.Fatal(err)
	}
	s.End = s.Start.Add(time.Hour)
	s.Jobs = []Job{{From: s.Start, To: s.End.Add(time.Hour), Reads: Flow{PerSecond: 20, KiB: 128}, Writes: Flow{PerSecond: 10, KiB: 1024}}}
	s.Events, s.Clocks = events, Clocks{}
	return s
}

// midway makes mechanisms happen in the middle third of the small system's hour.
func midway(list ...Mechanism) []Event {
	start := DefaultIntrepidOptions().Start.Truncate(time.Hour)
	var events []Event
	for _, m := range list {
		events = append(events, Event{start.Add(20 * time.Minute), start.Add(40 * time.Minute), m})
	}
	return events
}

// of sums a metric over rows and over the components that are wanted.
func (f film) of(m int, rows []int, wanted func(*topology.Component) bool) (sum float64) {
	for i := range f.system.Components {
		if !wanted(&f.system.Components[i]) {
			continue
		}
		for _, row := range rows {
			if v := f.rows[row].Values[m][i]; !table.IsMissing(v) {
				sum += v
			}
		}
	}
	return sum
}

// carrier is the attachment of a LUN that has its load in a row.
func (f film) carrier(row int, lun string) string {
	for i := range f.system.Components {
		if c := &f.system.Components[i]; c.LUN == lun && f.rows[row].Values[tps][i] > 0 {
			return c.Name
		}
	}
	return ""
}

// TestLostAttachments holds every way of losing attachments against a twin
// without: what is lost is missing or zero, the next in priority has all of
// the load, and nobody else notices.
func TestLostAttachments(t *testing.T) {
	events := func(text string) []Event {
		s := small(t)
		list, err := s.ParseEvents("events.yaml", []byte("events:\n  - {at: 19m55s, for: 20m, "+text+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	server := func(names ...string) func(*topology.Component) bool {
		return func(c *topology.Component) bool { return slices.Contains(names, c.Server) }
	}
	for name, tt := range map[string]struct {
		events  []Event
		lost    func(*topology.Component) bool
		missing bool
		silent  []string
		carrier map[string]string // by LUN
	}{
		"failed controller": {
			midway(FailedController{"ddn7a"}), server("fs9", "fs10", "fs11", "fs12"), true, nil,
			map[string]string{"7.00": "7.00.13", "7.03": "7.03.13", "7.04": "7.04.13", "7.07": "7.07.16", "6.00": "6.00.1"},
		},
		"server down": {
			midway(ServerDown{"fs16"}), server("fs16"), true,
			[]string{"fs16"},
			map[string]string{"7.07": "7.07.9", "7.15": "7.15.9", "7.06": "7.06.15"},
		},
		"two servers down": {
			midway(ServerDown{"fs16"}, ServerDown{"fs9"}), server("fs16", "fs9"), true,
			[]string{"fs16", "fs9"},
			map[string]string{"7.07": "7.07.10", "7.08": "7.08.10"},
		},
		"service down": {
			midway(ServiceDown{"fs8", 0}), server("fs8"), false, nil,
			map[string]string{"6.07": "6.07.1", "6.15": "6.15.1"},
		},
		"lost luns": {
			events("mechanism: lost luns, components: [fs4, fs8], of: ddn6"), server("fs4", "fs8"), true, nil,
			map[string]string{"6.03": "6.03.5", "6.07": "6.07.1", "6.02": "6.02.3"},
		},
		"incoherent, zero": {
			events("mechanism: incoherent controllers, components: ddn7a, leaves: zero"),
			func(c *topology.Component) bool {
				round := number(c.LUN[2:]) / 8
				return c.Controller == "ddn7a" && round%2 == 0 // ddn7 is the second array: b has the even rounds
			}, false, nil,
			// The third of a's servers, then the fourth, then the first of b's (L13 §5.3.1).
			map[string]string{"7.18": "7.18.13", "7.10": "7.10.11", "7.20": "7.20.13"},
		},
		"incoherent, some": {
			events("mechanism: incoherent controllers, components: ddn7a, leaves: zero, only: '7.[02-18/16]'"),
			func(c *topology.Component) bool {
				return c.Controller == "ddn7a" && (c.LUN == "7.02" || c.LUN == "7.18")
			}, false, nil,
			map[string]string{"7.02": "7.02.13", "7.18": "7.18.13", "7.00": "7.00.9"},
		},
		"incoherent, missing": {
			events("mechanism: incoherent controllers, components: [ddn6, ddn7], leaves: missing"),
			func(c *topology.Component) bool {
				round, owner := number(c.LUN[2:])/8, "a"
				if (round%2 == 1) == (c.Array == "ddn6") {
					owner = "b"
				}
				return !strings.HasSuffix(c.Controller, owner)
			}, true, nil,
			map[string]string{"6.00": "6.00.1", "6.04": "6.04.1", "6.08": "6.08.5", "7.00": "7.00.13"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, twin := shoot(t, small(t, tt.events...), 15), shoot(t, small(t), 15)
			before, inside := f.within(tt.events[0])
			wantConserved(t, f, twin, 1e-9, before, inside)
			for i := range f.system.Components {
				if c := &f.system.Components[i]; tt.lost(c) {
					wantLost(t, f, i, inside, tt.missing)
				}
			}
			for lun, want := range tt.carrier {
				for _, row := range inside {
					if got := f.carrier(row, lun); got != want {
						t.Fatalf("the load of LUN %s goes through %q at %d, want %s", lun, got, f.rows[row].End, want)
					}
				}
			}
			for i, name := range f.system.Servers {
				for _, row := range inside {
					if heard := f.heard[row][i]; heard == slices.Contains(tt.silent, name) {
						t.Fatalf("server %s heard at %d: %v", name, f.rows[row].End, heard)
					}
				}
			}
		})
	}
}

func number(text string) (n int) {
	fmt.Sscan(strings.TrimLeft(text, "0")+" 0", &n)
	return n
}

// wantConserved wants each LUN to get the same requests as in the twin.
func wantConserved(t *testing.T, f, twin film, tolerance float64, spans ...[]int) {
	t.Helper()
	for _, rows := range spans {
		if len(rows) < 50 {
			t.Fatalf("only %d rows", len(rows))
		}
		for _, lun := range f.system.LUNs {
			this := func(c *topology.Component) bool { return c.LUN == lun }
			if got, want := f.of(tps, rows, this), twin.of(tps, rows, this); !near(got, want, tolerance) || want == 0 {
				t.Errorf("LUN %s got %.2f requests/s, in the twin %.2f", lun, got, want)
			}
		}
	}
}

// wantLost wants an attachment to be missing, or there and idle.
func wantLost(t *testing.T, f film, component int, rows []int, missing bool) {
	t.Helper()
	for _, row := range rows {
		for m, values := range f.rows[row].Values {
			if v := values[component]; table.IsMissing(v) != missing || !missing && v != 0 {
				t.Fatalf("%s at %d: metric %d is %v", f.system.Components[component].Name, f.rows[row].End, m, v)
			}
		}
	}
}

// TestReturn wants a server that was down to be heard again, with counters
// that begin anew and clients that come back.
func TestReturn(t *testing.T) {
	e := midway(ServerDown{"fs16"})[0]
	f := shoot(t, small(t, e), 15)
	primary := f.component(t, "7.07.16")
	served := 0
	for i, row := range f.rows {
		if row.End > e.To.Unix()+45 && f.heard[i][15] && row.Values[tps][primary] > 20 {
			served++
		}
	}
	if served < 70 {
		t.Errorf("the primary served in %d of 77 steps after its return", served)
	}
}

// TestServiceReboot wants silence for the time of the reboot, and then idle
// devices.
func TestServiceReboot(t *testing.T) {
	e := midway(ServiceDown{"fs8", 5 * time.Minute})[0]
	f := shoot(t, small(t, e), 15)
	silent, idle := 0, 0
	_, inside := f.within(e)
	for _, row := range inside {
		v := f.rows[row].Values[tps][f.component(t, "6.07.8")]
		switch {
		case !f.heard[row][7] && table.IsMissing(v):
			silent++
		case f.heard[row][7] && v == 0:
			idle++
		}
	}
	if silent < 19 || silent > 22 || silent+idle != len(inside) {
		t.Errorf("of %d steps %d silent and %d idle, want 5 minutes and the rest", len(inside), silent, idle)
	}
}
