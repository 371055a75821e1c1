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

// TestPausesOfPeers: the number of pauses that rules out a pause of all servers is a bound for half
// of the peers, because it is their median.
func TestPausesOfPeers(t *testing.T) {
	var w Writer
	for peers, want := range map[float64]string{
		0: "in the same time, half or more of its peers had no pause",
		2: "in the same time, half or more of its peers had at most 2 pauses",
	} {
		in := &incident.Incident{Class: finding.Pause, Evidence: []finding.Evidence{{Metric: finding.PauseCount, Own: 6, Peers: peers}}}
		if got := w.RuledOut(in)[0].Why; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestShortList: a list of names has at most four names, or three names and the number of the others.
func TestShortList(t *testing.T) {
	names := []string{"osd.1", "osd.2", "osd.3", "osd.4", "osd.5", "osd.6"}
	for n, want := range map[int]string{1: "osd.1", 2: "osd.1 and osd.2", 4: "osd.1, osd.2, osd.3 and osd.4", 6: "osd.1, osd.2, osd.3 and 3 more"} {
		if got := shortList(names[:n]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
