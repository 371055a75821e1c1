package slow

import (
	"math"
	"testing"

	"github.com/limpet-storage/limpet/engine/criteria"
)

// TestTimes: components that take twice as long as under light load have a utilisation
// of one half; 1.25 times their load then takes (1−½)/(1−⅝) times as long.
func TestTimes(t *testing.T) {
	for _, tt := range []struct {
		name               string
		usual, light, load float64
		want               float64
	}{
		{"half busy", 20, 10, 1.25, 4.0 / 3},
		{"as much load", 20, 10, 1, 1},
		{"less load", 20, 10, 0.5, 1},
		{"nothing to wait for", 10, 10, 1.25, 1},
		{"unknown", math.NaN(), 10, 1.25, 1},
		{"never light", 20, 0, 1.25, 1},
		{"always busy", 1e6, 1, 1.25, 1},
	} {
		if got := criteria.QueueTimes(tt.load, busyShare(tt.usual, tt.light, 0.95), 0.95); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: %g, want %g", tt.name, got, tt.want)
		}
	}
}

// TestMostTimes: no utilisation of the peers explains more.
func TestMostTimes(t *testing.T) {
	const load, most = 1.05, 0.95
	top := criteria.MaxQueueTimes(load, most)
	for busy := 0.0; busy <= most; busy += 0.001 {
		if got := criteria.QueueTimes(load, busy, most); got > top+1e-9 {
			t.Fatalf("%g times at %g busy, more than %g", got, busy, top)
		}
	}
	if top < 1.9 || top > 2 {
		t.Errorf("5 %% more load explains %g times", top)
	}
}

func TestPhaseOf(t *testing.T) {
	for _, tt := range []struct {
		usual, light float64
		want         phase
	}{{10, 10, lightLoad}, {19, 10, lightLoad}, {20, 10, busy}, {39, 10, busy}, {40, 10, full}, {40, 0, lightLoad}} {
		if got := phaseOf(tt.usual, tt.light, 2); got != tt.want {
			t.Errorf("%g where %g is light: phase %d, want %d", tt.usual, tt.light, got, tt.want)
		}
	}
}
