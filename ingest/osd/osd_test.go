package osd

import (
	"math"
	"testing"
)

// TestLatencies: shares of reads do not make an OSD slow or fast, and a slow OSD is slow in all of its
// requests.
func TestLatencies(t *testing.T) {
	of := func(reads, commits, times float64) Requests {
		return Requests{Read: Times{reads, reads * 0.005 * times}, Commit: Times{commits, commits * 0.150 * times}}
	}
	got := Latencies([]Requests{of(2500, 300, 1), of(1000, 300, 1), of(100, 300, 1), of(0, 300, 1), of(1000, 300, 4), {}})
	for i := range 4 {
		if math.Abs(got[i]/got[1]-1) > 1e-9 {
			t.Errorf("healthy OSD %d takes %.1f ms, and another %.1f ms", i, got[i], got[1])
		}
	}
	if math.Abs(got[4]/got[1]-4) > 1e-9 {
		t.Errorf("the slow OSD takes %.1f ms, and the others %.1f ms: it is 4 times slower", got[4], got[1])
	}
	if !math.IsNaN(got[5]) {
		t.Errorf("an OSD without requests takes %g ms", got[5])
	}
}

// TestDevices: an OSD is found again by the names of its devices.
func TestDevices(t *testing.T) {
	names, minors := Devices("osd.12", 12)
	for kind, device := range names {
		if name, k := NameOf(device); name != "osd.12" || k != kind {
			t.Errorf("%s is kind %d of %s, want kind %d of osd.12", device, k, name, kind)
		}
	}
	if minors[0] == minors[1] {
		t.Errorf("both devices have the number %d", minors[0])
	}
}
