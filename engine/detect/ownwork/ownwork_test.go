package ownwork_test

import (
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/detect/ownwork"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/topology"
)

// rig is a detector of an array with four servers and eight LUNs, with windows of 450 s.
type rig struct {
	*ownwork.Detector
	facts *window.Facts
	row   *table.Row
	mute  []string // servers without data
}

func newRig(t *testing.T) *rig {
	t.Helper()
	s, _, err := topology.Parse("site.yaml", []byte(
		"servers: fs[1-4]\narrays:\n  - names: ddn1\n    servers_per_array: 4\n    luns: 0-7\n    priority: rotate\n    devices: sd[b-i]\n"))
	if err != nil {
		t.Fatal(err)
	}
	m := blame.NewMap(s)
	schema := table.Schema{
		StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.RdSec, metric.WrSec, metric.Await}, Components: len(s.Components), Servers: len(s.Servers),
	}
	f := window.New(criteria.DefaultOptions(), m, window.NewDataTimes(criteria.DefaultOptions(), m, schema), schema, 3, 450, 1)
	return &rig{Detector: ownwork.New(criteria.DefaultOptions(), f, 3), facts: f, row: table.NewRow(schema)}
}

// window ends a window in which first paths serve, and a server reads so many sectors
// per second through the first n of its six standby paths.
func (r *rig) window(server string, standby int, sectors float64, lost func(int) bool) []finding.Finding {
	r.row.Clear()
	for s, name := range r.facts.System.Servers {
		r.row.Heard[s] = !slices.Contains(r.mute, name)
	}
	n := 0
	for c := range r.facts.System.Components {
		if slices.Contains(r.mute, r.facts.Component(c).Server) {
			continue
		}
		rate, work := 0.0, 0.0
		if !r.facts.IsStandby(c) {
			rate, work = 50, 5000
		} else if r.facts.Component(c).Server == server && n < standby {
			rate, work, n = 1, sectors, n+1
		}
		r.row.Values[0][c], r.row.Values[1][c], r.row.Values[2][c], r.row.Values[3][c] = rate, work, 0, 5
	}
	for range 30 {
		r.row.End += 15
		r.facts.DataTimes.Row(r.row)
		r.facts.Row(r.row)
	}
	r.facts.End()
	r.Mark(lost)
	list := r.Findings(r.row.End)
	r.facts.NextShift()
	return list
}

func none(int) bool { return false }

// working counts the paths that carry a server's own work.
func (r *rig) working() (n int) {
	for _, c := range r.facts.Conditions {
		if c == window.Working {
			n++
		}
	}
	return n
}

// TestMuteServers: own work is recognised if some other servers send no data. It is recognised by the
// paths to LUNs that a server with data could serve. If no other server sends data, requests through
// standby paths prove nothing.
func TestMuteServers(t *testing.T) {
	for _, tt := range []struct {
		mute    []string
		standby int
		sectors float64
		want    int
	}{
		{[]string{"fs2"}, 6, 8, 6},
		{[]string{"fs1", "fs2"}, 6, 8, 6},
		{[]string{"fs1", "fs2"}, 6, 20, 0},
		{[]string{"fs1", "fs2"}, 0, 8, 0},
		{[]string{"fs1", "fs2", "fs4"}, 6, 8, 0},
	} {
		r := newRig(t)
		r.mute = tt.mute
		if r.window("fs3", tt.standby, tt.sectors, none); r.working() != tt.want {
			t.Errorf("without %v, %d paths with %g sectors/s: %d paths carry own work, want %d", tt.mute, tt.standby, tt.sectors, r.working(), tt.want)
		}
	}
}

func TestMark(t *testing.T) {
	all := func(int) bool { return true }
	for _, tt := range []struct {
		name    string
		standby int
		sectors float64
		lost    func(int) bool
		want    int
	}{
		{"nothing", 0, 0, none, 0},
		{"through all", 6, 8, none, 6},
		{"through half", 3, 8, none, 3},
		{"through less", 2, 8, none, 0},
		{"that is no light work", 6, 20, none, 0},
		{"just light", 6, 19, none, 6},
		{"it has taken over", 6, 8, all, 0},
	} {
		r := newRig(t)
		if r.window("fs2", tt.standby, tt.sectors, tt.lost); r.working() != tt.want {
			t.Errorf("%s: %d paths carry own work, want %d", tt.name, r.working(), tt.want)
		}
	}
}

// TestFindings: own work is found from its third window on, is certain after an hour,
// and ends when most windows are without it.
func TestFindings(t *testing.T) {
	r := newRig(t)
	var certain []bool
	for n := range 12 {
		list := r.window("fs2", 6, 8, none)
		if (len(list) == 1) != (n >= 2) {
			t.Fatalf("window %d: %+v", n, list)
		}
		if n < 2 {
			continue
		}
		f := list[0]
		if f.Class != finding.OwnWork || f.Kind != finding.ServerIssued || f.Place.Name != "fs2" || f.Onset != (finding.Onset{At: 450, Early: 0, Late: 450}) {
			t.Errorf("window %d: %+v", n, f)
		}
		if len(f.Members) != 6 || f.Judged != 6 || !f.Members[0].Odd || f.Members[0].Role != finding.Working {
			t.Errorf("window %d: members %+v", n, f.Members)
		}
		certain = append(certain, f.Certain)
	}
	if at := slices.Index(certain, true); at != 7 { // eight windows of 450 s
		t.Errorf("certain: %v", certain)
	}
	for n := range 4 {
		if list := r.window("fs2", 0, 0, none); (len(list) == 1) != (n < 2) {
			t.Errorf("%d windows later: %+v", n, list)
		}
	}
}
