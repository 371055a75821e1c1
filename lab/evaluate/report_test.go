package evaluate

import (
	"bytes"
	"encoding/csv"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate/testbench"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// someRuns are a diagnosis that finds disk faults, takes every third
// network hog for packet loss, and once indicts a healthy server.
func someRuns(t testing.TB) *TestbenchResult {
	t.Helper()
	o := DefaultTestbench()
	o.Methods = o.Methods[:1]
	o.Clusters, o.Runs = []testbench.Cluster{testbench.Clusters()[0], {FileSystem: testbench.PVFS, Clients: 3, Servers: 4}}, 3
	r := &TestbenchResult{Options: o}
	for i, p := range o.plans() {
		e := Experiment{Cluster: p.cluster.String(), Workload: string(p.workload), Fault: p.faultName(), Run: p.run, Method: "f10"}
		switch p.fault {
		case testbench.DiskHog, testbench.DiskBusy:
			e.Faulty = []Blame{{Server: "ios1", Cause: e.Fault}}
			e.Indicted, e.OnsetErrors = e.Faulty, []float64{float64(i%7) - 2}
		case testbench.ReadNetworkHog, testbench.WriteNetworkHog:
			e.Faulty = []Blame{{Server: "ios1", Cause: "network-hog"}}
			e.Indicted = e.Faulty
			if p.run == 2 {
				e.Indicted = []Blame{{Server: "ios1", Cause: "packet loss"}}
			}
		case testbench.ReceiveLoss, testbench.SendLoss:
			e.Faulty = []Blame{{Server: "ios1", Cause: "packet loss"}}
			if observableFaults(e.Fault, e.Workload) {
				e.Indicted = e.Faulty
			}
		}
		if i == 7 {
			e.Indicted = append(e.Indicted, Blame{Server: "ios2", Cause: "disk-busy"})
		}
		for range e.Indicted {
			e.Evidence = append(e.Evidence, "await 3.2 > 1.4")
		}
		r.Experiments = append(r.Experiments, e)
	}
	return r
}

func someSightings() *IntrepidResult {
	at := func(text string) time.Time { t, _ := time.Parse(time.DateTime, text); return t }
	scored := func(tp, fp int) *Result {
		return &Result{
			Windows: Confusion{TP: tp, FP: fp, TN: 1000, FN: 5}, HealthyDays: 500,
			Verdicts: []Verdicts{{Persist: 1, FalseAlarms: 4 * fp, HealthyDays: 500}, {Persist: 8, FalseAlarms: fp, HealthyDays: 500}},
		}
	}
	o := DefaultIntrepid()
	o.Persist = []int{1, 8}
	return &IntrepidResult{Options: o, Events: []EventResult{
		{
			At: at("2011-07-14 00:00:00"), Device: "ddn19a", Category: "controller failure", Paper: 1, Source: "L13 Table 4",
			Seen:   map[string]Sighting{"cdf": {Observed: true, Hours: 2, Looks: 0, Peak: 140}, "median": {Observed: true, Hours: 9, Looks: 1, Peak: 110}, "thresh": {Observed: true, Hours: 1, Looks: 0, Peak: 160}},
			Scores: map[string]*Result{"cdf": scored(90, 2), "median": scored(60, 10), "thresh": scored(30, 1)},
		},
		{
			At: at("2011-08-15 07:31:00"), Device: "fs24", Category: "file server down", Paper: 0.48, Source: "L13 Table 4",
			Seen:   map[string]Sighting{"cdf": {Observed: true, Hours: 1.4833, Looks: 2, Peak: 130}, "median": {Observed: false, Hours: 0, Looks: 3, Peak: 44}, "thresh": {Observed: true, Hours: 4.4833, Looks: 0, Peak: 100}},
			Scores: map[string]*Result{"cdf": scored(80, 1), "median": scored(20, 12), "thresh": scored(10, 0)},
		},
		{
			At: at("2011-08-01 19:00:00"), Device: "fs16", Category: "file server down", Paper: 17, Source: "L13 Table 4",
			Seen:   map[string]Sighting{"cdf": {Observed: true, Hours: 20}, "median": {Observed: true, Hours: 20}, "thresh": {Observed: true, Hours: 12}},
			Scores: map[string]*Result{},
		},
		{
			At: at("2011-09-11 03:22:00"), Device: "fs25", Category: "file server down", Paper: 11.6, Source: "L13 Table 4",
			Seen:   map[string]Sighting{"cdf": {Observed: true, Hours: 13}},
			Scores: map[string]*Result{},
		},
		{
			At: at("2026-03-01 12:00:00"), Device: "1.07", Category: "scrubbing", Paper: math.NaN(),
			Seen:   map[string]Sighting{"cdf": {Observed: false, Hours: 0, Looks: 0, Peak: 12}},
			Scores: map[string]*Result{},
		},
	}}
}

func someVerdicts() *TruthResult {
	return &TruthResult{System: "demo", Method: "default", Metrics: []string{"await"}, Simulated: true, Result: &Result{
		Components: 192, HealthyDays: 61.25, Windows: Confusion{TP: 700, FP: 14, TN: 11000, FN: 90},
		Verdicts: []Verdicts{
			{Persist: 1, Components: Confusion{TP: 30, FP: 9, TN: 151, FN: 2}, Found: 3, FalseAlarms: 11, Harmless: 4, HealthyDays: 61.25},
			{Persist: 8, Components: Confusion{TP: 29, TN: 160, FN: 3}, Found: 2, HealthyDays: 61.25},
		},
		Faults: []FaultResult{
			{Kind: "single LUN", Component: "1.07", ToVerdict: []time.Duration{1500 * time.Second, 5100 * time.Second}},
			{Kind: "lost attachment", Component: "ddn2a", ToVerdict: []time.Duration{22*time.Minute + 30*time.Second, 3 * time.Hour}},
			{Kind: "drawer error", Component: "ddn1", ToVerdict: []time.Duration{90 * time.Second, never}},
		},
	}}
}

func reports(t testing.TB) map[string]*Report {
	t.Helper()
	p := published(t)
	return map[string]*Report{
		"testbench": someRuns(t).Report(p),
		"sweep":     someSweep(t).Report(p),
		"intrepid":  someSightings().Report(p),
		"incidents": someTrials().Report(p),
		"truth":     someVerdicts().Report(),
	}
}

// TestReportText holds the reports, as text, against golden files.
func TestReportText(t *testing.T) {
	for name, r := range reports(t) {
		var got bytes.Buffer
		if err := r.Text(&got); err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != string(want) {
			t.Errorf("the report differs from %s; see the difference after go test -update\n%s", golden, got.String())
		}
		if !strings.Contains(got.String(), "simulated") {
			t.Errorf("%s does not say that it is simulated", name)
		}
	}
}

// TestReportCSV: every figure is one line, numbers are numbers, and no two
// lines are about the same.
func TestReportCSV(t *testing.T) {
	for name, r := range reports(t) {
		var out bytes.Buffer
		if err := r.CSV(&out); err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(&out).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if len(lines) != 1+len(r.Figures) || len(r.Figures) == 0 {
			t.Errorf("%s: %d lines for %d figures", name, len(lines), len(r.Figures))
		}
		seen := map[string]bool{}
		for _, line := range lines[1:] {
			key := strings.Join(line[:6], "|")
			if seen[key] {
				t.Errorf("%s: two lines of %s", name, key)
			}
			seen[key] = true
			for _, i := range []int{7, 8, 10} {
				if _, err := strconv.ParseFloat(line[i], 64); err != nil && line[i] != "" {
					t.Errorf("%s: %q is no number in %v", name, line[i], line)
				}
			}
			if (line[8] == "") != (line[9] == "") {
				t.Errorf("%s: a paper's figure and its source go together: %v", name, line)
			}
		}
	}
}

func TestReportHTML(t *testing.T) {
	for name, r := range reports(t) {
		var out bytes.Buffer
		if err := r.HTML(&out); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(out.String(), "<figure class=") {
			t.Errorf("%s has no plot", name)
		}
		if dir := os.Getenv("LIMPET_PAGES"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, name+".html"), out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
