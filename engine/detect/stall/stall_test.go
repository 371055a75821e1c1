package stall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/detect/slow"
	"github.com/limpet-storage/limpet/engine/detect/stall"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/topology"
)

// rig is a detector of twenty servers with five drives each, all of which serve.
type rig struct {
	*stall.Detector
	facts *window.Facts
	row   *table.Row
}

func newRig(t *testing.T, lead metric.Metric) *rig {
	t.Helper()
	s, _, err := topology.Parse("rack.yaml", []byte("servers: h[1-20]\ndrives:\n  - devices: sd[a-e]\n    peers: server\n"))
	if err != nil {
		t.Fatal(err)
	}
	m := blame.NewMap(s)
	schema := table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, lead}, Components: len(s.Components)}
	f := window.New(criteria.DefaultOptions(), m, window.NewDataTimes(criteria.DefaultOptions(), m, schema), schema, 1, 450, 2)
	for c := range f.Conditions {
		f.Conditions[c] = window.Serving
	}
	for g := range f.Groups {
		f.Groups[g].Usual = 20
	}
	return &rig{stall.New(stall.DefaultOptions(), slow.DefaultLocalisationOptions(), f, m.PlaceIfAlone), f, table.NewRow(schema)}
}

// step pushes a row in which drives have the given await in ms, and all others 10 ms.
func (r *rig) step(awaits map[string]float64) {
	r.row.End += 15
	for c := range r.row.Values[1] {
		r.row.Values[1][c] = 10
		for name, ms := range awaits {
			if slices.Contains(r.facts.System.Match(name), c) {
				r.row.Values[1][c] = ms
			}
		}
	}
	r.Row(r.row)
}

func placesOf(list []finding.Finding) string {
	var out []string
	for i := range list {
		out = append(out, fmt.Sprintf("%s %s of %d", list[i].Place.Tier, list[i].Place.Name, len(list[i].Members)))
	}
	return strings.Join(out, ", ")
}

// first returns an await for one drive on each of n servers; the index of the drive
// rotates through a number of drives.
func first(n int, ms float64, drives int) map[string]float64 {
	m := map[string]float64{}
	for i := range n {
		m[fmt.Sprintf("h%d/sd%c", i+1, 'a'+i%drives)] = ms
	}
	return m
}

func TestStalls(t *testing.T) {
	for _, tt := range []struct {
		name   string
		awaits map[string]float64
		want   string
	}{
		{"nothing", nil, ""},
		{"one, not for long enough to be found alone", map[string]float64{"h1/sda": 29_999}, ""},
		{"one", map[string]float64{"h1/sda": 30_000}, "drive h1/sda of 1"},
		{"two", map[string]float64{"h1/sda": 40_000, "h2/sdb": 40_000}, "drive h1/sda of 1, drive h2/sdb of 1"},
		{"all of a server, a little", map[string]float64{"h3": 10_000}, "server h3 of 5"},
		{"all of a server, hardly", map[string]float64{"h3": 9_999}, ""},
		{"a server and a drive", map[string]float64{"h3": 12_000, "h1/sda": 40_000, "h2/sda": 12_000}, "server h3 of 5, drive h1/sda of 1"},
		{"as many as are found one by one", first(16, 40_000, 5), ""},
		{"more than that", first(17, 40_000, 5), "system rack of 17"},
		{"the first drive of many servers", first(17, 40_000, 1), "position sda of 17"},
	} {
		r := newRig(t, metric.Await)
		r.step(tt.awaits)
		got := placesOf(r.Findings())
		if tt.name == "as many as are found one by one" {
			if n := strings.Count(got, "drive "); n != 16 {
				t.Errorf("%s: %d, %s", tt.name, n, got)
			}
			continue
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if again := r.Findings(); len(again) > 0 {
			t.Errorf("%s: found again: %s", tt.name, placesOf(again))
		}
	}
}

// TestFinding: the worst step counts, since the first; the ratio has a bound.
func TestFinding(t *testing.T) {
	r := newRig(t, metric.Await)
	for _, ms := range []float64{10, 35_000, 10, 50_000, 10} {
		r.step(map[string]float64{"h1/sdb": ms})
	}
	list := r.Findings()
	if len(list) != 1 {
		t.Fatal(placesOf(list))
	}
	f, m := list[0], list[0].Members[0]
	if !f.Certain || f.Class != finding.Stall || f.Kind != finding.StalledRequests || f.Onset != (finding.Onset{At: 15, Early: 15, Late: 30}) {
		t.Errorf("%+v", f)
	}
	if m.Own != 50_000 || m.Peers != 20 || m.Worst != 2500 || m.Windows != 2 || m.Since != 15 || m.Role != finding.Stalled {
		t.Errorf("%+v", m)
	}
	r.facts.Groups[0].Usual = table.Missing
	r.step(map[string]float64{"h1/sdb": 2e6, "h1/sdc": 40_000})
	if list = r.Findings(); len(list) != 2 || list[0].Members[0].Worst != 1e6 || list[1].Members[0].Worst != 40_000 {
		t.Errorf("beside peers that are not known: %+v", list)
	}
}

// TestOtherMetrics: only await shows a stall.
func TestOtherMetrics(t *testing.T) {
	r := newRig(t, metric.RdSec)
	r.step(map[string]float64{"h1/sda": 1e6})
	if got := r.Findings(); len(got) > 0 {
		t.Errorf("sectors that stand still: %s", placesOf(got))
	}
}
