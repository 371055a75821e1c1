package report

import (
	"fmt"
	"testing"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
)

func ended(id string, from, to int64) *incident.Event {
	return &incident.Event{Change: incident.Clears, Incident: &incident.Incident{
		ID: id, Phase: incident.Cleared, Ending: incident.Recovered, Onset: finding.Onset{At: from}, Confirmed: from + 1, Cleared: to,
		Spans: []incident.Span{{From: from, To: to}}, Members: make([]finding.Member, 1),
	}}
}

func TestArchiveIsBounded(t *testing.T) {
	l := newIncidentArchive(1)
	for i := range int64(3 * mostEnded) {
		l.Event(ended(fmt.Sprint(i), i, i+1))
	}
	if all := l.All(nil); len(all) != mostEnded || all[0].ID != fmt.Sprint(3*mostEnded-1) {
		t.Errorf("%d incidents are kept, the first is %s", len(all), all[0].ID)
	}
}

// What comes back for years does not grow: its last spans are kept.
func TestSpansAreBounded(t *testing.T) {
	l := newIncidentArchive(1)
	for i := range int64(3 * incident.MaxSpans) {
		l.Event(ended("a", 10*i, 10*i+5))
	}
	if spans := l.All(nil)[0].Spans; len(spans) != incident.MaxSpans || spans[len(spans)-1].From != 10*(3*incident.MaxSpans-1) {
		t.Errorf("%d spans are kept", len(spans))
	}
}

// What comes back under its ID is one incident, as the engine knows it now.
func TestSpansAreJoined(t *testing.T) {
	l := newIncidentArchive(1)
	first := ended("a", 10, 20)
	l.Event(first)
	first.Incident.Members[0].Component = 7 // what was heard may change afterwards
	l.Event(ended("a", 30, 40))
	again := *ended("a", 50, 0).Incident
	again.Phase = incident.Active
	for name, all := range map[string][]incident.Incident{"over": l.All(nil), "back": l.All([]incident.Incident{again})} {
		in := all[0]
		if len(all) != 1 || in.Onset.At != 10 || in.Confirmed != 11 || in.Members[0].Component != 0 {
			t.Errorf("%s: %+v", name, all)
		}
		if want := map[string]int{"over": 2, "back": 3}[name]; len(in.Spans) != want || in.Spans[0].From != 10 {
			t.Errorf("%s: spans %v, want %d", name, in.Spans, want)
		}
	}
}

// What turned out to be a part of another is no incident of its own.
func TestPartsAreNotTold(t *testing.T) {
	l := newIncidentArchive(1)
	part := ended("a", 10, 20)
	part.Incident.Ending = incident.Merged
	l.Event(part)
	open := ended("b", 10, 20)
	open.Change, open.Incident.Phase = incident.Opened, incident.Active
	l.Event(open)
	if all := l.All(nil); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}
