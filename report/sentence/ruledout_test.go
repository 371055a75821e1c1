package sentence

import (
	"testing"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
)

// TestMostAreQuick: a report does not say that most requests are as quick as at the peers where
// half of them are slow, or where the median is.
func TestMostAreQuick(t *testing.T) {
	for _, tt := range []struct {
		name                       string
		share, median, peersMedian float64
		want                       bool
	}{
		{"one in 200 is slow", 0.005, 2.02, 2, true},
		{"every second one is slow", 0.5, 2.02, 2, false},
		{"the median is slow", 0.1, 4, 2, false},
	} {
		in := &incident.Incident{Class: finding.Tail, Evidence: []finding.Evidence{
			{Metric: finding.SlowRequests, Own: tt.share}, {Metric: finding.MedianTime, Own: tt.median, Peers: tt.peersMedian},
		}}
		if got := mostAreQuick(in); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if mostAreQuick(&incident.Incident{Class: finding.Tail}) {
		t.Error("most requests are quick without any evidence")
	}
}
