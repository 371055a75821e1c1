package policy

import (
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"normal", "normal"},
		{"reactive", "reactive:st=2,patience=250ms,backlog=8"},
		{"reactive:st=1.5", "reactive:st=1.5,patience=250ms,backlog=8"},
		{"proactive2", "proactive2:backlog=8"},
		{"adaptive:st=2,sr=3", "adaptive:st=2,sr=3,patience=250ms,backlog=8"},
		{"sitout:again=1m30s,leave=2", "sitout:st=2,sr=3,leave=2,again=1m30s,patience=250ms,backlog=8"},
		{"hedge:budget=0.1", "hedge:st=2,sr=3,leave=1.5,again=1s,patience=250ms,backlog=8,budget=0.1"},
	} {
		o, err := Parse(test.in)
		if err != nil {
			t.Errorf("%s: %v", test.in, err)
		}
		if o.String() != test.want {
			t.Errorf("%s: got %s, want %s", test.in, o, test.want)
		}
	}
}

func TestParseMistakes(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", "unknown"},
		{"lazy", "normal, reactive"},
		{"normal:st=2", "has no setting"},
		{"normal:", "has no setting"},
		{"reactive:sr=3", "settings of this policy: st, patience, backlog"},
		{"reactive:st", "st"},
		{"reactive:st=1", "above 1"},
		{"reactive:st=NaN", "above 1"},
		{"sitout:leave=3", "from 1 to the value of the setting \"st\""},
		{"sitout:again=0s", "above 0s"},
		{"adaptive:again=1s", "has no setting"},
		{"reactive:patience=0s", "above 0s"},
		{"adaptive:sr=0", "from 1"},
		{"hedge:budget=2", "at most 1"},
		{"hedge:backlog=0", "from 1"},
	} {
		_, err := Parse(test.in)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %q", test.in, err, test.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, kind := range Kinds() {
		f.Add(Default(kind).String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(o.String())
		if err != nil || again != o {
			t.Fatalf("%q: got %v, %v, want %v", text, again, err, o)
		}
	})
}

func TestNewMistakes(t *testing.T) {
	for _, test := range []struct {
		o            Options
		data, parity int
	}{
		{Options{}, 8, 2},
		{Default(Normal), 0, 2},
		{Default(Normal), 8, -1},
		{Default(Normal), 63, 2},
		{Options{Kind: Adaptive, ST: 2, SR: 3, Leave: 1.5, Again: time.Second}, 8, 2},
	} {
		if _, err := New(test.o, test.data, test.parity); err == nil {
			t.Errorf("%v, %d+%d: no error", test.o, test.data, test.parity)
		}
	}
}
