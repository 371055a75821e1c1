package activity

import "testing"

// TestUsualIntervalIsNoWarning: records 15 s apart are usual. A shorter bound of the step, as limpet
// top has it, is no reason for a warning.
func TestUsualIntervalIsNoWarning(t *testing.T) {
	for _, tt := range []struct {
		finest, interval, step int64
		warnings               int
	}{
		{1, 1, 1, 0}, {1, 15, 15, 0}, {15, 15, 15, 0}, {15, 5, 15, 0}, {1, 60, 60, 1}, {15, 60, 60, 1},
	} {
		a := &plan{}
		if step := a.chooseStep(0, tt.finest, []hostFiles{{Name: "fs1", Interval: tt.interval, Coarsest: tt.interval}}); step != tt.step || len(a.Warned) != tt.warnings {
			t.Errorf("records %d s apart, steps of %d s at least: a step of %d s, warnings %v", tt.interval, tt.finest, step, a.Warned)
		}
	}
}
