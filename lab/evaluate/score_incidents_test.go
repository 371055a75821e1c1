package evaluate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/lab/simulate"
)

// onset is when the faults of these tests begin, in Unix seconds; they last
// for ten hours.
const onset = 1_000_000

func fault(kind simulate.Kind, component string, attachments ...string) simulate.Fault {
	return simulate.Fault{Kind: kind, Component: component, From: time.Unix(onset, 0), To: time.Unix(onset+36000, 0), Attachments: attachments}
}

// told is an incident confirmed some seconds after the onset, which is said to
// have been between then and an hour before.
func told(kind finding.Kind, component string, after int64, members ...int) incident.Incident {
	in := incident.Incident{Kind: kind, Place: blame.Place{Name: component}, Confirmed: onset + after, Onset: finding.Onset{Early: onset + after - 3600, Late: onset + after}}
	for _, c := range members {
		in.Members = append(in.Members, finding.Member{Component: c})
	}
	return in
}

// doubted is told as slow, or rebuilding a drive.
func doubted(component string, after int64) incident.Incident {
	in := told(finding.SingleLUN, component, after)
	in.MayBe = finding.ArrayUpkeep
	return in
}

func TestJudge(t *testing.T) {
	s := small(t)
	at := func(name string) int {
		c, ok := s.Lookup(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		return c
	}
	slow := fault(simulate.SingleLUN, "1.01")
	lost := fault(simulate.LostAttachment, "ddn1", "1.00.1", "1.00.2")
	alsoLost := fault(simulate.LostAttachment, "ddn1", "1.03.4")
	down := fault(simulate.SilentServer, "fs2", "1.01.2", "1.05.2")
	work := fault(simulate.ServerIssued, "fs3")
	reset := fault(simulate.LUNReset, "ddn1")
	rebuild, hot := fault(simulate.Upkeep, "1.06"), fault(simulate.Transient, "1.06")
	o := persistence.DefaultOptions()
	memory := memory(&o)
	tests := []struct {
		name   string
		faults []simulate.Fault
		told   []incident.Incident
		want   string // devices, then incidents
		exact  bool
	}{
		{"found", []simulate.Fault{slow}, []incident.Incident{told(finding.SingleLUN, "1.01", 3600)}, "1.01 found 1h; right", true},
		{"missed", []simulate.Fault{slow}, nil, "1.01 missed", false},
		{"nothing to find", nil, nil, "", true},
		{"of another kind", []simulate.Fault{slow}, []incident.Incident{told(finding.WorkloadImbalance, "1.01", 3600)}, "1.01 named 1h; wrong kind 1.01", true},
		{"before it began", []simulate.Fault{slow}, []incident.Incident{told(finding.SingleLUN, "1.01", -1)}, "1.01 missed; false", false},
		{"as it ended", []simulate.Fault{slow}, []incident.Incident{told(finding.SingleLUN, "1.01", 36000+memory)}, "1.01 found 10h48m45s; right", true},
		{"long after its end", []simulate.Fault{slow}, []incident.Incident{told(finding.SingleLUN, "1.01", 36000+memory+1)}, "1.01 missed; false", false},
		{"in its place", []simulate.Fault{slow}, []incident.Incident{told(finding.DrawerError, "ddn1", 60, at("1.01.2"), at("1.02.3"))}, "1.01 missed; wrong component 1.01", false},
		{"twice", []simulate.Fault{slow}, []incident.Incident{told(finding.SingleLUN, "1.01", 60), told(finding.SingleLUN, "1.01", 7200)}, "1.01 found 1m; right, doubled 1.01", false},
		{"the right kind before the first", []simulate.Fault{slow}, []incident.Incident{told(finding.StalledRequests, "1.01", 60), told(finding.SingleLUN, "1.01", 7200)}, "1.01 found 2h; doubled 1.01, right", false},
		{"and its heir", []simulate.Fault{lost}, []incident.Incident{told(finding.LostAttachment, "ddn1", 60), told(finding.SingleLUN, "1.00.3", 60, at("1.00.3"))}, "ddn1 found 1m; right, doubled ddn1", false},
		{"and another", []simulate.Fault{slow}, []incident.Incident{told(finding.SingleLUN, "1.01", 60), told(finding.SingleLUN, "1.07", 60, at("1.07.4"))}, "1.01 found 1m; right, false", false},
		{"a rebuild is no excuse", []simulate.Fault{rebuild}, []incident.Incident{told(finding.SingleLUN, "1.06", 60)}, "; false", false},
		{"a rebuild, told as what it may be", []simulate.Fault{rebuild}, []incident.Incident{doubted("1.06", 60)}, "; correctly called doubtful", true},
		{"a slow LUN, told as what it is not", []simulate.Fault{slow}, []incident.Incident{doubted("1.01", 60)}, "1.01 found 1m; right", true},
		{"what passes is no excuse", []simulate.Fault{hot}, []incident.Incident{doubted("1.06", 60)}, "; false", false},
		{"faults of one component", []simulate.Fault{lost, alsoLost}, []incident.Incident{told(finding.LostAttachment, "ddn1", 60)}, "ddn1 found 1m; right", true},
		{"kinds of one component", []simulate.Fault{lost, reset}, []incident.Incident{told(finding.StalledRequests, "ddn1", 60), told(finding.LostAttachment, "ddn1", 120)}, "ddn1 found 2m, ddn1 found 1m; right, right", true},
		{"silent", []simulate.Fault{down}, []incident.Incident{told(finding.SilentServer, "fs2", 60)}, "fs2 found 1m; right", true},
		{"silent, told by its paths", []simulate.Fault{down}, []incident.Incident{told(finding.LostAttachment, "fs2", 60)}, "fs2 found 1m; right", true},
		{"work where it is", []simulate.Fault{work}, []incident.Incident{told(finding.ServerIssued, "fs3", 60)}, "; harmless fs3", true},
		{"work where it is not", []simulate.Fault{work}, []incident.Incident{told(finding.ServerIssued, "fs4", 60)}, "; false", false},
		{"work blamed for a fault", []simulate.Fault{down}, []incident.Incident{told(finding.ServerIssued, "fs3", 60, at("1.01.3"))}, "fs2 missed; false", false},
		{"a missed one before a found one", []simulate.Fault{slow, fault(simulate.SingleLUN, "1.02")}, []incident.Incident{told(finding.SingleLUN, "1.01", 60), told(finding.DrawerError, "ddn1", 60, at("1.01.2"), at("1.02.3"))}, "1.01 found 1m, 1.02 missed; right, wrong component 1.02", false},
	}
	for _, tt := range tests {
		truth := &simulate.Truth{}
		for _, f := range tt.faults {
			truth.Add(f)
		}
		for i := range tt.told {
			tt.told[i].ID = fmt.Sprint(i + 1)
		}
		got, err := judgeIncidents(&o, s, truth, tt.told)
		if err != nil {
			t.Fatal(err)
		}
		if text := verdicts(got); text != tt.want || got.Exact() != tt.exact {
			t.Errorf("%s: %q, exact %v; want %q, %v", tt.name, text, got.Exact(), tt.want, tt.exact)
		}
	}
}

func verdicts(r *IncidentScores) string {
	var devices, incidents []string
	for _, d := range r.Devices {
		switch latency := strings.TrimSuffix(strings.TrimSuffix(d.Latency.String(), "0s"), "0m"); {
		case d.Found:
			devices = append(devices, fmt.Sprintf("%s found %s", d.Component, latency))
		case d.Named:
			devices = append(devices, fmt.Sprintf("%s named %s", d.Component, latency))
		default:
			devices = append(devices, d.Component+" missed")
		}
	}
	for _, f := range r.Incidents {
		text := string(f.Verdict)
		if f.Of != "" && f.Verdict != Right && f.Verdict != falseIncidents {
			text += " " + f.Of
		}
		incidents = append(incidents, text)
	}
	if len(incidents) == 0 {
		return strings.Join(devices, ", ")
	}
	return strings.Join(devices, ", ") + "; " + strings.Join(incidents, ", ")
}

func TestOnsetError(t *testing.T) {
	tests := []struct {
		onset finding.Onset
		want  time.Duration
	}{
		{finding.Onset{Early: onset - 60, Late: onset + 60}, 0},
		{finding.Onset{Early: onset + 60, Late: onset + 120}, time.Minute},
		{finding.Onset{Early: onset - 7200, Late: onset - 3600}, time.Hour},
	}
	o := persistence.DefaultOptions()
	for _, tt := range tests {
		in := told(finding.SingleLUN, "1.01", 3600)
		in.Onset = tt.onset
		got, err := judgeIncidents(&o, small(t), &simulate.Truth{Faults: []simulate.Fault{fault(simulate.SingleLUN, "1.01")}}, []incident.Incident{in})
		if err != nil {
			t.Fatal(err)
		}
		if d := got.Devices[0].OnsetError; d != tt.want {
			t.Errorf("%+v: %v off, want %v", tt.onset, d, tt.want)
		}
	}
}

func TestJudgeOtherSystem(t *testing.T) {
	o := persistence.DefaultOptions()
	_, err := judgeIncidents(&o, small(t), &simulate.Truth{Faults: []simulate.Fault{fault(simulate.SingleLUN, "9.01")}}, nil)
	if err == nil || !strings.Contains(err.Error(), "the truth file names component 9.01, but the data do not have this component") {
		t.Errorf("error %v", err)
	}
}
