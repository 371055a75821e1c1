package main

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"testing"
)

// figures runs an evaluation and returns its figures by what stands before
// them.
func figures(t *testing.T, args ...string) map[string]float64 {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), append(args, "--format", "csv"), nil, &out, &errs); code != 0 {
		t.Fatalf("%v: exit %d\n%s", args, code, errs.String())
	}
	lines, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]float64{}
	for _, l := range lines[1:] {
		if v, err := strconv.ParseFloat(l[7], 64); err == nil {
			all[strings.Join(l[1:6], "|")] = v
		}
	}
	return all
}

// takesMinutes skips an evaluation in an ordinary test run.
func takesMinutes(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("an evaluation takes minutes: make test-full")
	}
}

// TestQuickTestbench holds the simulated test bench and the paper's algorithm
// against what is certain of F10 Table 2: disk faults are found and nothing
// else is blamed, loss is found where data flow that way, control runs are
// clean. Ours must find everything that can be seen, and nothing else.
func TestQuickTestbench(t *testing.T) {
	takesMinutes(t)
	got := figures(t, "evaluate", "testbench", "--quick")
	at := func(fault, workload, rate string) float64 {
		key := strings.Join([]string{"pvfs-10/10", "f10", fault, workload, rate}, "|")
		v, ok := got[key]
		if !ok {
			t.Fatalf("there is no %s among %v", key, got)
		}
		return v
	}
	for rate, want := range map[string]float64{"ITP": 100, "IFP": 0, "DTP": 100, "DFP": 0} {
		key := strings.Join([]string{"pvfs-10/10", "default", "observable", "", rate}, "|")
		if v, ok := got[key]; !ok || v != want {
			t.Errorf("ours: %s %v, want %v", rate, v, want)
		}
	}
	if v := got[strings.Join([]string{"pvfs-10/10", "default", "none", "", "IFP"}, "|")]; v != 0 {
		t.Errorf("ours indicts somebody in %v %% of control runs", v)
	}
	for _, rate := range []string{"IFP", "DFP"} {
		if v := at("none", "", rate); v != 0 {
			t.Errorf("control runs: %s %v", rate, v)
		}
	}
	for _, fault := range []string{"disk-hog", "disk-busy"} {
		if itp, dtp := at(fault, "", "ITP"), at(fault, "", "DTP"); itp < 100 || dtp < 80 {
			t.Errorf("%s: ITP %v, DTP %v", fault, itp, dtp)
		}
	}
	for workload, fault := range map[string]string{"ddw": "receive-pktloss", "ddr": "send-pktloss"} {
		if v := at(fault, workload, "DTP"); v != 100 {
			t.Errorf("%s under %s: DTP %v", fault, workload, v)
		}
	}
	for rate, paper := range map[string]float64{"ITP": 77.3, "DTP": 76} {
		if v := at("aggregate", "", rate); v < paper-15 || v > paper+15 {
			t.Errorf("aggregate %s %v, the paper's %v", rate, v, paper)
		}
	}
}

// TestQuickSweep holds a sweep against what F10 §11.2 says most clearly:
// thresholds that are not multiplied indict healthy servers far more often,
// and congestion windows that are not smoothed hide lost packets.
func TestQuickSweep(t *testing.T) {
	takesMinutes(t)
	got := figures(t, "evaluate", "--sweep=cwnd-smooth,factor", "--quick", "--workload", "ddr,ddw")
	at := func(setting, value, rate string) float64 {
		key := strings.Join([]string{"all clusters", "f10", setting, value, rate}, "|")
		v, ok := got[key]
		if !ok {
			t.Fatalf("there is no %s among %v", key, got)
		}
		return v
	}
	if one, own := at("factor", "1", "IFP"), at("factor", "2", "IFP"); one < own+10 {
		t.Errorf("IFP at factor 1 is %v, at F10's %v", one, own)
	}
	if one, own := at("cwnd-smooth", "1", "ITP"), at("cwnd-smooth", "31", "ITP"); one > own-5 {
		t.Errorf("ITP without smoothing of cwnd is %v, with F10's %v", one, own)
	}
	for _, rate := range []string{"ITP", "IFP", "DTP", "DFP"} {
		if a, b := at("factor", "2", rate), at("cwnd-smooth", "31", rate); a != b {
			t.Errorf("%s of F10's own settings is %v and %v", rate, a, b)
		}
	}
}

// TestQuickIntrepid: a failed controller, which L13 saw within the hour, is
// seen in the first lists.
func TestQuickIntrepid(t *testing.T) {
	takesMinutes(t)
	got := figures(t, "evaluate", "intrepid", "--events", "2011-07-14 ddn19a", "--measures", "cdf")
	hours, seen := got["intrepid|cdf|ddn19a|2011-07-14T00:00Z|time until seen"]
	if !seen || hours > 4 {
		t.Errorf("seen %v, after %v h: %v", seen, hours, got)
	}
	if v := got["intrepid|cdf|all|windows|MCC"]; v < 0.8 {
		t.Errorf("MCC of windows %v", v)
	}
}

// TestQuickIncidents: faults become incidents at their component, events no
// later than L13 saw them, and a day without a fault has none.
func TestQuickIncidents(t *testing.T) {
	takesMinutes(t)
	got := figures(t, "evaluate", "incidents", "--quick")
	for key, want := range map[string]float64{
		"all|events|events found without a wrong incident":   3,
		"all|events|events found no later than in the paper": 3,
		"faults at once|any|faults named":                    100,
		"all|quiet|false incidents":                          0,
	} {
		if v, ok := got["intrepid|default|"+key]; !ok || v != want {
			t.Errorf("%s: %v, want %v", key, v, want)
		}
	}
}
