package slow

import (
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/persistence"
)

// TestOf: the metrics in which members are suspects, each once. An inconclusive window
// changes nothing, and members that took over do not count.
func TestOf(t *testing.T) {
	x := NewOtherMetrics(4)
	push := func(m, c int, suspect bool, state persistence.State) {
		x.Window(&persistence.Window{Metric: m, Verdicts: []persistence.Verdict{{Component: c, Suspect: suspect, State: state}}})
	}
	for _, m := range []int{40, 2, 33} {
		push(m, 0, true, persistence.Anomalous)
	}
	push(2, 1, true, persistence.Anomalous)
	push(7, 2, true, persistence.Anomalous)
	push(2, 0, false, persistence.Unjudged)
	push(33, 0, false, persistence.Normal)
	members := []finding.Member{{Component: 0}, {Component: 1}, {Component: 2, Role: finding.TookOver}}
	if got := x.MetricsOf(members); !slices.Equal(got, []int{2, 40}) {
		t.Errorf("suspect in %v, want 2 and 40", got)
	}
}
