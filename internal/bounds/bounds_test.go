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
		"NaN is not possible for ratio: give at least 1":                                      func(o *options) { o.Ratio = math.NaN() },
		"+Inf is not possible for ratio: give at least 1":                                     func(o *options) { o.Ratio = math.Inf(1) },
		"-1 is not possible for seconds: give at least 0":                                     func(o *options) { o.Seconds = -1 },
		"1 is not possible for steps: give 2 to 9":                                            func(o *options) { o.Steps = 1 },
		"10 is not possible for steps: give 2 to 9":                                           func(o *options) { o.Steps = 10 },
		"0 is not possible for share: give a value above 0 and at most 1":                     func(o *options) { o.Share = 0 },
		"1.5 is not possible for share: give a value above 0 and at most 1":                   func(o *options) { o.Share = 1.5 },
		"1 is not possible for odd: give a value above 0 and below 1":                         func(o *options) { o.Odd = 1 },
		"NaN is not possible for odd: give a value above 0 and below 1":                       func(o *options) { o.Odd = math.NaN() },
		"0s is not possible for wait: give a value above 0s and at most 1h":                   func(o *options) { o.Wait = 0 },
		"1h0m1s is not possible for wait: give a value above 0s and at most 1h":               func(o *options) { o.Wait = time.Hour + time.Second },
		"-6 is not possible for offset: give at least -5":                                     func(o *options) { o.Offset = -6 },
		"-1 is not possible for deep: give at least 0":                                        func(o *options) { o.deep = -1 },
		"0 is not possible for steps: give 2 to 9\n0 is not possible for share: give a value": func(o *options) { o.Steps, o.Share = 0, 0 },
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
		"4 is not possible for days: give 1 to 3":                Within("days", 4, 1, 3),
		"2h0m0s is not possible for interval: give 1s to 1h0m0s": Within("interval", 2*time.Hour, time.Second, time.Hour),
		"NaN is not possible for rate: give 1 to 2":              Within("rate", math.NaN(), 1, 2),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
