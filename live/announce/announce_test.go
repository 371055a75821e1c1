package announce

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/history"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/topology"
)

const began = 1_300_000_000

func opened(t *testing.T, dir string, report func(string)) *Store {
	t.Helper()
	teller, err := Open(t.Context(), Options{
		Dir: dir, History: history.DefaultOptions(), Retention: ledger.DefaultRetention(), Now: func() time.Time { return time.Unix(began, 0) }, Report: report,
	})
	if err != nil {
		t.Fatal(err)
	}
	return teller
}

func speaker(t *testing.T, teller *Store) *Announcer {
	t.Helper()
	system, _, err := topology.Parse("site.yaml", []byte("servers: fs[1-2]\ndrives:\n  - {devices: 'sd[a-d]', peers: all}\n"))
	if err != nil {
		t.Fatal(err)
	}
	schema := table.Schema{StepSeconds: 15, Components: len(system.Components), Servers: 2, Load: 1, Metrics: []metric.Metric{metric.Await, metric.TPS}}
	o := engine.DefaultOptions()
	o.FitTo(schema)
	s, err := teller.NewAnnouncer(report.Subject{System: system, Schema: schema, Options: o}, alert.DefaultOptions(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// slow returns an incident at the first drive.
func slow(s *Announcer) *incident.Incident {
	name := s.Subject.System.Components[0].Name
	return &incident.Incident{
		ID: "a1", Class: finding.Slow, Kind: finding.SlowDrive, Place: blame.Place{Tier: blame.Drive, Name: name}, Phase: incident.Active,
		Members: []finding.Member{{Component: 0}},
	}
}

func step(t *testing.T, teller *Store, writes ...func(*ledger.Tx) error) {
	t.Helper()
	err := teller.Ledger.Step(t.Context(), func(tx *ledger.Tx) error {
		for _, write := range writes {
			if err := write(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestToldOnce: an event that comes again with its number is in the ledger once. The label of an
// incident survives a restart, and belongs to that incident alone.
func TestToldOnce(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		teller := opened(t, dir, func(string) {})
		s := speaker(t, teller)
		step(t, teller, s.Event(1, &incident.Event{Time: began, Change: incident.Opened, Incident: slow(s)}))
		step(t, teller, teller.RecordCommand("word 1", 0, &command.Command{Number: 1, Time: began, Who: "ann", Verb: command.Label, Incident: "a1", Text: "a cable"}))
		events, err := teller.Ledger.Events(t.Context(), 0, 10)
		if err != nil || len(events) != 1 || teller.Opened != 1 || teller.Causes["a1"].Text != "a cable" {
			t.Errorf("%d events, %d opened, causes %v, %v", len(events), teller.Opened, teller.Causes, err)
		}
		if err := teller.Close(); err != nil {
			t.Fatal(err)
		}
	}
	teller := opened(t, dir, func(string) {})
	defer teller.Close()
	if teller.Causes["a1"].Text != "a cable" {
		t.Errorf("the cause is forgotten: %v", teller.Causes)
	}
	s := speaker(t, teller)
	s.Event(2, &incident.Event{Time: began + 60, Change: incident.Opened, Incident: slow(s)})
	if len(teller.Causes) > 0 {
		t.Errorf("another incident of the same ID has the cause of the first: %v", teller.Causes)
	}
}

// TestAbout: the components that a command is about, and the commands that are refused.
func TestAbout(t *testing.T) {
	teller := opened(t, t.TempDir(), func(string) {})
	defer teller.Close()
	s := speaker(t, teller)
	in := slow(s)
	about := func(known []incident.Incident, w command.Command) ([]int, *ledger.Record, error) {
		return teller.Components(t.Context(), s.Subject.System, known, &w)
	}
	if list, _, err := about([]incident.Incident{*in}, command.Command{Verb: command.Mute, Incident: "a1"}); err != nil || !slices.Equal(list, []int{0}) {
		t.Errorf("an incident is about %v, %v", list, err)
	}
	if list, _, err := about(nil, command.Command{Verb: command.Mute, Name: "fs2"}); err != nil || len(list) != 4 {
		t.Errorf("a server is about %v, %v", list, err)
	}
	step(t, teller, s.Event(1, &incident.Event{Time: began, Change: incident.Opened, Incident: in}))
	if _, past, err := about(nil, command.Command{Verb: command.Comment, Incident: "a1"}); err != nil || past == nil {
		t.Errorf("a comment on what is over: %v, %v", past, err)
	}
	for _, w := range []command.Command{{Verb: command.Mute, Incident: "a1"}, {Verb: command.Mute, Incident: "none"}, {Verb: command.Mute, Name: "none"}} {
		var refused *RefusedCommand
		if _, _, err := about(nil, w); !errors.As(err, &refused) {
			t.Errorf("%+v: %v", w, err)
		}
	}
}

// TestResolveTwice: the command resolve about an incident that is over is refused, with the reason, whether
// the diagnosis still has the incident or only the ledger has it.
func TestResolveTwice(t *testing.T) {
	teller := opened(t, t.TempDir(), func(string) {})
	defer teller.Close()
	s := speaker(t, teller)
	over := *slow(s)
	over.Phase, over.Ending, over.Cleared = incident.Cleared, incident.Resolved, began+60
	step(t, teller, s.Event(1, &incident.Event{Time: began, Change: incident.Opened, Incident: slow(s)}))
	step(t, teller, s.Event(2, &incident.Event{Time: began + 60, Change: incident.Clears, Incident: &over}))
	for name, known := range map[string][]incident.Incident{"in the diagnosis": {over}, "in the ledger": nil} {
		_, _, err := teller.Components(t.Context(), s.Subject.System, known, &command.Command{Verb: command.Resolve, Incident: "a1"})
		if want := "incident a1 is already resolved: nothing was changed"; err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	recovered := over
	recovered.Ending = incident.Recovered
	_, _, err := teller.Components(t.Context(), s.Subject.System, []incident.Incident{recovered}, &command.Command{Verb: command.Resolve, Incident: "a1"})
	if want := "incident a1 is already over: there is nothing to resolve"; err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
}

// TestAcceptRefused: the command accept is refused for an incident that it would not end, whether the
// command names the incident or its place. It is executed for an incident of class past, and for a
// part without an incident.
func TestAcceptRefused(t *testing.T) {
	teller := opened(t, t.TempDir(), func(string) {})
	defer teller.Close()
	s := speaker(t, teller)
	of := func(class finding.Class) incident.Incident {
		in := *slow(s)
		in.ID, in.Class, in.Phase = "a1"+string(class), class, incident.Active
		return in
	}
	past, peers, lost, over := of(finding.Past), of(finding.Slow), of(finding.Path), of(finding.Slow)
	over.Phase = incident.Cleared
	place := past.Place.Name
	for name, c := range map[string]struct {
		known   []incident.Incident
		command command.Command
		refused bool
	}{
		"past":                      {[]incident.Incident{past}, command.Command{Incident: past.ID}, false},
		"slower than its peers":     {[]incident.Incident{past, peers}, command.Command{Incident: peers.ID}, true},
		"lost paths":                {[]incident.Incident{lost}, command.Command{Incident: lost.ID}, true},
		"its place":                 {[]incident.Incident{peers}, command.Command{Name: place}, true},
		"its place, with the past":  {[]incident.Incident{peers, past}, command.Command{Name: place}, false},
		"its place, after the end":  {[]incident.Incident{over}, command.Command{Name: place}, false},
		"a place without incidents": {[]incident.Incident{peers}, command.Command{Name: "fs2"}, false},
	} {
		c.command.Verb = command.Accept
		_, _, err := teller.Components(t.Context(), s.Subject.System, c.known, &c.command)
		var refused *RefusedCommand
		if errors.As(err, &refused) != c.refused || !c.refused && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFullDiskAtStart: only a running diagnosis promises to continue when the disk has space again.
func TestFullDiskAtStart(t *testing.T) {
	if text := ledger.ErrFull.Error(); strings.Contains(text, "continue") {
		t.Errorf("the error is also printed before an exit: %s", text)
	}
	var said []string
	teller := opened(t, t.TempDir(), func(text string) { said = append(said, text) })
	defer teller.Close()
	teller.Troubles.Check("ledger", fmt.Errorf("ledger: %w (13)", ledger.ErrFull))
	if len(said) != 1 || !strings.HasSuffix(said[0], "free some space on this disk (13). When there is space, limpet continues by itself") {
		t.Errorf("%q", said)
	}
}

// TestTroubles: a trouble is reported when it begins, when it changes and when it ends.
func TestTroubles(t *testing.T) {
	var said []string
	teller := opened(t, t.TempDir(), func(text string) { said = append(said, text) })
	defer teller.Close()
	for _, err := range []error{errors.New("full"), errors.New("full"), errors.New("gone"), nil, nil} {
		teller.Troubles.Check("ledger", err)
	}
	if want := []string{"ledger: full", "ledger: gone", "ledger: the problem is solved: gone"}; !slices.Equal(said, want) || len(teller.Troubles.All()) > 0 {
		t.Errorf("%q, want %q", said, want)
	}
}
