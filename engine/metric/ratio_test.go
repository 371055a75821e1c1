package metric_test

import (
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
)

// TestRatios: times and queues differ by factors; shares and amounts of work do not.
func TestRatios(t *testing.T) {
	want := map[string]bool{metric.Await.Name: true, metric.SvcTm.Name: true, metric.AvgQuSz.Name: true}
	for _, m := range metric.All() {
		if m.Ratio() != want[m.Name] {
			t.Errorf("%s: %v, want %v", m.Name, m.Ratio(), want[m.Name])
		}
	}
}
