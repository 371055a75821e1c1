package agent

import (
	"runtime"
	"testing"
)

// TestCost: a recorder that works says so.
func TestCost(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	var m machine
	before := m.cost()
	for m.cost().Processor == before.Processor { // until the clock has ticked
	}
	if c := m.cost(); c.Resident < 1<<20 || c.Resident > 1<<36 || c.Programs != 0 {
		t.Errorf("%+v", c)
	}
}
