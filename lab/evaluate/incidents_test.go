package evaluate

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
)

// fewTrials are one of each experiment, on the smallest of systems. With -short the arrays have half
// of the LUNs.
func fewTrials(t testing.TB) IncidentsOptions {
	t.Helper()
	o := DefaultIncidents()
	o.Quick()
	o.System.Arrays, o.System.Servers, o.System.LUNs = 3, 24, 24
	o.ConcurrentSystem.LUNs = 24
	if testing.Short() {
		o.System.LUNs, o.ConcurrentSystem.LUNs = 12, 12
	}
	o.Runs = 2
	o.Events = arrays.IntrepidEvents()
	if err := o.Choose([]string{"fs16"}); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestIncidentsWhoeverDoesIt(t *testing.T) {
	run := func(workers int) (*IncidentsResult, string) {
		o := fewTrials(t)
		o.Workers = workers
		told := 0
		r, err := Incidents(t.Context(), o, func(done, total int) {
			if told++; done != told || total != 4 {
				t.Errorf("%d of %d done, want %d of 4", done, total, told)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return r, inText(t, r.Report(published(t)))
	}
	r, one := run(1)
	if _, two := run(3); two != one {
		t.Error("three workers come to another result than one")
	}
	if e := r.of(EventsExperiment)[0]; e.Paper != 17 || !e.Exact() || e.Found() != 1 {
		t.Errorf("a server that is down: paper %v, %+v", e.Paper, e.IncidentScores)
	}
	for i, c := range r.of(ConcurrentExperiment) {
		if c.Faults != 2+i || len(c.Drawn) != c.Faults || len(c.Devices) != c.Faults || c.Seed != uint64(1+i) {
			t.Errorf("run %d has %d faults of %d, seed %d", i, len(c.Devices), c.Faults, c.Seed)
		}
	}
	if q := r.of(QuietExperiment); len(q) != 1 || len(q[0].Devices) != 0 {
		t.Errorf("quiet days: %+v", q)
	}
}

// TestTrials: quiet days are parted into runs, and each run has a seed of its
// own.
func TestTrials(t *testing.T) {
	o := DefaultIncidents()
	o.Days = 12
	days := 0
	seeds := map[string]map[uint64]bool{ConcurrentExperiment: {}, QuietExperiment: {}}
	for _, trial := range o.trials(published(t)) {
		if trial.Experiment == QuietExperiment {
			days += trial.Days
		}
		if of := seeds[trial.Experiment]; of != nil {
			of[trial.Seed] = true
		}
	}
	if days != 12 || len(seeds[QuietExperiment]) != 3 || len(seeds[ConcurrentExperiment]) != 200 {
		t.Errorf("%d days in %d runs, %d runs with faults", days, len(seeds[QuietExperiment]), len(seeds[ConcurrentExperiment]))
	}
}

func TestBadIncidentsOptions(t *testing.T) {
	tests := []struct {
		change func(*IncidentsOptions)
		want   string
	}{
		{func(o *IncidentsOptions) { o.Experiments = nil }, "no experiment is chosen: choose one or more of events, concurrent, quiet"},
		{func(o *IncidentsOptions) { o.Experiments = []string{"noise"} }, `experiment "noise" is unknown`},
		{func(o *IncidentsOptions) { o.Experiments = []string{"quiet", "quiet"} }, "experiment quiet is given twice"},
		{func(o *IncidentsOptions) { o.Events = nil }, "no event is chosen"},
		{func(o *IncidentsOptions) { o.Runs = 0 }, "0 runs are too few"},
		{func(o *IncidentsOptions) { o.Faults = nil }, "the number of faults is missing"},
		{func(o *IncidentsOptions) { o.Faults = []int{0} }, "0 faults at the same time"},
		{func(o *IncidentsOptions) { o.Days = 0 }, "the number of days without a fault is 0, and"},
		{func(o *IncidentsOptions) { o.ConcurrentSystem.Days = 1 }, "runs of 1 day are too short: limpet needs 2 days to find the weakest faults"},
		{func(o *IncidentsOptions) { o.ConcurrentSystem.Arrays = 0 }, "0 arrays"},
		{func(o *IncidentsOptions) { o.Judge([]string{"rxbyt"}) }, `"rxbyt" is not a metric of a storage device`},
		{func(o *IncidentsOptions) { o.Workers = 0 }, "0 workers"},
	}
	for _, tt := range tests {
		o := DefaultIncidents()
		tt.change(&o)
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %q", err, tt.want)
		}
	}
	o := DefaultIncidents()
	if o.Judge([]string{"all"}); len(o.Diagnose.Metrics) != 8 || o.Validate() != nil {
		t.Errorf("all metrics are %v: %v", o.Diagnose.Metrics, o.Validate())
	}
}

func TestIncidentsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Incidents(ctx, fewTrials(t), nil); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("error %v", err)
	}
}

func TestTrialLatency(t *testing.T) {
	named := func(hours float64) Device {
		return Device{Named: true, Latency: time.Duration(hours * float64(time.Hour))}
	}
	nan := math.NaN()
	tests := []struct {
		devices    []Device
		first, all float64
	}{
		{[]Device{named(2)}, 2, 2},
		{[]Device{named(2), named(0.5), named(3)}, 0.5, 3},
		{[]Device{{}, named(2)}, 2, nan},
		{[]Device{named(2), {}}, 2, nan},
		{[]Device{{}}, nan, nan},
	}
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	for _, tt := range tests {
		trial := Trial{IncidentScores: &IncidentScores{Devices: tt.devices}}
		if first, all := trial.latency(); !same(first, tt.first) || !same(all, tt.all) {
			t.Errorf("%+v: %v and %v, want %v and %v", tt.devices, first, all, tt.first, tt.all)
		}
	}
}

// someTrials are events of which one is doubled and one missed, runs of which
// one blames a healthy LUN, and quiet days.
func someTrials() *IncidentsResult {
	events := arrays.IntrepidEvents()
	at := func(hours float64) int64 { return events[0].At.Add(time.Duration(hours * float64(time.Hour))).Unix() }
	found := func(verdict Verdict, kind finding.Kind, component, of string, hours float64) Found {
		return Found{Verdict: verdict, Of: of, Incident: incident.Incident{Kind: kind, Place: blame.Place{Name: component}, Confirmed: at(hours)}}
	}
	device := func(kind simulate.Kind, component string, hours float64) Device {
		return Device{
			Component: component, Kind: kind, Text: component + " is broken", Named: hours > 0, Found: hours > 0,
			Latency: time.Duration(hours * float64(time.Hour)), OnsetError: time.Duration(hours * float64(time.Minute)),
		}
	}
	drawn := func(mechanism, component string) arrays.Drawn {
		return arrays.Drawn{Mechanism: mechanism, Component: component, Entry: "{at: 7h0m0s, mechanism: " + mechanism + ", components: \"" + component + "\"}"}
	}
	right := func(component string, hours float64) Found {
		return found(Right, finding.SingleLUN, component, component, hours)
	}
	o := DefaultIncidents()
	return &IncidentsResult{Options: o, Trials: []Trial{
		{Experiment: EventsExperiment, Seed: 1, Event: &events[0], Paper: 1, Source: "L13 Table 4", IncidentScores: &IncidentScores{
			Devices: []Device{device(simulate.LostAttachment, "ddn19a", 0.5)},
			Incidents: []Found{
				found(Right, finding.LostAttachment, "ddn19a", "ddn19a", 0.5),
				found(Doubled, finding.SingleLUN, "19.00", "ddn19a", 9),
			},
		}},
		{Experiment: EventsExperiment, Seed: 1, Event: &events[6], Paper: 22.1, Source: "L13 Table 4", IncidentScores: &IncidentScores{
			Devices: []Device{device(simulate.LostAttachment, "ddn12a", 0.5), device(simulate.LostAttachment, "ddn20a", 30), device(simulate.LostAttachment, "ddn21a", 0)},
		}},
		{Experiment: ConcurrentExperiment, Seed: 1, Days: 2, Faults: 2, Drawn: []arrays.Drawn{drawn("slow lun", "6.01"), drawn("busy lun", "7.02")}, IncidentScores: &IncidentScores{
			Devices:   []Device{device(simulate.SingleLUN, "6.01", 3), device(simulate.WorkloadImbalance, "7.02", 6)},
			Incidents: []Found{right("6.01", 3), right("7.02", 6)},
		}},
		{Experiment: ConcurrentExperiment, Seed: 2, Days: 2, Faults: 3, Drawn: []arrays.Drawn{drawn("slow lun", "6.03"), drawn("slow lun", "6.04"), drawn("server down", "fs2")}, IncidentScores: &IncidentScores{
			Devices:   []Device{device(simulate.SingleLUN, "6.03", 0), device(simulate.SingleLUN, "6.04", 5), device(simulate.SilentServer, "fs2", 0.1)},
			Incidents: []Found{right("6.04", 5), right("fs2", 0.1), found(falseIncidents, finding.SingleLUN, "7.07", "the drives of LUN 7.07 take 1.25 times as long for a request, rebuilding a drive", 20)},
		}},
		{Experiment: QuietExperiment, Seed: 1, Days: 5, LUNs: 100, Suspects: 3, Unfounded: 1, IncidentScores: &IncidentScores{Incidents: []Found{
			found(excused, finding.ServerIssued, "fs3", "fs3", 2), found(falseIncidents, finding.ServerIssued, "fs4", "", 9),
		}}},
		{Experiment: QuietExperiment, Seed: 2, Days: 5, LUNs: 100, IncidentScores: &IncidentScores{}},
	}}
}
