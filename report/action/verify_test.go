package action

import "testing"

func TestJudge(t *testing.T) {
	series := func(before, others, after float64, n int) *Latencies {
		l := &Latencies{StepSeconds: 15, Unit: "s"}
		for i := range 20 {
			l.Samples = append(l.Samples, Sample{int64(1000 - 15*(19-i)), before, others})
		}
		for i := range n {
			l.Samples = append(l.Samples, Sample{int64(1015 + 15*i), after, others})
		}
		return l
	}
	for _, tt := range []struct {
		l    *Latencies
		want string
	}{
		{series(20, 10, 14, 10), "helped"},
		{series(20, 10, 15, 10), "helped"},
		{series(20, 10, 15.1, 10), "useless"},
		{series(20, 10, 25, 10), "useless"},
		{series(10, 10, 5, 10), "useless"}, // the part added nothing: something else made it faster
		{series(20, 10, 12, 7), ErrNoneAfter.Error()},
		{&Latencies{StepSeconds: 15}, ErrNoneBefore.Error()},
	} {
		v, err := Judge(tt.l, 1000, 1000, 120)
		got := "useless"
		if err != nil {
			got = err.Error()
		} else if v.Helped {
			got = "helped"
		}
		if got != tt.want {
			t.Errorf("%v: %s, want %s", tt.l.Samples[max(0, len(tt.l.Samples)-1):], got, tt.want)
		}
	}
	// The step during which the part was masked does not count, and one odd step decides nothing.
	l := series(20, 10, 12, 9)
	l.Samples[20].Group, l.Samples[24].Group = 500, 500
	if v, err := Judge(l, 1000, 1007, 120); err != nil || !v.Helped {
		t.Errorf("%+v, %v", v, err)
	}
}
