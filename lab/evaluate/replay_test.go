package evaluate

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/report/replay"
	"github.com/limpet-storage/limpet/topology"
)

// replayed is a result with every kind of action: one that helped, one that was reversed, one whose
// benefit is unknown, and one on a part without a fault.
func replayed() *replay.Result {
	const hour = 3600
	act := func(component string, e action.Effect, began, ended int64, why replay.Ending, saved float64) replay.Action {
		return replay.Action{
			Component: component, Group: "all", Effect: e, What: "mask " + component, Command: "mask", Why: component + " is slow", Began: began, Ended: ended, Ending: why, Reason: "it did not help",
			SavedSeconds: saved, Steps: 240, MissingSteps: 20, CountedSeconds: 3300, MovedRequests: 33_000, PeersRequests: 330_000, Fault: component,
		}
	}
	unknown := act("d3", action.Relieve, 8*hour, 0, "", math.NaN())
	unknown.CountedSeconds, unknown.MovedRequests, unknown.PeersRequests, unknown.Fault = 0, 0, 0, ""
	helped := act("d1", action.TakeOut, hour, 2*hour, replay.IncidentOver, 1234.5)
	helped.Verdict = &action.Verdict{Helped: true, Before: 15, Others: 5, After: 6, OthersAfter: 5.5, Unit: "ms"}
	return &replay.Result{
		System: "site", From: 0, To: 10 * hour, Known: true, Faults: 2, WaitedSeconds: 5000,
		Policies: []replay.PolicyResult{
			{
				Name: "bold.yaml", Actions: []replay.Action{helped, act("d2", action.Relieve, 4*hour, 4*hour+600, replay.DidNotHelp, -5), unknown},
				Refusals: []replay.Refusal{{Reason: action.AtOnce, Incidents: 2, Seconds: 7200}}, SavedSeconds: 1229.5, Steps: 720, MissingSteps: 60, ForNothingSeconds: 1350, SpareSeconds: hour, Wrong: 1,
			},
			{Name: "careful.yaml", Missed: []replay.Missed{{Fault: replay.Fault{Kind: "lost attachment", Component: "d1", From: hour}, Reason: action.TooFast, WaitedSeconds: 4000}, {Fault: replay.Fault{Kind: "drawer error", Component: "x"}, WaitedSeconds: math.NaN()}}},
		},
		Curves: []replay.Curve{{Group: "all", Unit: "ms", At: []int64{hour, 2 * hour}, Recorded: []float64{5, math.NaN()}, With: [][]float64{{4, math.NaN()}, {5, math.NaN()}}}},
	}
}

func TestReplayReport(t *testing.T) {
	var text, again, csv, html bytes.Buffer
	for _, write := range []error{
		ReplayReport(replayed()).Text(&text), ReplayReport(replayed()).Text(&again), ReplayReport(replayed()).CSV(&csv), ReplayReport(replayed()).HTML(&html),
	} {
		if write != nil {
			t.Fatal(write)
		}
	}
	if text.String() != again.String() {
		t.Error("the same result gives two texts")
	}
	words := strings.Join(strings.Fields(text.String()), " ")
	if strings.Contains(words, "Requests of the peer group") {
		t.Error("the text has the heading of a plot")
	}
	for _, want := range []string{
		"bold.yaml 3 1 1,230 24.6 % 22.5 min 60 min",
		"careful.yaml 0 0 0.0 0.0 % 0 s 0 s",
		"1 d1 take out 1970-01-01 01:00Z 1970-01-01 02:00Z 1,235 10.0 10.0 % 0 s",
		"2 d2 relieve 1970-01-01 04:00Z 1970-01-01 04:10Z -5.0 10.0 10.0 % 0 s",
		"3 d3 (wrong) relieve 1970-01-01 08:00Z end of data – – – 0 s",
		"The action ended at 1970-01-01 02:00Z, because the incident was over. According to the estimate, before the action, a request to the peer group took 15 ms (5 ms without the slow component); after the action, 6 ms (5.5 ms without the component): the action helped.",
		"The action was undone at 1970-01-01 04:10Z: it did not help.",
		"The action was under way when the data ended. It is unknown whether the action would have helped.",
		"60 of 720 steps during actions are not counted",
		"at once 2 2 h enough actions are under way",
		"lost paths d1 1970-01-01 01:00Z 4,000 times slower",
		"drawer error x 1970-01-01 00:00Z – no incident and no suspect",
		"This policy would have done nothing.",
		"The recording does not change",
	} {
		if !strings.Contains(words, want) {
			t.Errorf("the text lacks %q:\n%s", want, text.String())
		}
	}
	for _, want := range []string{"act replay,site,bold.yaml,,,saved,request-seconds,1229.5,,,660\n", "act replay,site,bold.yaml,3: d3,,saved,request-seconds,,,,220\n", "act replay,site,bold.yaml,at once,,refused for,s,7200,,,2\n"} {
		if !strings.Contains(csv.String(), want) {
			t.Errorf("the CSV lacks %q:\n%s", want, csv.String())
		}
	}
	if !strings.Contains(html.String(), "with bold.yaml (estimated)") || !strings.Contains(html.String(), "as recorded") {
		t.Error("the page lacks the plot")
	}

	unknown := replayed()
	unknown.Known, unknown.WaitedSeconds = false, math.NaN()
	text.Reset()
	if err := ReplayReport(unknown).Text(&text); err != nil {
		t.Fatal(err)
	}
	words = strings.Join(strings.Fields(text.String()), " ")
	for _, want := range []string{"bold.yaml 3 – 1,230 – 22.5 min 60 min", "unknown without --truth", "it is unknown how long users waited"} {
		if !strings.Contains(words, want) {
			t.Errorf("the text lacks %q:\n%s", want, text.String())
		}
	}
}

func TestReplayFaults(t *testing.T) {
	system, _, err := topology.Parse("site.yaml", []byte("servers: fs1\ndrives:\n  - devices: sd[b-m]\n"))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1000, 0)
	truth := &simulate.Truth{Faults: []simulate.Fault{{Kind: simulate.SingleLUN, Component: "fs1/sdd", From: at, To: at.Add(time.Hour)}}}
	got, err := ReplayFaults(system, truth)
	if err != nil || len(got) != 1 || len(got[0].Components) != 1 || system.Components[got[0].Components[0]].Name != "fs1/sdd" || got[0].From != 1000 || got[0].To != 4600 {
		t.Errorf("%+v, %v", got, err)
	}
	truth.Faults[0].Component = "nowhere"
	if _, err := ReplayFaults(system, truth); err == nil {
		t.Error("a fault of a part that the data do not have is no error")
	}
}
