package bounds

import (
	"math"
	"strings"
	"testing"
	"time"
)

type options struct {
	Ratio   float64       `json:"ratio" least:"1"`
	Seconds int64         `json:"seconds,omitempty"`
	Steps   int           `json:"steps" least:"2" most:"9"`
	Share   float64       `json:"share" above:"0" most:"1"`
	Odd     float64       `json:"odd" above:"0" below:"1"`
	Wait    time.Duration `name:"wait" above:"0s" most:"1h"`
	Offset  int           `json:"offset" least:"-5"`
	Seed    uint64
	Name    string
	Inner   struct{ Ratio float64 }
	deep    int
}

func good() options {
	return options{Ratio: 1, Steps: 2, Share: 1, Odd: 0.5, Wait: time.Hour, Offset: -5, Inner: struct{ Ratio float64 }{-1}}
}

func TestCheck(t *testing.T) {
	o := good()
	if err := Check(o); err != nil {
		t.Error(err)
	}
	if err := Check(&o); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*options){
		"ratio of NaN: at least 1 is needed":                     func(o *options) { o.Ratio = math.NaN() },
		"ratio of +Inf: at least 1 is needed":                    func(o *options) { o.Ratio = math.Inf(1) },
		"seconds of -1: at least 0 is needed":                    func(o *options) { o.Seconds = -1 },
		"steps of 1: 2 to 9 are possible":                        func(o *options) { o.Steps = 1 },
		"steps of 10: 2 to 9 are possible":                       func(o *options) { o.Steps = 10 },
		"share of 0: it has to be above 0 and at most 1":         func(o *options) { o.Share = 0 },
		"share of 1.5: it has to be above 0 and at most 1":       func(o *options) { o.Share = 1.5 },
		"odd of 1: it has to be above 0 and below 1":             func(o *options) { o.Odd = 1 },
		"odd of NaN: it has to be above 0 and below 1":           func(o *options) { o.Odd = math.NaN() },
		"wait of 0s: it has to be above 0s and at most 1h":       func(o *options) { o.Wait = 0 },
		"wait of 1h0m1s: it has to be above 0s and at most 1h":   func(o *options) { o.Wait = time.Hour + time.Second },
		"offset of -6: at least -5 is needed":                    func(o *options) { o.Offset = -6 },
		"deep of -1: at least 0 is needed":                       func(o *options) { o.deep = -1 },
		"steps of 0: 2 to 9 are possible\nshare of 0: it has to": func(o *options) { o.Steps, o.Share = 0, 0 },
	} {
		o := good()
		change(&o)
		if err := Check(o); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestWithin(t *testing.T) {
	if err := Within("days", 3, 1, 3); err != nil {
		t.Error(err)
	}
	for want, err := range map[string]error{
		"days of 4: 1 to 3 are possible":            Within("days", 4, 1, 3),
		"interval of 2h0m0s: 1s to 1h0m0s are poss": Within("interval", 2*time.Hour, time.Second, time.Hour),
		"rate of NaN: 1 to 2 are possible":          Within("rate", math.NaN(), 1, 2),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
