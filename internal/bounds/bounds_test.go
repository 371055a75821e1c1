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
		"the setting ratio must be at least 1, not NaN":                               func(o *options) { o.Ratio = math.NaN() },
		"the setting ratio must be at least 1, not +Inf":                              func(o *options) { o.Ratio = math.Inf(1) },
		"the setting seconds must be at least 0, not -1":                              func(o *options) { o.Seconds = -1 },
		"the setting steps must be between 2 and 9, not 1":                            func(o *options) { o.Steps = 1 },
		"the setting steps must be between 2 and 9, not 10":                           func(o *options) { o.Steps = 10 },
		"the setting share must be above 0 and at most 1, not 0":                      func(o *options) { o.Share = 0 },
		"the setting share must be above 0 and at most 1, not 1.5":                    func(o *options) { o.Share = 1.5 },
		"the setting odd must be above 0 and below 1, not 1":                          func(o *options) { o.Odd = 1 },
		"the setting odd must be above 0 and below 1, not NaN":                        func(o *options) { o.Odd = math.NaN() },
		"the setting wait must be above 0s and at most 1h, not 0s":                    func(o *options) { o.Wait = 0 },
		"the setting wait must be above 0s and at most 1h, not 1h0m1s":                func(o *options) { o.Wait = time.Hour + time.Second },
		"the setting offset must be at least -5, not -6":                              func(o *options) { o.Offset = -6 },
		"the setting deep must be at least 0, not -1":                                 func(o *options) { o.deep = -1 },
		"the setting steps must be between 2 and 9, not 0\nthe setting share must be": func(o *options) { o.Steps, o.Share = 0, 0 },
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
		"the setting days must be between 1 and 3, not 4":                Within("days", 4, 1, 3),
		"the setting interval must be between 1s and 1h0m0s, not 2h0m0s": Within("interval", 2*time.Hour, time.Second, time.Hour),
		"the setting rate must be between 1 and 2, not NaN":              Within("rate", math.NaN(), 1, 2),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
