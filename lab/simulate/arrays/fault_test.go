package arrays

import (
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// A film is all rows of a scenario.
type film struct {
	system *topology.System
	rows   []*table.Row
	heard  [][]bool
}

// The places of metrics in rows of all device metrics.
const (
	tps, rdSec, wrSec, await = 0, 1, 2, 5
)

// hour is the demonstration's first hour with other events.
func hour(events ...Event) *Scenario {
	s := Demo(3)
	s.End = s.Start.Add(time.Hour)
	s.Events = events
	return s
}

// during makes a mechanism happen from 00:20 to 00:40.
func during(m Mechanism) Event {
	midnight := Demo(3).Start.Truncate(24 * time.Hour)
	return Event{From: midnight.Add(20 * time.Minute), To: midnight.Add(40 * time.Minute), Mechanism: m}
}

func shoot(t *testing.T, s *Scenario, stepSeconds int64) film {
	t.Helper()
	rows, err := s.Rows(stepSeconds)
	if err != nil {
		t.Fatal(err)
	}
	f := film{system: rows.System()}
	for {
		row, err := rows.Next()
		if err == io.EOF {
			return f
		}
		kept := &table.Row{End: row.End}
		for _, values := range row.Values {
			kept.Values = append(kept.Values, slices.Clone(values))
		}
		f.rows, f.heard = append(f.rows, kept), append(f.heard, slices.Clone(row.Heard))
	}
}

// component finds one by its name.
func (f film) component(t *testing.T, name string) int {
	t.Helper()
	c, ok := f.system.Lookup(name)
	if !ok {
		t.Fatalf("no component %s", name)
	}
	return c
}

// within returns the rows that lie wholly within an event, or before it.
func (f film) within(e Event) (before, inside []int) {
	for i, row := range f.rows {
		switch {
		case row.End <= e.From.Unix():
			before = append(before, i)
		case row.End-15 >= e.From.Unix() && row.End <= e.To.Unix():
			inside = append(inside, i)
		}
	}
	return before, inside
}

// same reports whether two films agree in a component and a row.
func (f film) same(other film, row, c int) bool {
	for m := range f.rows[row].Values {
		a, b := f.rows[row].Values[m][c], other.rows[row].Values[m][c]
		if a != b && !(table.IsMissing(a) && table.IsMissing(b)) {
			return false
		}
	}
	return true
}

// wantSame wants a film to differ from its twin only within the event, and
// there only in the components of which hit is true.
func wantSame(t *testing.T, f, twin film, e Event, hit func(*topology.Component) bool) {
	t.Helper()
	before, inside := f.within(e)
	if len(before) < 50 || len(inside) < 50 {
		t.Fatalf("%d rows before the event, %d inside", len(before), len(inside))
	}
	for c := range f.system.Components {
		touched := hit(&f.system.Components[c])
		for _, row := range slices.Concat(before, inside) {
			if !f.same(twin, row, c) && (!touched || slices.Contains(before, row)) {
				t.Errorf("%s differs at %d, where nothing hits it", f.system.Components[c].Name, f.rows[row].End)
				break
			}
		}
	}
}

// waited sums the waiting of all requests of a component.
func (f film) waited(rows []int, c int) (requests, ms float64) {
	for _, row := range rows {
		v := f.rows[row].Values
		requests += v[tps][c]
		ms += v[tps][c] * v[await][c]
	}
	return requests, ms
}

func TestSlowLUN(t *testing.T) {
	e := during(SlowLUN{LUN: "1.07", Factor: 1.4})
	f, twin := shoot(t, hour(e), 15), shoot(t, hour(), 15)
	wantSame(t, f, twin, e, func(c *topology.Component) bool { return c.Name == "1.07.4" })
	c := f.component(t, "1.07.4")
	_, inside := f.within(e)
	requests, ms := f.waited(inside, c)
	requests0, ms0 := twin.waited(inside, c)
	if requests != requests0 || requests == 0 {
		t.Errorf("the slow LUN did %v requests, its twin %v", requests, requests0)
	}
	if ratio := ms / ms0; ratio < 1.38 || ratio > 1.6 {
		t.Errorf("await is %.3f times that of the healthy twin, want 1.4 and a little queueing", ratio)
	}
	peers, _ := f.waited(inside, f.component(t, "1.11.4"))
	if !near(requests, peers, 0.15) {
		t.Errorf("the slow LUN did %.0f requests, a peer %.0f", requests, peers)
	}
}

func TestFailedController(t *testing.T) {
	e := during(FailedController{Controller: "ddn2a"})
	f, twin := shoot(t, hour(e), 15), shoot(t, hour(), 15)
	takesOver := map[string]string{"5": "7", "6": "7"} // fs5's next is fs6, which is gone too
	wantSame(t, f, twin, e, func(c *topology.Component) bool {
		return c.Controller == "ddn2a" || c.Server == "fs7" && c.Priority > 1
	})
	_, inside := f.within(e)
	moved := 0
	for i := range f.system.Components {
		c := &f.system.Components[i]
		if c.Array != "ddn2" || c.Priority != 1 {
			continue
		}
		at := i
		if next, gone := takesOver[strings.TrimPrefix(c.Server, "fs")]; gone {
			at = f.component(t, c.LUN+"."+next)
			moved++
		}
		for _, row := range inside {
			if got, want := f.rows[row].Values[tps][at], twin.rows[row].Values[tps][i]; got != want {
				t.Fatalf("LUN %s: %v requests/s through %s, want the primary's %v", c.LUN, got, f.system.Components[at].Name, want)
			}
		}
	}
	if moved != 12 {
		t.Errorf("%d LUNs moved, want 12", moved)
	}
	wantGone(t, f, e, inside)
}

// wantGone wants the controller's attachments missing while it is down, and
// back afterwards with the clients.
func wantGone(t *testing.T, f film, e Event, inside []int) {
	t.Helper()
	for i := range f.system.Components {
		if c := &f.system.Components[i]; c.Controller == "ddn2a" {
			for _, row := range inside {
				if !table.IsMissing(f.rows[row].Values[await][i]) {
					t.Fatalf("%s has data at %d", c.Name, f.rows[row].End)
				}
			}
		}
	}
	primary, served := f.component(t, "2.00.5"), 0.0
	for _, row := range f.rows {
		if row.End > e.To.Unix()+30 {
			served += row.Values[tps][primary]
		}
	}
	if math.IsNaN(served) || served == 0 {
		t.Errorf("after the repair the primary served %v", served)
	}
}

func TestDrawerErrors(t *testing.T) {
	luns := demoDrawer()
	e := during(DrawerErrors{Array: "ddn1", LUNs: luns, Every: 10 * time.Second, Retry: 400 * time.Millisecond})
	f, twin := shoot(t, hour(e), 15), shoot(t, hour(), 15)
	hit := func(c *topology.Component) bool { return c.Priority == 1 && slices.Contains(luns, c.LUN) }
	wantSame(t, f, twin, e, hit)
	_, inside := f.within(e)
	for i := range f.system.Components {
		c := &f.system.Components[i]
		if !hit(c) {
			continue
		}
		requests, _ := f.waited(inside, i)
		if healthy, _ := twin.waited(inside, i); requests != healthy {
			t.Errorf("%s did %v requests, its twin %v", c.Name, requests, healthy)
		}
		if got, want := f.jitter(inside, i), twin.jitter(inside, i); got < 3*want {
			t.Errorf("%s: await changes by %.2f ms from step to step, its twin's by %.2f", c.Name, got, want)
		}
	}
}

// jitter is how much await changes from row to row.
func (f film) jitter(rows []int, c int) float64 {
	sum := 0.0
	for i := 1; i < len(rows); i++ {
		sum += math.Abs(f.rows[rows[i]].Values[await][c] - f.rows[rows[i-1]].Values[await][c])
	}
	return sum / float64(len(rows)-1)
}

func TestServerWork(t *testing.T) {
	e := during(ServerWork{Server: "fs3", Flow: Flow{PerSecond: 0.8, KiB: 8}})
	f, twin := shoot(t, hour(e), 15), shoot(t, hour(), 15)
	wantSame(t, f, twin, e, func(c *topology.Component) bool { return c.Server == "fs3" })
	_, inside := f.within(e)
	for i := range f.system.Components {
		c := &f.system.Components[i]
		if c.Server != "fs3" || c.Priority == 1 {
			continue
		}
		requests, ms := f.waited(inside, i)
		sectors := 0.0
		for _, row := range inside {
			sectors += f.rows[row].Values[rdSec][i] / float64(len(inside))
		}
		if requests == 0 || ms/requests >= 1 || sectors*512 >= 10_000 {
			t.Errorf("%s: await %.2f ms at %.0f B/s, want some below 1 ms and 10 kB/s", c.Name, ms/requests, sectors*512)
		}
	}
}

func TestEventOnNothing(t *testing.T) {
	_, err := hour(during(SlowLUN{LUN: "1.77", Factor: 2})).Rows(15)
	if err == nil || !strings.Contains(err.Error(), "no component 1.77") {
		t.Errorf("a fault of a LUN that is not there: %v", err)
	}
}

func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*math.Abs(want)
}
