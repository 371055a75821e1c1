package arrays

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/topology"
)

// everyone is all LUNs but some.
func everyone(f film, but ...string) func(*topology.Component) bool {
	return func(c *topology.Component) bool { return !slices.Contains(but, c.LUN) }
}

// TestSlowestHoldsAll wants a slow LUN to slow the clients where they are many,
// and to be asked no less than the others: with everything striped, the
// degraded performance of one component is observed throughout (L13 §1).
func TestSlowestHoldsAll(t *testing.T) {
	heavy := func(events ...Event) *Scenario {
		s := small(t, events...)
		s.Jobs[0].Writes.PerSecond = 200
		return s
	}
	e := midway(SlowLUN{LUN: "6.05", Factor: 1.8})[0]
	f, twin := shoot(t, heavy(e), 15), shoot(t, heavy(), 15)
	before, inside := f.within(e)
	if got, want := f.of(tps, before, everyone(f)), twin.of(tps, before, everyone(f)); got != want {
		t.Errorf("before the event %v requests, in the twin %v", got, want)
	}
	slowed := f.of(tps, inside, everyone(f, "6.05")) / twin.of(tps, inside, everyone(f, "6.05"))
	if !near(slowed, 1/1.8, 0.02) {
		t.Errorf("others get %.3f of what they got, want %.3f", slowed, 1/1.8)
	}
	c := f.component(t, "6.05.6")
	requests, ms := f.waited(inside, c)
	_, peersMs := f.waited(inside, f.component(t, "6.13.6"))
	if peers, _ := f.waited(inside, f.component(t, "6.13.6")); !near(requests, peers, 0.1) || ms < 1.8*peersMs {
		t.Errorf("the slow LUN waited %.0f ms for %.0f requests, a peer %.0f for %.0f", ms, requests, peersMs, peers)
	}
}

// TestBusyLUN wants a workload of one LUN to show in its throughput and in its
// await, and in nobody else's.
func TestBusyLUN(t *testing.T) {
	e := midway(BusyLUN{LUN: "7.10", Reads: Flow{PerSecond: 90, KiB: 256}})[0]
	f, twin := shoot(t, small(t, e), 15), shoot(t, small(t), 15)
	wantSame(t, f, twin, e, func(c *topology.Component) bool { return c.Name == "7.10.11" })
	_, inside := f.within(e)
	requests, ms := f.waited(inside, f.component(t, "7.10.11"))
	requests0, ms0 := twin.waited(inside, f.component(t, "7.10.11"))
	if more := (requests - requests0) / float64(len(inside)); !near(more, 90, 0.02) {
		t.Errorf("%.1f requests/s more, want 90", more)
	}
	if ratio := ms / requests / (ms0 / requests0); ratio < 1.05 || ratio > 3 {
		t.Errorf("await is %.2f times the twin's", ratio)
	}
}

// TestBusyHoldsAll wants clients to get out of the way of a LUN that others
// keep busy.
func TestBusyHoldsAll(t *testing.T) {
	heavy := func(events ...Event) *Scenario {
		s := small(t, events...)
		s.Jobs[0].Writes.PerSecond = 200
		return s
	}
	extra := BusyLUN{LUN: "6.05", Reads: Flow{PerSecond: 40, KiB: 1024}}
	e := midway(extra)[0]
	f, twin := shoot(t, heavy(e), 15), shoot(t, heavy(), 15)
	_, inside := f.within(e)
	s := heavy()
	want := 1 - s.Service.Utilisation(extra.streams())/s.Busiest
	if got := f.of(tps, inside, everyone(f, "6.05")) / twin.of(tps, inside, everyone(f, "6.05")); !near(got, want, 0.02) {
		t.Errorf("others get %.3f of what they got, want %.3f", got, want)
	}
}

// TestInternalLoad wants await on an idle secondary, at next to no throughput.
func TestInternalLoad(t *testing.T) {
	e := midway(InternalLoad{Attachment: "7.10.12", PerSecond: 0.5, Await: 25 * time.Millisecond})[0]
	f, twin := shoot(t, small(t, e), 15), shoot(t, small(t), 15)
	wantSame(t, f, twin, e, func(c *topology.Component) bool { return c.Name == "7.10.12" })
	_, inside := f.within(e)
	c := f.component(t, "7.10.12")
	requests, ms := f.waited(inside, c)
	if !near(requests/float64(len(inside)), 0.5, 0.2) || !near(ms/requests, 25, 0.1) {
		t.Errorf("%.2f requests/s of %.1f ms, want 0.5 of 25", requests/float64(len(inside)), ms/requests)
	}
}

// TestDrawerCounts wants errors at the drawer's rate, whatever the number of
// its LUNs, each holding up what arrives.
func TestDrawerCounts(t *testing.T) {
	for _, count := range []string{"5", "20"} {
		s := small(t)
		events, err := s.ParseEvents("events.yaml", []byte("events: [{at: 19m55s, for: 20m, mechanism: drawer errors, components: ddn6, luns: "+count+", every: 2s, retry: 3s}]"))
		if err != nil {
			t.Fatal(err)
		}
		m := events[0].Mechanism.(DrawerErrors)
		f, twin := shoot(t, small(t, events...), 15), shoot(t, small(t), 15)
		wantSame(t, f, twin, events[0], func(c *topology.Component) bool { return c.Priority == 1 && slices.Contains(m.LUNs, c.LUN) })
		_, inside := f.within(events[0])
		heldMs := 0.0
		for i := range f.system.Components {
			_, ms := f.waited(inside, i)
			_, ms0 := twin.waited(inside, i)
			if !math.IsNaN(ms) {
				heldMs += 15 * (ms - ms0)
			}
		}
		// 600 errors of 3 s, in each of which 90 requests arrive and wait for half of it.
		if want := 15 * float64(len(inside)) / 2 * 91 * 1500; !near(heldMs, want, 0.15) {
			t.Errorf("%s LUNs: requests were held up for %.0f s, want about %.0f", count, heldMs/1000, want/1000)
		}
	}
}

// TestLUNResets wants what L13 §5.2.1 tells of 2011-05-18: await up to 103 s on
// the LUNs of the array while clients stand still, and then for good LUNs that
// some servers no longer use, though they are there.
func TestLUNResets(t *testing.T) {
	text := "events: [{at: 19m55s, for: 20m, mechanism: lun resets, components: [fs1, fs2, fs5, fs6], of: ddn6, delay: 103s, timeout: 60s}]"
	events, err := small(t).ParseEvents("events.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	resets := events[0]
	f, twin := shoot(t, small(t, events...), 15), shoot(t, small(t), 15)
	var meanwhile, after []int
	for i, row := range f.rows {
		switch {
		case row.End-25 >= resets.From.Unix() && row.End <= resets.To.Unix(): // records are 10 s before the ends of steps
			meanwhile = append(meanwhile, i)
		case row.End-15 >= resets.To.Unix() && row.End <= events[1].To.Unix():
			after = append(after, i)
		}
	}
	if still := f.of(tps, meanwhile, func(c *topology.Component) bool { return c.Array == "ddn7" }); still != 0 || len(meanwhile) < 4 {
		t.Errorf("in %d steps meanwhile clients ask %v of the other array", len(meanwhile), still)
	}
	wantConserved(t, f, twin, 0.08, after)
	lost := 0
	for _, e := range events[1:] {
		for _, name := range e.Mechanism.(LostPaths).Attachments {
			wantLost(t, f, f.component(t, name), after, false)
			lost++
		}
	}
	if lost < 6 || lost > 12 { // of 12 primaries
		t.Errorf("%d attachments are given up", lost)
	}
	wantAwait(t, resets)
}

// wantAwait wants await of 103 s and no more, where records are a second apart.
func wantAwait(t *testing.T, resets Event) {
	t.Helper()
	s := small(t, resets)
	s.Interval = time.Second
	longest := 0.0
	for _, row := range shoot(t, s, 1).rows {
		for _, ms := range row.Values[await] {
			if ms > longest {
				longest = ms
			}
		}
	}
	if longest < 102_999 || longest > 103_001 {
		t.Errorf("await of up to %.1f s, want 103", longest/1000)
	}
}

// TestServerWorkEverywhere wants a server's own work on all of its attachments
// and on the primaries of all other LUNs, below 10 kB/s and 1 ms of each (L13
// §5.3.2).
func TestServerWorkEverywhere(t *testing.T) {
	e := midway(ServerWork{Server: "fs3", Flow: gpfsWork, Everywhere: true})[0]
	idle := func(events ...Event) *Scenario {
		s := small(t, events...)
		s.Jobs = nil
		return s
	}
	f := shoot(t, idle(e), 15)
	_, inside := f.within(e)
	for i := range f.system.Components {
		c := &f.system.Components[i]
		requests, ms := f.waited(inside, i)
		sectors := f.of(rdSec, inside, func(other *topology.Component) bool { return other == c }) / float64(len(inside))
		switch asked := c.Server == "fs3" || c.Array == "ddn7" && c.Priority == 1; {
		case !asked && requests > 0:
			t.Errorf("%s gets %v requests", c.Name, requests)
		case asked && (requests == 0 || ms/requests >= 1 || sectors*512 >= 10_000):
			t.Errorf("%s: await %.2f ms at %.0f B/s, want some below 1 ms and 10 kB/s", c.Name, ms/requests, sectors*512)
		}
	}
}
