package silence_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/detect/path"
	"github.com/limpet-storage/limpet/engine/detect/silence"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/topology"
)

// rig is a detector of an array with four servers and eight LUNs: each server is the
// first of two.
type rig struct {
	*silence.Detector
	*window.Facts
	row     *table.Row
	sectors float64 // sectors per second of a path that serves
}

func newRig(t *testing.T, sparse bool) *rig {
	t.Helper()
	s, _, err := topology.Parse("site.yaml", []byte(
		"servers: fs[1-4]\narrays:\n  - names: ddn1\n    servers_per_array: 4\n    luns: 0-7\n    priority: rotate\n    devices: sd[b-i]\n"))
	if err != nil {
		t.Fatal(err)
	}
	m := blame.NewMap(s)
	schema := table.Schema{
		StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await, metric.RdSec}, Components: len(s.Components), Servers: len(s.Servers), Sparse: sparse,
	}
	f := window.New(criteria.DefaultOptions(), m, window.NewDataTimes(criteria.DefaultOptions(), m, schema), schema, 1, 450, 2)
	row := table.NewRow(schema)
	row.End = 9000
	return &rig{silence.New(f, 3, path.DefaultOptions(), criteria.DefaultOptions()), f, row, 5000}
}

// steps pushes rows in which some servers send nothing. Each LUN is served by the first
// of its servers that sends data.
func (r *rig) steps(n int, silent ...string) (at []string) {
	for range n {
		r.row.Clear()
		r.row.End += 15
		for s, name := range r.System.Servers {
			r.row.Heard[s] = !slices.Contains(silent, name)
		}
		for _, paths := range r.Paths {
			served := false
			for _, c := range paths {
				if !r.row.Heard[r.ServerOf[c]] {
					continue
				}
				r.row.Values[0][c], r.row.Values[1][c], r.row.Values[2][c] = 0, 0, 0
				if !served {
					r.row.Values[0][c], r.row.Values[1][c], r.row.Values[2][c] = 50, 10, r.sectors
				}
				served = true
			}
		}
		r.DataTimes.Row(r.row)
		r.Facts.Row(r.row)
		for _, f := range r.Detector.Row() {
			at = append(at, fmt.Sprintf("%s at %d", f.Place.Name, r.row.End-9000))
		}
	}
	return at
}

// window ends a window, and prints the silent servers.
func (r *rig) window() (string, []finding.Finding) {
	r.End()
	list := r.Findings()
	r.NextShift()
	var out []string
	for i := range list {
		out = append(out, list[i].Place.Name)
	}
	return strings.Join(out, " "), list
}

// TestSilence: a silent server is found at once, and until it sends data again.
func TestSilence(t *testing.T) {
	r := newRig(t, false)
	if at := r.steps(10); len(at) > 0 {
		t.Errorf("found %v", at)
	}
	if at := r.steps(20, "fs2"); !slices.Equal(at, []string{"fs2 at 450"}) { // after 20 rows
		t.Errorf("found %v", at)
	}
	for n := 1; n <= 3; n++ {
		who, list := r.window()
		if who != "fs2" {
			t.Fatalf("window %d: %q is silent", n, who)
		}
		f := list[0]
		if !f.Certain || f.Kind != finding.SilentServer || f.Class != finding.Path || f.Onset != (finding.Onset{At: 9150, Early: 9150, Late: 9165}) {
			t.Errorf("%+v", f)
		}
		// Eight paths for n windows of 450 s; one is an incident after 3900 s.
		if want := float64(8*n) * 450 / 3900; f.Judged != 8 || f.Amount < 0.999*want || f.Amount > 1.001*want {
			t.Errorf("window %d: %d compared, it amounts to %g, want %g", n, f.Judged, f.Amount, want)
		}
		if takeover := slices.IndexFunc(f.Members, func(m finding.Member) bool { return m.Role == finding.TookOver }); n > 1 && (takeover != 8 || len(f.Members) != 10 || r.Component(f.Members[8].Component).Server != "fs3") {
			t.Errorf("window %d: who took over: %+v", n, f.Members[8:])
		}
		r.steps(30, "fs2")
	}
	if at := r.steps(1); len(at) > 0 {
		t.Errorf("found %v", at)
	}
	if who, _ := r.window(); who != "" {
		t.Errorf("it is back, and %s is silent", who)
	}
	if at := r.steps(40, "fs2"); len(at) != 1 {
		t.Errorf("a second time it is found %v", at)
	}
}

// TestAbsent: a server that never sent data is silent if others serve its LUNs for three
// windows; its onset is the begin of the data.
func TestAbsent(t *testing.T) {
	r := newRig(t, false)
	var silent []string
	for range 4 {
		r.steps(30, "fs2")
		who, list := r.window()
		silent = append(silent, who)
		for _, f := range list {
			if f.Onset != finding.OnsetBefore(9000) || f.Judged != 2 {
				t.Errorf("%+v", f)
			}
		}
	}
	if want := []string{"", "", "fs2", "fs2"}; !slices.Equal(silent, want) {
		t.Errorf("found %q, want %q", silent, want)
	}
	r.steps(30)
	if who, _ := r.window(); who != "" {
		t.Errorf("it is there, and %s is silent", who)
	}

	for name, absent := range map[string][]string{"all of the array": {"fs1", "fs2", "fs3", "fs4"}} {
		r := newRig(t, false)
		for range 5 {
			r.steps(30, absent...)
			if who, _ := r.window(); who != "" {
				t.Errorf("%s: nobody serves, and %s is silent", name, who)
			}
		}
	}
	r = newRig(t, true)
	for range 5 {
		r.steps(30, "fs2")
		if who, _ := r.window(); who != "" {
			t.Errorf("lines may be lost, and %s is silent", who)
		}
	}
}

// TestLightTakeover: light requests through other paths are no evidence that a server that never sent
// data is down. They are evidence about a server that sent data before.
func TestLightTakeover(t *testing.T) {
	for _, tt := range []struct {
		sectors float64
		want    string
	}{
		{19, ""},
		{20, "fs2"},
	} {
		r := newRig(t, false)
		r.sectors = tt.sectors
		last := ""
		for range 4 {
			r.steps(30, "fs2")
			last, _ = r.window()
		}
		if last != tt.want {
			t.Errorf("%g sectors/s: %q is silent, want %q", tt.sectors, last, tt.want)
		}
	}
	r := newRig(t, false)
	r.sectors = 1
	r.steps(10)
	r.steps(50, "fs2")
	_, list := r.window()
	if len(list) != 1 || !slices.ContainsFunc(list[0].Members, func(m finding.Member) bool { return m.Role == finding.TookOver }) {
		t.Errorf("fs2 stopped: %+v", list)
	}
}

// TestMostAreSilent: the clock of fs4 is ahead, so at the end only fs4 has data. Its light requests are no
// evidence that it took over the load of the others.
func TestMostAreSilent(t *testing.T) {
	r := newRig(t, false)
	r.sectors = 1
	r.steps(10)
	r.steps(50, "fs1", "fs2", "fs3")
	who, list := r.window()
	if who != "fs1 fs2 fs3" {
		t.Fatalf("%q are silent", who)
	}
	for i := range list {
		if f := &list[i]; f.Elsewhere != (finding.Tally{Odd: 2, Judged: 3}) || slices.ContainsFunc(f.Members, func(m finding.Member) bool { return m.Role == finding.TookOver }) {
			t.Errorf("%+v", f)
		}
	}
}

// TestCanJudge: only a server that has sent data can be known to be back.
func TestCanJudge(t *testing.T) {
	r := newRig(t, false)
	c := r.Attachments[slices.IndexFunc(r.Attachments, func(c int) bool { return r.Component(c).Server == "fs2" })]
	r.steps(30, "fs2")
	if r.CanJudge(c) {
		t.Error("fs2 never sent data, and can be judged")
	}
	r.steps(1)
	r.steps(100, "fs2")
	if !r.CanJudge(c) {
		t.Error("fs2 sent data, and cannot be judged")
	}
}
