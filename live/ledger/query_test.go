package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/ledger/ledgertest"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/sentence"
)

func suspects(v *sentence.Writer, luns []int) (list []engine.Suspect) {
	for _, n := range luns {
		list = append(list, ledgertest.Suspect(v, n, began))
	}
	return list
}

func TestQueries(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	worse := ledgertest.Slow(v, 3, began+7200)
	worse.Worst, worse.Kind = 9, finding.DrawerError
	muted := ledgertest.Slow(v, 2, began+3600)
	muted.Muted = true
	step(t, l, v, 1, opened(v, 1, began), ledgertest.Event(began+3600, incident.Opened, muted),
		ledgertest.Event(began+7200, incident.Opened, worse), cleared(v, 1, began, began+9000))
	err := l.Step(t.Context(), func(tx *ledger.Tx) error {
		return tx.Command(&command.Command{Incident: ledgertest.ID(2), Time: began, Who: "ann", Verb: command.Label, Name: "1.2", Text: "cold spare kicked in"})
	})
	if err != nil {
		t.Fatal(err)
	}
	yes, no := true, false
	for name, tt := range map[string]struct {
		q    ledger.Query
		want string
	}{
		"all, newest first":    {ledger.Query{}, "[3 2 1] of 3"},
		"oldest first":         {ledger.Query{Order: ledger.Oldest}, "[1 2 3] of 3"},
		"worst first":          {ledger.Query{Order: ledger.Worst}, "[3 2 1] of 3"},
		"last changed first":   {ledger.Query{Order: ledger.Changed}, "[1 3 2] of 3"},
		"second page":          {ledger.Query{Limit: 1, Offset: 1}, "[2] of 3"},
		"open":                 {ledger.Query{Phases: []incident.Phase{incident.Active, incident.Recovering}}, "[3 2] of 2"},
		"over":                 {ledger.Query{Phases: []incident.Phase{incident.Cleared}}, "[1] of 1"},
		"until":                {ledger.Query{To: began + 3600}, "[1] of 1"},
		"from":                 {ledger.Query{From: began + 9001}, "[3 2] of 2"},
		"of a server":          {ledger.Query{Component: "fs3"}, "[2] of 1"},
		"of an array":          {ledger.Query{Component: "ddn1"}, "[3 2 1] of 3"},
		"of a LUN":             {ledger.Query{Component: "1.1"}, "[1] of 1"},
		"of nothing":           {ledger.Query{Component: "1.9"}, "[] of 0"},
		"of a kind":            {ledger.Query{Kind: "drawer error"}, "[3] of 1"},
		"words of a headline":  {ledger.Query{Text: "DRAWER error slower"}, "[3] of 1"},
		"words of a label":     {ledger.Query{Text: "Spare"}, "[2] of 1"},
		"quotes do no harm":    {ledger.Query{Text: `' OR 1 --`}, "[] of 0"},
		"muted":                {ledger.Query{Muted: &yes}, "[2] of 1"},
		"neither muted nor so": {ledger.Query{Muted: &no, Harmless: &no}, "[3 1] of 2"},
	} {
		list, total, err := l.Incidents(t.Context(), tt.q)
		if err != nil {
			t.Fatal(name, err)
		}
		numbers := document.Each(list, func(in ledger.Incident) int64 { return in.Number })
		if got := fmt.Sprintf("%v of %d", numbers, total); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	place, kind, err := l.Similar(t.Context(), ledgertest.ID(1), 5)
	if err != nil || len(place) != 0 || len(kind) != 1 || kind[0].Number != 2 {
		t.Errorf("like LUN 1.1: at its place %v, of its kind %v, %v", place, kind, err)
	}
}

// TestJoinedPlaces: an incident with joined places is found by the name of each of them.
func TestJoinedPlaces(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	in := ledgertest.Slow(v, 1, began)
	in.Kind, in.Place = finding.SharedSlowness, blame.Place{Tier: blame.Position, Name: "p1"}
	in.Joined = []blame.Place{{Tier: blame.Position, Name: "p2"}}
	step(t, l, v, 1, ledgertest.Event(began, incident.Opened, in))
	for name, want := range map[string]int{"p1": 1, "p2": 1, "p3": 0} {
		if list, _, err := l.Incidents(t.Context(), ledger.Query{Component: name}); err != nil || len(list) != want {
			t.Errorf("%s: %d incidents, want %d; %v", name, len(list), want, err)
		}
	}
}

func TestWhatPeopleSay(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	step(t, l, v, 1, opened(v, 1, began))
	write := func(list ...command.Command) error {
		return l.Step(t.Context(), func(tx *ledger.Tx) error {
			for _, f := range list {
				if err := tx.Command(&f); err != nil {
					return err
				}
			}
			return tx.Audit(ledger.Audit{Time: began, Who: "ann", Origin: "192.0.2.7", Action: "mute", Target: "1.1"})
		})
	}
	mute := command.Command{Key: "journal 7", Incident: ledgertest.ID(1), Time: began, Who: "ann", Verb: command.Mute, Name: "1.1", Until: began + 3600}
	label := command.Command{Incident: ledgertest.ID(1), Time: began + 5, Who: "bob", Verb: command.Label, Name: ledgertest.ID(1), Text: "disk 7 failed"}
	if err := write(mute, label); err != nil {
		t.Fatal(err)
	}
	if err := write(mute); err != nil { // said again after a crash
		t.Fatal(err)
	}
	r, err := l.Incident(t.Context(), ledgertest.ID(1))
	if err != nil || len(r.Commands) != 2 || r.Commands[0].Who != "ann" || r.Commands[1].Text != "disk 7 failed" {
		t.Errorf("commands of the incident: %+v, %v", r.Commands, err)
	}
	all, err := l.Audits(t.Context(), 0, 2)
	if err != nil || len(all) != 2 || all[0].Number != 2 || all[0].Origin != "192.0.2.7" {
		t.Errorf("audit: %+v, %v", all, err)
	}
	if err := write(command.Command{Incident: "none"}); !errors.Is(err, ledger.ErrUnknown) {
		t.Errorf("a command about an incident that is not there: %v", err)
	}
	if all, _ := l.Commands(t.Context(), 10); len(all) != 2 {
		t.Errorf("%d commands, want 2", len(all))
	}
}

// A query does not delay a step, nor a step a query.
func TestReadersAndTheWriterDoNotWaitForEachOther(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	step(t, l, v, 1, opened(v, 1, began))
	err := l.Step(t.Context(), func(tx *ledger.Tx) error {
		if _, err := tx.Event(2, opened(v, 2, began), v); err != nil {
			return err
		}
		_, total, err := l.Incidents(context.Background(), ledger.Query{})
		if total != 1 {
			t.Errorf("while a step is under way there are %d incidents, want the 1 of before", total)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, total, _ := l.Incidents(t.Context(), ledger.Query{}); total != 2 {
		t.Errorf("after the step there are %d incidents", total)
	}
}

// TestIncidentByTheFirstDigitsOfItsID: four digits and more find an incident if no other ID begins
// with them. An earlier incident under the same ID does not count as another.
func TestIncidentByTheFirstDigitsOfItsID(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.SentenceWriter()
	again := began + 30*24*3600
	step(t, l, v, 1, opened(v, 1, began), cleared(v, 1, began, began+9000), opened(v, 0x2002, began), opened(v, 1, again))
	for text, want := range map[string]string{
		ledgertest.ID(1): ledgertest.ID(1), "ec0800": ledgertest.ID(1), "ec082": ledgertest.ID(0x2002),
		"ec080001.1": "ec080001.1", "ec08": "the IDs of several incidents begin with ec08, such as ec080001 and ec082002: write more characters of the ID",
		"ec0": ledger.ErrUnknown.Error(), "ec09": ledger.ErrUnknown.Error(), "": ledger.ErrUnknown.Error(), "%%%%": ledger.ErrUnknown.Error(),
	} {
		r, err := l.Incident(t.Context(), text)
		var got string
		if err != nil {
			got = err.Error()
		} else {
			got = r.ID
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if r, err := l.Incident(t.Context(), "ec0800"); err != nil || len(r.Earlier) != 1 || len(r.Events) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}
