package criteria

import (
	"math"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	o := DefaultOptions()
	if err := o.Validate(); err != nil {
		t.Error(err)
	}
	for want, bad := range map[string]func(*Options){
		"1 is not possible for smallest_times":           func(o *Options) { o.SmallestTimes = 1 },
		"0 is not possible for false_incidents_per_year": func(o *Options) { o.FalseIncidentsPerYear = 0 },
		"2 is not possible for few_share":                func(o *Options) { o.FewShare = 2 },
		"0.5 is not possible for nearly_all_share":       func(o *Options) { o.NearlyAllShare = 0.5 },
		"0 is not possible for silent_seconds":           func(o *Options) { o.SilentSeconds = 0 },
		"recover after 9000 s and end after 7200 s":      func(o *Options) { o.RecoverSeconds = 9000 },
	} {
		o := DefaultOptions()
		bad(&o)
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}

// TestEvidence: the evidence that belongs to each false-alarm rate.
func TestEvidence(t *testing.T) {
	o := DefaultOptions()
	suspect, incident := o.Evidence(9216, 15)
	if math.Abs(suspect-math.Log(5.76e6)) > 1e-9 || math.Abs(incident-math.Log(9216*365.25*5760)) > 1e-9 {
		t.Errorf("%g and %g nats", suspect, incident)
	}
	o.FalseIncidentsPerYear = 1e9
	if suspect, incident = o.Evidence(10, 15); incident != suspect {
		t.Errorf("an incident takes %g nats, a suspect %g", incident, suspect)
	}
}
