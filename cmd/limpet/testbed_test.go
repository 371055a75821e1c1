package main

import (
	"strings"
	"testing"
)

// TestRecordedRuns holds the plain diagnosis against runs of a real GlusterFS
// (docs/evaluate-testbed.md). The bounds are what holds today; a change that does better
// tightens them.
func TestRecordedRuns(t *testing.T) {
	got := figures(t, "evaluate", "truth", "../../lab/testbed/testdata/gluster")
	at := func(subject, figure string) float64 {
		v, ok := got[strings.Join([]string{"gluster", "default", subject, "", figure}, "|")]
		if !ok {
			t.Fatalf("there is no %s of %s among %v", figure, subject, got)
		}
		return v
	}
	runs, right := 0, 0.0
	for key, v := range got {
		if strings.HasSuffix(key, "|right") {
			runs++
			right += v
		}
	}
	if runs != 19 || right < 15 {
		t.Errorf("%v of %d runs are right", right, runs)
	}
	for run, fault := range map[string]string{"f36-001": "hang", "f36-004": "none", "f36-006": "disk-full"} { // a hang, a control run and a full disk, recorded with waits
		if v, ok := got[strings.Join([]string{"gluster", "default", run, fault, "right"}, "|")]; !ok || v != 1 {
			t.Errorf("run %s is wrong", run)
		}
	}
	const observable = "F10's faults, observable"
	if itp, dtp := at(observable, "ITP"), at(observable, "DTP"); itp < 80 || dtp < 80 {
		t.Errorf("%s: ITP %v, DTP %v", observable, itp, dtp)
	}
	if ifp, dfp := at("all", "IFP"), at("all", "DFP"); ifp > 7 || dfp > 7 {
		t.Errorf("IFP %v, DFP %v of all runs", ifp, dfp)
	}
}
