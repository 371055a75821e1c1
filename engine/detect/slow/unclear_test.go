package slow

import (
	"math"
	"testing"
)

// TestUnclear: one of six drives is slow, and three others become slow hours later. After some time the
// members of the group differ so much that the comparison shows nothing any more. The first drive is
// then not judged, and its wait goes on, until it is like its peers again.
func TestUnclear(t *testing.T) {
	r := newRack(t, 6)
	isJudged := func() bool {
		r.courses[0].compared = true // steps has called ResetCompared
		defer r.ResetCompared()
		return r.Judged(0)
	}
	r.steps(960)
	r.times[0] = 6
	if found := r.steps(480); len(found) != 1 || !isJudged() || r.UnclearWait(0) != 0 {
		t.Fatalf("a slow drive: judged is %t, the wait is %g, and the findings are %+v", isJudged(), r.UnclearWait(0), found)
	}
	before := r.waitedSeconds(0)
	r.times[1], r.times[2], r.times[3] = 2.4, 2.4, 2.4
	if found := r.steps(1920); len(found) != 0 {
		t.Fatalf("in a group that differs by %g there are findings: %+v", math.Exp(r.groups[0].normalDifference), found)
	}
	if isJudged() {
		t.Errorf("the drive is %g times slower than its group, and is judged", math.Exp(r.courses[0].now))
	}
	// 100 requests a second, for eight hours, that take 30 ms instead of 12 ms, the median of the others.
	if got, want := r.UnclearWait(0)-before, 100*1920*15*0.018; got < 0.8*want || got > 1.3*want {
		t.Errorf("after its evidence was gone, requests waited %g s, want about %g", got, want)
	}
	for c := range r.times {
		r.times[c] = 1
	}
	if r.steps(180); !isJudged() || r.courses[0].unclear || r.UnclearWait(0) != 0 {
		t.Errorf("like its peers for 45 min: judged is %t, unclear is %t, the wait is %g", isJudged(), r.courses[0].unclear, r.UnclearWait(0))
	}
}
