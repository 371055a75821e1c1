package action

import (
	"math"
	"strings"
	"testing"
)

// course is a group whose part is masked at 1000: latencies and loads before and after.
type course struct {
	group, others, afterGroup, afterOthers float64
	part, peers, afterPart, afterPeers     float64 // loads
}

// usual is a part in a group of eleven whose requests were moved to its peers.
func usual(group, others, afterGroup, afterOthers float64) course {
	return course{group, others, afterGroup, afterOthers, 10, 100, 0, 110}
}

func (c course) latencies(n int) *Latencies {
	l := &Latencies{StepSeconds: 15, Unit: "ms"}
	for i := range 20 {
		l.Samples = append(l.Samples, Sample{int64(1000 - 15*(19-i)), c.group, c.others, c.part + c.peers, c.peers})
	}
	for i := range n {
		l.Samples = append(l.Samples, Sample{int64(1015 + 15*i), c.afterGroup, c.afterOthers, c.afterPart + c.afterPeers, c.afterPeers})
	}
	return l
}

func TestJudge(t *testing.T) {
	unknown := math.NaN()
	for name, tt := range map[string]struct {
		c    course
		n    int
		want string
	}{
		"all of it is gone":                               {usual(20, 10, 10, 10), 10, "helped"},
		"half of it is gone":                              {usual(20, 10, 15, 10), 10, "helped"},
		"less than half of it is gone":                    {usual(20, 10, 15.1, 10), 10, "did not help enough"},
		"it became worse":                                 {usual(20, 10, 25, 10), 10, "did not help enough"},
		"the part added nothing":                          {usual(10, 10, 5, 5), 10, "did not make requests to the peer group slower (10 ms with the component, 10 ms without the component): the action did not help enough"},
		"the load fell, and the part adds as much":        {usual(20, 10, 10, 5), 10, "did not help enough"},
		"the load fell, and the part adds nothing":        {usual(20, 10, 5, 5), 10, "helped"},
		"the load of all rose":                            {course{9.8, 9.6, 11.6, 11.6, 10, 500, 0, 600}, 10, "helped"},
		"few requests were moved, and all became slower":  {course{9.8, 9.6, 11.6, 11.6, 10, 500, 0, 505}, 10, "helped"},
		"the peers do not bear what was moved to them":    {course{20, 10, 25, 25, 50, 100, 0, 150}, 10, "the peers of the component got 50 % more requests and became slower, so the action did not help"},
		"the peers are slower, and users wait less":       {course{20, 10, 15, 15, 50, 100, 0, 150}, 10, "helped"},
		"the load is unknown, and the peers are slower":   {course{20, 10, 25, 25, unknown, unknown, unknown, unknown}, 10, "the peers of the component became slower, so the action did not help"},
		"the load is unknown, and the peers are the same": {course{20, 10, 10, 10, unknown, unknown, unknown, unknown}, 10, "helped"},
		"too short": {usual(20, 10, 12, 10), 7, ErrNoneAfter.Error()},
	} {
		v, err := Judge(tt.c.latencies(tt.n), 1000, 1000, 120)
		var got string
		if err != nil {
			got = err.Error()
		} else if got = v.String(); v.Helped != strings.HasSuffix(got, "the action helped") {
			t.Errorf("%s: %+v says %q", name, v, got)
		}
		if !strings.HasSuffix(got, tt.want) {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	if _, err := Judge(&Latencies{StepSeconds: 15}, 1000, 1000, 120); err != ErrNoneBefore {
		t.Errorf("no latencies: %v", err)
	}
	v, err := Judge(usual(14.7, 8.7, 9.1, 8.9).latencies(10), 1000, 1000, 120)
	if want := "before the action, a request to the peer group took 14.7 ms (8.7 ms without the slow component); after the action, 9.1 ms (8.9 ms without the component): the action helped"; err != nil || v.String() != want {
		t.Errorf("%v, %v", v, err)
	}
	// The step during which the part was masked does not count, and one odd step decides nothing.
	l := usual(20, 10, 12, 10).latencies(9)
	l.Samples[20].Group, l.Samples[24].Group = 500, 500
	if v, err := Judge(l, 1000, 1007, 120); err != nil || !v.Helped {
		t.Errorf("%+v, %v", v, err)
	}
	// A part that is slower than its peers in half of the steps, and faster in the others, is not slow.
	l = usual(10.1, 10, 10, 10).latencies(10)
	for i := 0; i < 20; i += 2 {
		l.Samples[i].Group = 9.95
	}
	if v, err := Judge(l, 1000, 1000, 120); err != nil || v.Helped {
		t.Errorf("%+v, %v", v, err)
	}
	// A load that swings from step to step hides nothing: each step is compared with itself.
	l = usual(20, 10, 10, 10).latencies(10)
	for i := range l.Samples {
		swing := 1 + float64(i%5)
		l.Samples[i].Group, l.Samples[i].Others = l.Samples[i].Group*swing, l.Samples[i].Others*swing
	}
	if v, err := Judge(l, 1000, 1000, 120); err != nil || !v.Helped {
		t.Errorf("%+v, %v", v, err)
	}
}
