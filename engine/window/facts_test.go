package window_test

import (
	"math"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/topology"
)

// pair is a system of two servers with one path each to two LUNs. The first server has
// the first paths. Components 0 and 1 are the paths to the first LUN.
func pair() *blame.Map {
	s := &topology.System{Servers: []string{"fs1", "fs2"}, Groups: []topology.PeerGroup{{ID: 1, Members: []int{0, 2}}, {ID: 2, Members: []int{1, 3}}}}
	s.Components = []topology.Component{
		{Name: "a.1", LUN: "a", Server: "fs1", Priority: 1, Group: 1},
		{Name: "a.2", LUN: "a", Server: "fs2", Priority: 2, Group: 2},
		{Name: "b.1", LUN: "b", Server: "fs1", Priority: 1, Group: 1},
		{Name: "b.2", LUN: "b", Server: "fs2", Priority: 2, Group: 2},
	}
	return blame.NewMap(s)
}

// feed has facts with windows of two shifts of two steps.
type feed struct {
	*window.Facts
	rows func(*table.Row)
	row  *table.Row
}

func newFeed(m *blame.Map) *feed {
	s := schema(m, 15, metric.TPS, metric.RdSec, metric.WrSec, metric.Await)
	s.Servers = len(m.System.Servers)
	h := window.NewDataTimes(criteria.DefaultOptions(), m, s)
	f := window.New(criteria.DefaultOptions(), m, h, s, 3, 30, 2)
	return &feed{f, f.Row, table.NewRow(s)}
}

// step pushes a row. It takes the requests per second by component, each of eight sectors
// and ten milliseconds. A negative number is a missing device.
func (f *feed) step(requests ...float64) {
	f.row.Clear()
	f.row.End += 15
	for i := range f.row.Heard {
		f.row.Heard[i] = true
	}
	for c, r := range requests {
		if r >= 0 {
			f.row.Values[0][c], f.row.Values[1][c], f.row.Values[2][c], f.row.Values[3][c] = r, 5*r, 3*r, 0
		}
		if r > 0 {
			f.row.Values[3][c] = 10
		}
	}
	f.DataTimes.Row(f.row)
	f.rows(f.row)
}

func (f *feed) next() {
	f.End()
	f.NextShift()
}

func TestConditions(t *testing.T) {
	f := newFeed(pair())
	f.step(100, 0, 0, -1)
	f.step(100, 0, 0, -1)
	f.End()
	if want := []window.Condition{window.Serving, window.Resting, window.Resting, window.Unknown}; !slices.Equal(f.Conditions, want) {
		t.Errorf("%v, want %v", f.Conditions, want)
	}
	f.NextShift()
	for range 2 { // a window later the first is gone, and the second server mute
		f.step(-1, 0, 0, 0)
		f.step(-1, 0, 0, 0)
		f.next()
	}
	if f.Conditions[0] != window.Gone || f.LastSeen[0] != 30 || f.LastLoaded[0] != 30 || f.LastSeen[3] != 90 || f.LastLoaded[3] != 0 {
		t.Errorf("%v, last seen %v, loaded %v", f.Conditions, f.LastSeen, f.LastLoaded)
	}
	for range 4 {
		f.row.Clear()
		f.row.End += 15
		f.row.Heard[0] = true
		f.row.Values[0][0], f.row.Values[0][2] = 0, 0
		f.DataTimes.Row(f.row)
		f.rows(f.row)
	}
	f.next()
	f.next()
	if f.Conditions[1] != window.Mute || f.Conditions[3] != window.Mute {
		t.Errorf("a server that sends nothing has %v", f.Conditions)
	}
	for c, idle := range map[window.Condition]bool{window.Resting: true, window.Serving: false, window.Working: true, window.Gone: false, window.Mute: false, window.Unknown: false} {
		if c.IsIdle() != idle || c.IsPresent() != (idle || c == window.Serving) {
			t.Errorf("condition %d is idle: %t, there: %t", c, c.IsIdle(), c.IsPresent())
		}
	}
}

// TestSums: a window contains its shifts, and no more.
func TestSums(t *testing.T) {
	f := newFeed(pair())
	f.step(100, 0, 10, 0)
	f.step(100, 4, 0, 0)
	f.next()
	f.step(0, 100, 10, 0)
	f.step(0, 100, 10, 5)
	f.End()
	w := &f.Window
	if w.Steps != 4 || w.Requests[0] != 3000 || w.Requests[1] != 15*204 || w.Loaded[1] != 3 || w.Samples[3] != 4 || f.WindowSeconds() != 60 {
		t.Errorf("%+v", w)
	}
	if f.Rate(0) != 8*100.*2/4 || f.HasLightWork(0) || !f.HasLightWork(3) || !f.IsNoise(19.9) || f.IsNoise(20) {
		t.Errorf("rates %g and %g, noise %g", f.Rate(0), f.Rate(3), metric.RdSec.Noise)
	}
	// 4 of 100 requests are below asideShare; all of them are above.
	if w.Aside[0] != 2 || w.Aside[1] != 1 || f.Moved[0] != 45 || f.Moved[1] != 0 {
		t.Errorf("aside %v, moved %v", w.Aside, f.Moved)
	}
	if f.ServingPath(0) != 0 || f.Wait(0) != 10 || f.Wait(1) != 10 {
		t.Errorf("served by %d, waits %g and %g", f.ServingPath(0), f.Wait(0), f.Wait(1))
	}
	f.NextShift()
	f.step(0, 0, 0, 0)
	f.step(5, 0, 0, 0)
	f.End()
	if w.Steps != 4 || w.Requests[0] != 75 || f.Moved[0] != 0 {
		t.Errorf("the first shift has not left: %+v, moved %v", w, f.Moved)
	}
}

// TestGroups: load and waiting time of a group.
func TestGroups(t *testing.T) {
	f := newFeed(pair())
	usual := func(peers float64) {
		f.TakeVerdicts(&persistence.Window{Group: 0, Metric: 3, Verdicts: []persistence.Verdict{{Component: 0, Peers: table.Missing, Median: 7, State: persistence.Unjudged}, {Component: 2, Peers: peers, Median: 9}}})
	}
	f.step(100, 0, 25, 0)
	f.step(100, 0, 25, 0)
	f.TakeVerdicts(&persistence.Window{Group: 0, Metric: 1, Verdicts: []persistence.Verdict{{Peers: 99}}}) // another metric
	usual(12)
	f.End()
	g := f.Groups[0]
	if g.Usual != 12 || g.Light != 12 || g.Heavy != 12 || g.Often != 2 || g.Wait != 10 || !f.Busy[0] || f.Busy[1] {
		t.Errorf("%+v, busy %v", g, f.Busy)
	}
	if !math.IsNaN(f.Groups[1].Often) || !math.IsNaN(f.Groups[1].Wait) {
		t.Errorf("nobody has anything to do: %+v", f.Groups[1])
	}
	if f.NextShift(); !table.IsMissing(f.Groups[0].Usual) || f.Groups[0].Light != 12 {
		t.Errorf("after the window: %+v", f.Groups[0])
	}
	usual(15)
	if got := f.Groups[0].Light; math.Abs(got-12.012) > 1e-9 {
		t.Errorf("the least latency is forgotten slowly: %g", got)
	}
	if usual(8); f.Groups[0].Light != 8 {
		t.Errorf("the least latency is %g", f.Groups[0].Light)
	}
	if usual(table.Missing); f.Groups[0].Usual != 9 { // by the medians of those that were judged
		t.Errorf("usual is %g", f.Groups[0].Usual)
	}
}
