package cluster

import (
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/live/cluster/plan"
	"github.com/limpet-storage/limpet/live/ledger/ledgertest"
)

// TestForeignMessages: messages that no node writes neither end a node nor stop it, and leave
// nothing in its ledger. The events and views of the cluster come through after them.
func TestForeignMessages(t *testing.T) {
	g := newGathered(t)
	first, second := g.stage.Names()[0], g.stage.Names()[1]
	began := ledgertest.Began
	node, _ := g.node(filepath.Join(t.TempDir(), "state"))
	slow := func(change func(*incident.Incident)) incident.Incident {
		in := ledgertest.Slow(g.voice, 1, began)
		in.Members = slices.Clone(in.Members)
		change(&in)
		return in
	}
	nothing := func(*incident.Incident) {}
	for _, e := range []Event{
		{Generation: -1, Time: began, Change: incident.Opened, Incident: slow(nothing)},
		{Generation: 1 << 40, Time: began, Change: incident.Opened, Incident: slow(nothing)},
		{Time: math.MaxInt64, Change: incident.Opened, Incident: slow(nothing)},
		{Time: -5, Change: incident.Opened, Incident: slow(nothing)},
		{Time: began, Change: incident.Opened, Incident: slow(func(in *incident.Incident) { in.Members = []finding.Member{{Component: 1 << 30}} })},
		{Time: began, Change: incident.Opened, Incident: slow(func(in *incident.Incident) { in.Members = []finding.Member{{Component: -1}} })},
		{Time: began, Change: incident.Opened, Incident: slow(func(in *incident.Incident) { in.Evidence = []finding.Evidence{{Component: 99999}} })},
		{Time: began, Change: incident.Opened, Incident: slow(func(in *incident.Incident) {
			in.Also = []incident.SecondFinding{{Members: []finding.Member{{Component: 99999}}}}
		})},
		{Time: began, Change: incident.Opened},
	} {
		data, err := Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		g.numbers[first]++
		g.put(first, &Output{Number: g.numbers[first], Fence: 1, Kind: EventKind, Data: data})
	}
	for _, c := range []command.Command{{Key: "k", Verb: "format"}, {Verb: command.Mute}, {Key: "k", Verb: command.Comment, Text: string(make([]byte, 1<<20))}} {
		data, err := Encode(c)
		if err != nil {
			t.Fatal(err)
		}
		g.put(first, &Output{Kind: commandKind, Data: data})
	}
	g.put(first, &Output{Kind: EventKind, Data: []byte("no gob")})
	g.event(second, began+60, incident.Opened, ledgertest.Slow(g.voice, 2, began))
	g.awaitEvent(node.Ledger())
	if got := g.listed(node.Ledger()); len(got) != 1 {
		t.Errorf("the ledger has %q", got)
	}
	if list, err := node.Ledger().Commands(t.Context(), 10); err != nil || len(list) != 0 {
		t.Errorf("the ledger has commands %+v, %v", list, err)
	}

	for i, v := range []View{
		{Generation: -1},
		{Generation: 1 << 40},
		{Row: math.MaxInt64, Summary: engine.Summary{To: math.MaxInt64}},
		{Summary: engine.Summary{Incidents: []incident.Incident{slow(func(in *incident.Incident) { in.Members = []finding.Member{{Component: 1 << 30}} })}}},
		{Summary: engine.Summary{Suspects: []engine.Suspect{{Incident: slow(func(in *incident.Incident) { in.Members = []finding.Member{{Component: -3}} })}}}},
		{Summary: engine.Summary{Top: []persistence.Entry{{Component: 1 << 30}}}},
		{Summary: engine.Summary{Accumulators: []persistence.Entry{{Metric: 77}}}},
		{Windows: []persistence.Window{{Group: -1}}},
		{Windows: []persistence.Window{{Metric: 77}}},
		{Windows: []persistence.Window{{Verdicts: []persistence.Verdict{{Component: 1 << 30}}}}},
	} {
		data, err := Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.bus.Blobs.Put(t.Context(), ViewName(first), data); err != nil {
			t.Fatal(err)
		}
		row := began + 15*int64(i+1)
		g.view(second, row)
		await(t, "a view of the cluster is shown", func() bool { return node.Result().To == row })
	}
	g.view(first, began+3600, ledgertest.Slow(g.voice, 1, began))
	await(t, "a view of the cluster is shown", func() bool { return len(node.Result().Incidents) == 1 })
}

// TestForeignGeneration: a generation that no plan has is an error, and nobody waits for it.
func TestForeignGeneration(t *testing.T) {
	g := newGathered(t)
	ended := make(chan error, 1)
	go func() {
		for _, generation := range []int{-1, 1, 1 << 40} {
			if _, err := plan.NewStages(g.bus).StageOf(t.Context(), generation); err == nil {
				t.Errorf("generation %d is there", generation)
			}
		}
		ended <- nil
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("it waits for a generation that nobody has planned")
	}
}

// TestAllVerbs: the log of a partition takes every command of an operator.
func TestAllVerbs(t *testing.T) {
	for _, verb := range command.Verbs() {
		if err := checkCommand(&command.Command{Key: "k", Verb: verb}); err != nil {
			t.Errorf("%s: %v", verb, err)
		}
	}
}
