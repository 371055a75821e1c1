package symptom

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
)

func TestValidate(t *testing.T) {
	if o := DefaultOptions(); o.Validate() != nil {
		t.Errorf("the defaults: %v", o.Validate())
	}
	for want, change := range map[string]func(*Options){
		"choose a window that is a multiple of 32 s": func(o *Options) { o.WinSeconds = 50 },
		"every 0 s":   func(o *Options) { o.ShiftSeconds = 0 },
		"every 128 s": func(o *Options) { o.ShiftSeconds = 128 },
		"the setting k_windows must be between 1 and 16, not 0":  func(o *Options) { o.KWindows = 0 },
		"the setting k_windows must be between 1 and 16, not 17": func(o *Options) { o.KWindows = 17 },
		"the setting far_times must be at least 1, not 0.5":      func(o *Options) { o.FarTimes = 0.5 },
		"the setting hog_percent must be at least 0, not -1":     func(o *Options) { o.HogPercent = -1 },
		"the setting link_percent must be at least 0, not -1":    func(o *Options) { o.LinkPercent = -1 },
	} {
		o := DefaultOptions()
		change(&o)
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
		system := plain(3).System()
		if _, err := newExaminer(o, criteria.DefaultOptions(), blame.NewMap(system), schema(system, 1)); err == nil {
			t.Errorf("%s is taken", want)
		}
	}
}

// TestStepsThatDoNotFit: a step has to divide the shift.
func TestStepsThatDoNotFit(t *testing.T) {
	system := plain(3).System()
	schema := schema(system, 1)
	for step, fits := range map[int64]bool{1: true, 15: false, 16: true, 32: true, 64: false} {
		schema.StepSeconds = step
		if _, err := newExaminer(DefaultOptions(), criteria.DefaultOptions(), blame.NewMap(system), schema); (err == nil) != fits {
			t.Errorf("steps of %d s: %v", step, err)
		}
	}
}

// TestFit: windows keep their length as far as whole steps allow, have at least four
// steps, and are valid for an examiner.
func TestFit(t *testing.T) {
	for step, want := range map[int64][2]int64{
		1: {64, 32}, 3: {60, 30}, 10: {60, 30}, 15: {60, 30}, 16: {64, 32}, 17: {68, 34}, 60: {240, 120}, 600: {2400, 1200},
	} {
		o := DefaultOptions()
		o.Fit(step)
		if got := [2]int64{o.WinSeconds, o.ShiftSeconds}; got != want {
			t.Errorf("steps of %d s: %v, want %v", step, got, want)
		}
		system := plain(3).System()
		schema := schema(system, 1)
		schema.StepSeconds = step
		if _, err := newExaminer(o, criteria.DefaultOptions(), blame.NewMap(system), schema); err != nil {
			t.Errorf("steps of %d s: %v", step, err)
		}
	}
}
