package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
)

// states follows the first incident, and prints each change of its phase with the hour.
func states(t *testing.T, w *world, hours int, acts ...act) string {
	t.Helper()
	var told []string
	id, last := "", ""
	w.runWith(t, hours, engine.NoListener{}, func(e *engine.Engine, end int64) {
		for _, in := range incidents(e) {
			if id == "" {
				id = in.ID
			}
			if now := fmt.Sprintf("%s %s", in.Place.Name, in.Phase); in.ID == id && now != last {
				last = now
				told = append(told, fmt.Sprintf("%.1fh %s", float64(end-start)/3600, now))
			}
		}
	}, acts...)
	return strings.Join(told, ", ")
}

func TestLife(t *testing.T) {
	slow := func(w *world) { w.slow["2.5"] = 3 }
	got := states(t, newWorld(t, site, 3), 30, act{2 * hour, slow}, act{8 * hour, (*world).calm}, act{20 * hour, slow}, act{26 * hour, (*world).calm})
	want := "2.5h 2.5 active, 8.5h 2.5 recovering, 10.1h 2.5 cleared, 20.2h 2.5 active, 26.5h 2.5 recovering, 28.1h 2.5 cleared"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestFlapping: a problem that comes and goes every hour is one incident that does not flap.
func TestFlapping(t *testing.T) {
	var acts []act
	for h := 2; h < 24; h += 2 {
		acts = append(acts, act{h * hour, func(w *world) { w.slow["2.5"] = 6 }}, act{h*hour + hour + hour/2, (*world).calm})
	}
	w := newWorld(t, site, 4)
	list := incidents(w.run(t, 24, acts...))
	if len(list) != 1 || len(list[0].Spans) != 1 || list[0].Place.Name != "2.5" {
		t.Errorf("%s, want one incident without an end", tell(list))
	}
}

// TestIdleNights: while there is no load, an incident neither grows nor ends.
func TestIdleNights(t *testing.T) {
	acts := []act{
		{2 * hour, func(w *world) { w.slow["2.5"] = 3 }},
		{8 * hour, func(w *world) { w.idle = true }},
		{20 * hour, func(w *world) { w.idle = false }},
	}
	w := newWorld(t, site, 5)
	list := incidents(w.run(t, 22, acts...))
	if tell(list) != "single LUN 2.5 active" || len(list[0].Spans) != 1 {
		t.Errorf("got %s with %d spans", tell(list), len(list[0].Spans))
	}
}

func TestOnset(t *testing.T) {
	tests := []struct {
		name   string
		at     int // steps
		does   func(*world)
		within int64 // seconds that the estimate may be off, beside its own bounds
	}{
		{"slow LUN", 3*hour + 17, func(w *world) { w.slow["2.5"] = 3 }, 450},
		{"drawer", 3*hour + 17, func(w *world) { drawer(w, "3", 3) }, 450},
		{"controller", 3*hour + 17, func(w *world) { w.gone["ddn2a"] = true }, 0},
		{"service", 3*hour + 17, func(w *world) { w.unused["fs6"] = true }, 15},
		{"silence", 3*hour + 17, func(w *world) { w.silent["fs6"] = true }, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, site, 6)
			list := incidents(w.run(t, 10, act{test.at, test.does}))
			if len(list) != 1 {
				t.Fatalf("got %s", tell(list))
			}
			truth, o := int64(start+test.at*step), list[0].Onset
			if truth < o.Early || truth > o.Late {
				t.Errorf("it began at %d, not within %d to %d", truth-start, o.Early-start, o.Late-start)
			}
			if off := max(truth-o.At, o.At-truth); off > test.within {
				t.Errorf("the estimate is %d s off, %d are allowed", off, test.within)
			}
		})
	}
}

func TestFromTheBegin(t *testing.T) {
	w := newWorld(t, site, 7)
	list := incidents(w.run(t, 8, act{0, func(w *world) { w.slow["2.5"] = 3; w.unused["fs12"] = true }}))
	if tell(list) != "lost attachment fs12 active; single LUN 2.5 active" {
		t.Fatalf("got %s", tell(list))
	}
	for _, in := range list {
		if !in.Onset.Earlier {
			t.Errorf("%s is said to have begun at %d", in.Place.Name, in.Onset.At-start)
		}
	}
}

// TestCommands: a resolved incident is over, and only new evidence reopens it. A muted
// incident is listed after all others, and hides none of them.
func TestCommands(t *testing.T) {
	slow := act{1 * hour, func(w *world) { w.slow["2.5"] = 3; w.slow["3.2"] = 2.5 }}
	w := newWorld(t, site, 8)
	var after []incident.Incident
	e := w.runWith(t, 16, engine.NoListener{}, func(e *engine.Engine, end int64) {
		if end == start+8*3600 {
			e.Apply(order(w.system, end, command.Resolve, "2.5"))
			e.Apply(order(w.system, end, command.Mute, "ddn3"))
			after = incidents(e)
		}
	}, slow, act{8 * hour, func(w *world) { delete(w.slow, "2.5") }})
	if got := tell(after); got != "single LUN 2.5 cleared; single LUN 3.2 active" || after[0].Ending != incident.Resolved || !after[1].Muted {
		t.Errorf("right after: %s, %+v", got, after)
	}
	e.Apply(order(w.system, start+16*3600, command.Unmute, "3.2"))
	list := incidents(e)
	if got := tell(list); got != "single LUN 2.5 cleared; single LUN 3.2 active" || list[0].Place.Name != "3.2" || list[0].Muted {
		t.Errorf("at the end: %s", got)
	}
}

// TestResolvedButNotRepaired: problems that continue after an operator has resolved them begin anew at
// the time of the command.
func TestResolvedButNotRepaired(t *testing.T) {
	w := newWorld(t, site, 8)
	resolved := int64(0)
	e := w.runWith(t, 9, engine.NoListener{}, func(e *engine.Engine, end int64) {
		if end == start+6*3600 {
			resolved = end + 120 // not the end of a window
			for _, name := range []string{"ddn2a", "fs10", "4.5"} {
				e.Apply(order(w.system, resolved, command.Resolve, name))
			}
		}
	}, act{2 * hour, func(w *world) { w.gone["ddn2a"], w.silent["fs10"], w.slow["4.5"] = true, true, 3 }})
	list := incidents(e)
	if got := tell(list); got != "lost attachment ddn2a active x2; silent server fs10 active x2; single LUN 4.5 active x2" {
		t.Errorf("got %s", got)
	}
	for i := range list {
		in := &list[i]
		o := in.PresentOnset()
		if len(in.Spans) != 2 || in.Spans[0].To > resolved || in.Spans[1].From != o.At || o.At < resolved || o.Early < resolved || o.At > resolved+900 {
			t.Errorf("%s: resolved at %d, periods %+v, present onset %+v", in.Place.Name, resolved, in.Spans, o)
		}
	}
}

// TestOrders: a recent stall leads by severity and by Combined while it
// lasts, and a lasting problem leads by persistence.
func TestOrders(t *testing.T) {
	w := newWorld(t, site, 9)
	first := map[incident.Order]string{}
	w.runWith(t, 14, engine.NoListener{}, func(e *engine.Engine, end int64) {
		if end == start+13*3600+450 {
			for _, o := range incident.Orders() {
				first[o] = e.Summary(o).Incidents[0].Place.Name
			}
		}
	}, act{1 * hour, func(w *world) { w.slow["3.2"] = 1.5 }},
		act{6 * hour, func(w *world) { w.slow["1.2"] = 4 }},
		act{13 * hour, func(w *world) { w.stall["ddn2"] = 103_000 }})
	want := map[incident.Order]string{incident.Combined: "ddn2", incident.BySeverity: "ddn2", incident.ByPersistence: "3.2"}
	for o, name := range want {
		if first[o] != name {
			t.Errorf("by %s %s is first, want %s", o, first[o], name)
		}
	}
}

// Twelve servers with eight drives of two models, compared within each server.
const driveSite = `
servers: h[1-12]
drives:
  - devices: sd[a-h]
    models: {X100: "sd[a-b]", Y200: "sd[c-h]"}
    slots: bay[1-8]
    peers: server
`

func TestDrives(t *testing.T) {
	tests := []struct {
		name string
		does func(*world)
		want string
	}{
		{"a drive", func(w *world) { w.slow["h3/sdc"] = 2 }, "slow drive h3/sdc active"},
		{"a drive that is gone", func(w *world) { w.gone["h3/sdc"] = true }, "lost attachment h3/sdc active"},
		{"a silent server", func(w *world) { w.silent["h3"] = true }, "silent server h3 active"},
		{"a model", func(w *world) { w.slow["X100"] = 2 }, "shared slowness X100 active"},
		{"a slot", func(w *world) { w.slow["bay5"] = 2 }, "shared slowness bay5 active"},
		{"three drives of a server", func(w *world) { w.slow["h3/sdc"], w.slow["h3/sde"], w.slow["h3/sdg"] = 2, 2, 2 }, "slow drive h3/sdc active; slow drive h3/sde active; slow drive h3/sdg active"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, driveSite, 10)
			if got := tell(incidents(w.run(t, 12, act{2 * hour, test.does}))); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestSparse: if lines of a table may have been lost, a missing component proves nothing.
func TestSparse(t *testing.T) {
	w := newWorld(t, site, 11)
	w.schema.Sparse = true
	acts := []act{{2 * hour, func(w *world) { w.gone["ddn2a"], w.silent["fs9"] = true, true }}}
	if got := tell(incidents(w.run(t, 6, acts...))); got != "" {
		t.Errorf("got %s", got)
	}
}

func TestValidate(t *testing.T) {
	o := engine.Options{}
	if err := o.Validate(); err == nil || strings.Count(err.Error(), "\n") < 10 {
		t.Errorf("got %v, want every mistake named", err)
	}
	d := engine.DefaultOptions()
	if err := d.Validate(); err != nil {
		t.Error(err)
	}
	if !slices.Contains(incident.Orders(), incident.Combined) {
		t.Error("the default order is not among the orders")
	}
}
