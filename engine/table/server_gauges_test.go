package table

import (
	"fmt"
	"math"
	"testing"
)

// TestStandingForm: standing is read back as it was logged, and cut bytes are refused.
func TestStandingForm(t *testing.T) {
	want := Row{Gauges: []ServerGauges{
		{},
		{Known: true, PausesBegan: 3, PauseSeconds: [NumCauses]float32{ByDisk: 1.5, ByProcess: 0.25}},
		{Known: true, Drives: []DriveGauges{{Component: 4, Bytes: 1e12, Free: 3e9, Files: 1e6, FreeFiles: 7, Hot: -3.5, Alarm: true}, {Component: 0, Hot: math.NaN()}}},
	}}
	b := append(want.AppendGauges(nil), 'x')
	if len(b)-1 > MaxGaugeBytes(3, 5) {
		t.Errorf("%d bytes", len(b)-1)
	}
	got := Row{Gauges: []ServerGauges{{Known: true, PausesBegan: 9}, {}, {}}}
	if rest, ok := got.TakeGauges(b, 5); !ok || string(rest) != "x" || fmt.Sprint(got.Gauges) != fmt.Sprint(want.Gauges) {
		t.Errorf("%v, %q, %v", got.Gauges, rest, ok)
	}
	for n := range len(b) - 1 {
		if _, ok := got.TakeGauges(b[:n], 5); ok {
			t.Errorf("%d of %d bytes are taken", n, len(b)-1)
		}
	}
	if _, ok := got.TakeGauges(b, 4); ok {
		t.Error("a component that the system does not have is taken")
	}
	two := Row{Gauges: make([]ServerGauges, 2)}
	if _, ok := two.TakeGauges(b, 5); ok {
		t.Error("a server that the system does not have is taken")
	}
	moved := want.Gauges[2].ForSystem(func(c int) int { return c - 1 })
	if len(moved.Drives) != 1 || moved.Drives[0].Component != 3 || len(want.Gauges[2].Drives) != 2 {
		t.Errorf("in another system %+v", moved)
	}
}
