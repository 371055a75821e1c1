package sentence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// TestNothingSaysTheReason: what was there, what was missing, and from when on a
// verdict is possible.
func TestNothingSaysTheReason(t *testing.T) {
	system, _, err := topology.Parse("t.yaml", []byte("servers: fs[1-8]\narrays:\n  - names: ddn[1-2]\n    servers_per_array: 4\n    luns: 00-23\n    priority: rotate\n    devices: sd[a-x]\n"))
	if err != nil {
		t.Fatal(err)
	}
	o := engine.DefaultOptions()
	v := New(system, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await}}, &o)
	silent := func(from, to int) (list []engine.Silence) {
		for i := from; i <= to; i++ {
			list = append(list, engine.Silence{Server: fmt.Sprintf("fs%d", i)})
		}
		return list
	}
	const needed, eightHours = 1350, 8 * 3600
	for name, tt := range map[string]struct {
		summary engine.Summary
		judged  int
		reason  persistence.Reason
		want    []string
	}{
		"seven servers missing": {
			engine.Summary{To: eightHours, Heard: 1, Silent: silent(2, 8)},
			4, persistence.GroupIdle,
			[]string{": only 4 of 192 components could be judged", "there are no data of fs[2-8], which have 168 components", "Only 1 of 8 servers has data."},
		},
		"the group is idle": {
			engine.Summary{To: eightHours, Heard: 8},
			4, persistence.GroupIdle,
			[]string{Reason(persistence.GroupIdle)},
		},
		"a quarter is judged": {
			engine.Summary{To: eightHours, Heard: 8},
			48, persistence.GroupIdle,
			[]string{"48 of 192 components were judged", "The other 144 components were not judged; the most frequent reason: the whole group is idle."},
		},
		"half of a small group may be slow": {
			engine.Summary{To: eightHours, Heard: 8, Examined: 8},
			6, persistence.TooFewIOs,
			[]string{"nothing limps. 6 of 192 components were judged", " If half of a peer group is slow, the comparison may not show it, because more than half of a peer group must be healthy."},
		},
		"nobody": {
			engine.Summary{Silent: silent(1, 8)},
			0, persistence.NoReason,
			[]string{"Nothing could be judged: there are no data of fs[1-8]. ", "A verdict needs 22 min 30 s of data of at least three members of a peer group."},
		},
		"12 minutes": {
			engine.Summary{From: 3600, To: 3600 + 720, Heard: 8},
			0, persistence.NoReason,
			[]string{"the data span only 12 min", "A complete verdict needs 22 min 30 s of data, so it is possible from this time on: 1970-01-01 01:23Z. For a component that is many times slower than its peers, limpet needs less data."},
		},
	} {
		got, nothingLimps := Nothing(v, &tt.summary, needed, tt.judged, tt.reason)
		if want := strings.Contains(got, ": nothing limps. "); nothingLimps != want {
			t.Errorf("%q: that nothing limps is %v", got, nothingLimps)
		}
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q does not say %q", name, got, want)
			}
		}
		if strings.Contains(got, "needs more than") {
			t.Errorf("%s: %q", name, got)
		}
	}
}
