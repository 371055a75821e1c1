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
		"the setting smallest_times must be above 1, not 1":                                                                                 func(o *Options) { o.SmallestTimes = 1 },
		"the setting false_incidents_per_year must be above 0, not 0":                                                                       func(o *Options) { o.FalseIncidentsPerYear = 0 },
		"the setting few_share must be above 0 and below 1, not 2":                                                                          func(o *Options) { o.FewShare = 2 },
		"the setting nearly_all_share must be above 0.5 and at most 1, not 0.5":                                                             func(o *Options) { o.NearlyAllShare = 0.5 },
		"the setting silent_seconds must be at least 1, not 0":                                                                              func(o *Options) { o.SilentSeconds = 0 },
		"the time after which an incident is over (7200 s) is shorter than the time after which its component counts as recovered (9000 s)": func(o *Options) { o.RecoverSeconds = 9000 },
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
