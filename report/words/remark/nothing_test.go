package remark

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/detect"
	"github.com/limpet-storage/limpet/engine/diagnose"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/report/words"
	"github.com/limpet-storage/limpet/topology"
)

// TestNothingSaysTheReason: what was there, what was missing, and from when on a
// verdict is possible.
func TestNothingSaysTheReason(t *testing.T) {
	system, _, err := topology.Parse("t.yaml", []byte("servers: fs[1-8]\narrays:\n  - names: ddn[1-2]\n    servers_per_array: 4\n    luns: 00-23\n    priority: rotate\n    devices: sd[a-x]\n"))
	if err != nil {
		t.Fatal(err)
	}
	v := words.New(system, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await}}, []string{metric.Await.Name})
	silent := func(from, to int) (list []diagnose.Silence) {
		for i := from; i <= to; i++ {
			list = append(list, diagnose.Silence{Server: fmt.Sprintf("fs%d", i)})
		}
		return list
	}
	const needed, eightHours = 1350, 8 * 3600
	for name, tt := range map[string]struct {
		summary diagnose.Summary
		judged  int
		reason  detect.Reason
		want    []string
	}{
		"seven servers missing": {
			diagnose.Summary{To: eightHours, Heard: 1, Silent: silent(2, 8)},
			4, detect.GroupIdle,
			[]string{"Only 4 of 192 components could be judged", "there are no data of fs[2-8], which have 168 components", "There are data of 1 of 8 servers."},
		},
		"the group is idle": {
			diagnose.Summary{To: eightHours, Heard: 8},
			4, detect.GroupIdle,
			[]string{words.Reason(detect.GroupIdle)},
		},
		"nobody": {
			diagnose.Summary{Silent: silent(1, 8)},
			0, detect.NoReason,
			[]string{"there are no data of fs[1-8], or less than one step (15 s)", "A verdict takes 22 min 30 s of data of at least three peers."},
		},
		"12 minutes": {
			diagnose.Summary{From: 3600, To: 3600 + 720, Heard: 8},
			0, detect.NoReason,
			[]string{"the data span 12 min", "A whole verdict takes 22 min 30 s and is possible from 1970-01-01 01:23Z on; what is many times slower is told sooner."},
		},
	} {
		got := Nothing(v, &tt.summary, needed, tt.judged, tt.reason)
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
