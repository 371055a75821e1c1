package engine

import (
	"encoding/json"
	"testing"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

const site = `
servers: fs[1-2]
arrays:
  - {names: ddn1, servers_per_array: 2, luns: 00-05, priority: rotate, controllers: {a: 1, b: 2}, devices: 'sd[b-g]'}
`

// listener embeds a session, as live/watch and live/cluster do.
type listener struct {
	Session
	heard []*incident.Event
}

func (l *listener) Event(e *incident.Event) { l.heard = append(l.heard, CloneEvent(e)) }

func start(t *testing.T, saved Saved) (*listener, table.Schema) {
	t.Helper()
	system, _, err := topology.Parse("site.yaml", []byte(site))
	if err != nil {
		t.Fatal(err)
	}
	schema := table.Schema{StepSeconds: 15, Components: len(system.Components), Servers: 2, Load: 1, Metrics: []metric.Metric{metric.Await, metric.TPS}}
	o := DefaultOptions()
	o.FitTo(schema)
	l := &listener{}
	if err := l.Start(o, system, schema, saved, l); err != nil {
		t.Fatal(err)
	}
	return l, schema
}

// push pushes rows in which the first component is ten times as slow as its peers.
func push(l *listener, schema table.Schema, from, to int64) {
	row := table.NewRow(schema)
	for end := from; end < to; end += schema.StepSeconds {
		row.End = end
		for c := range schema.Components {
			row.Values[0][c], row.Values[1][c] = 10+float64((end/15+int64(c))%3), 100
		}
		row.Values[0][0] = 120
		for s := range row.Heard {
			row.Heard[s] = true
		}
		l.Push(row)
	}
}

const begun = 1_300_000_005

// TestMuteEndsByItself: a mute with an end is applied, survives a restart, and is over
// with the row of its time. A comment does not change it.
func TestMuteEndsByItself(t *testing.T) {
	l, schema := start(t, Saved{})
	push(l, schema, begun, begun+4*3600)
	all := l.Engine.Open(incident.Combined).Incidents
	if len(all) == 0 || len(l.heard) == 0 || len(l.Windows()) == 0 {
		t.Fatalf("%d incidents, %d events, %d windows: nothing was found to mute", len(all), len(l.heard), len(l.Windows()))
	}
	var names []string
	for _, m := range all[0].Members {
		names = append(names, l.System.Components[m.Component].Name)
	}
	now := int64(begun + 4*3600)
	c := command.Command{Number: 1, Time: now, Verb: command.Mute, Incident: all[0].ID, Name: all[0].Place.Name, Components: names, Until: now + 600}
	l.Apply(&c)
	c.Verb, c.Until = command.Comment, 0
	l.Apply(&c)
	saved, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	next, _ := start(t, saved)
	push(next, schema, now, now+600-15)
	if !muted(next) || next.MutedUntil()[all[0].ID] != now+600 {
		t.Fatalf("it is not muted until %d: %v", now+600, next.MutedUntil())
	}
	push(next, schema, now+600, now+630)
	if muted(next) || len(next.Mutes) > 0 {
		t.Errorf("the mute is not over: %v", next.Mutes)
	}
}

// TestResolveEndsMute: the mute of an incident that was repaired ends, with and without an end of its own, so that the
// same problem is reported when it comes back.
func TestResolveEndsMute(t *testing.T) {
	for _, until := range []int64{0, begun + 40*3600} {
		l, schema := start(t, Saved{})
		push(l, schema, begun, begun+4*3600)
		all := l.Engine.Open(incident.Combined).Incidents
		if len(all) == 0 {
			t.Fatal("nothing was found to mute")
		}
		var names []string
		for _, m := range all[0].Members {
			names = append(names, l.System.Components[m.Component].Name)
		}
		c := command.Command{Number: 1, Time: begun + 4*3600, Verb: command.Mute, Incident: all[0].ID, Name: all[0].Place.Name, Components: names, Until: until}
		l.Apply(&c)
		if !muted(l) {
			t.Fatal("it is not muted")
		}
		c.Number, c.Verb, c.Until = 2, command.Resolve, 0
		l.Apply(&c)
		push(l, schema, begun+4*3600, begun+8*3600)
		if all = l.Engine.Open(incident.Combined).Incidents; len(all) == 0 || all[0].Phase != incident.Active {
			t.Fatal("the problem did not come back")
		}
		if muted(l) || len(l.Mutes) > 0 {
			t.Errorf("until %d: what came back is muted", until)
		}
	}
}

func muted(l *listener) bool {
	all := l.Engine.Open(incident.Combined).Incidents
	return len(all) > 0 && all[0].Muted
}

// TestFormOfCommands: journals and states of earlier versions hold commands in this form.
func TestFormOfCommands(t *testing.T) {
	got, err := json.Marshal(Mute{7, command.Command{Number: 3, Time: 5, Who: "ann", Verb: command.Mute, Incident: "a1", Name: "1.2", Components: []string{"1.2.3"}, Until: 7}})
	want := `{"until":7,"word":{"number":3,"time":5,"who":"ann","verb":"mute","incident":"a1","name":"1.2","components":["1.2.3"],"until":7}}`
	if err != nil || string(got) != want {
		t.Errorf("a command is written as %s (%v), want %s", got, err, want)
	}
}
