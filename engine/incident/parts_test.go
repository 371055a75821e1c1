package incident_test

import (
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
)

// TestWorstMember: the worst member is the one with the largest effect since the onset, and not the one
// with the highest peak.
func TestWorstMember(t *testing.T) {
	effect := func(times float64) finding.Effect { return finding.Effect{Times: times, Low: times, High: times} }
	in := incident.Incident{Class: finding.Slow, Worst: 15.4, Members: []finding.Member{
		{Component: 1, Role: finding.IsSlow, Worst: 5.5, Effect: effect(2.3)},
		{Component: 2, Role: finding.TookOver, Worst: 15.4, Effect: effect(9)},
		{Component: 3, Role: finding.IsSlow, Worst: 5.3, Effect: effect(2.5)},
		{Component: 4, Role: finding.IsSlow, Worst: 3, Effect: effect(2.1)},
	}}
	slices.SortFunc(in.Members, incident.WorstFirst)
	if in.Members[0].Component != 3 || in.Members[3].Component != 2 {
		t.Errorf("members are %+v: the largest effect is not first, or a helper not last", in.Members)
	}
	if e := in.Effect(); in.WorstEffect() != 2.5 || e.High != 2.5 || e.Times != 2.3 {
		t.Errorf("the worst is %v, the effect %+v; want 2.5, and 2.3 up to 2.5", in.WorstEffect(), e)
	}
	if in.KeepWorst(20); in.Worst != 15.4 {
		t.Errorf("a peak of an earlier time is kept: %v", in.Worst)
	}
	stall := incident.Incident{Class: finding.Stall, Worst: 40}
	if stall.KeepWorst(50); stall.WorstEffect() != 50 {
		t.Errorf("the worst stall is %v, want 50", stall.WorstEffect())
	}
}

// TestSinceOf: a member has the onset of its incident, unless it became slow at another time.
func TestSinceOf(t *testing.T) {
	first, second := finding.Onset{At: 1000, Early: 900, Late: 1200}, finding.Onset{At: 9000, Early: 8900, Late: 9100}
	once := incident.Incident{Onset: first, Spell: finding.Onset{At: 1100, Early: 1100, Late: 1100}, Spans: []incident.Span{{From: 1000}}}
	twice := incident.Incident{Onset: first, Spell: second, Spans: []incident.Span{{From: 1000, To: 2000}, {From: 9000}}}
	for _, tt := range []struct {
		in         *incident.Incident
		since, was int64
	}{{&once, 1190, 1000}, {&once, 900, 1000}, {&once, 1201, 1201}, {&twice, 9050, 9000}, {&twice, 1100, 1100}} {
		if got := tt.in.SinceOf(&finding.Member{Since: tt.since}); got != tt.was {
			t.Errorf("a member since %d of an incident since %+v: %d, want %d", tt.since, tt.in.PresentOnset(), got, tt.was)
		}
	}
}
