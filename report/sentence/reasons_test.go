package sentence

import (
	"testing"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/persistence"
)

// TestReasons: whatever packages that find name a reason, a doubt, a scale or a
// symptom, there are words for it.
func TestReasons(t *testing.T) {
	for r := persistence.Differs; r <= persistence.Untrained; r++ {
		if Reason(r) == "" {
			t.Errorf("no words for the reason %d", r)
		}
	}
	for d := finding.Widespread; d <= finding.LittleMore; d++ {
		if doubts[d] == "" {
			t.Errorf("no words for the doubt %d", d)
		}
	}
	for s := finding.TimesPeers; s <= finding.OutageSteps; s++ {
		if Measure(s) == "" {
			t.Errorf("no words for the scale %d", s)
		}
	}
	for s := range finding.NumSymptoms {
		if Symptom(s) == "" {
			t.Errorf("no words for the symptom %d", s)
		}
	}
	if Reason(persistence.NoReason) != "" || Measure(finding.Distance) != "" {
		t.Error("words where there is nothing to say")
	}
}
