package cluster

import (
	"flag"
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/state/formtest"
	"github.com/limpet-storage/limpet/live/cluster/bus"
)

var update = flag.Bool("update", false, "write the golden of what is said")

// TestSaid fails if the bytes of an output have changed and outputVersion has not.
func TestSaid(t *testing.T) {
	s := Output{Number: 300, Fence: 7, Kind: 2, Cause: time.Unix(1_300_000_500, 9), Data: []byte("data")}
	said := formtest.Form{
		Golden: "testdata/said.txt", Version: outputVersion, Raise: "outputVersion in live/cluster/output.go", Lines: formtest.ByteLines("a record", s.encode()),
	}
	said.Check(t, *update)
}

// TestChangesBetween: the log gets the phase, the mute and the comments that an open incident has in
// the task.
func TestChangesBetween(t *testing.T) {
	comment := []incident.Comment{{Time: 1, Text: "the drive is ordered"}}
	for _, tt := range []struct {
		told, now incident.Incident
		want      []incident.Change
	}{
		{incident.Incident{Phase: incident.Active}, incident.Incident{Phase: incident.Active}, nil},
		{incident.Incident{Phase: incident.Recovering}, incident.Incident{Phase: incident.Active}, []incident.Change{incident.Changed}},
		{incident.Incident{Phase: incident.Active}, incident.Incident{Phase: incident.Recovering}, []incident.Change{incident.Recovers}},
		{incident.Incident{Phase: incident.Active, Muted: true}, incident.Incident{Phase: incident.Active}, []incident.Change{incident.Unmutes}},
		{incident.Incident{Phase: incident.Active}, incident.Incident{Phase: incident.Recovering, Muted: true, Comments: comment}, []incident.Change{incident.Recovers, incident.Mutes, incident.Commented}},
	} {
		tt.told.ID, tt.now.ID = "ec080001", "ec080001"
		q := &quiet{Told: map[string]Event{"ec080001": {Incident: tt.told}}}
		var got []incident.Change
		for _, e := range q.differences(openTask{Event{Incident: tt.now}}) {
			got = append(got, e.Change)
			if e.Incident.Phase != tt.now.Phase || e.Incident.Muted != tt.now.Muted {
				t.Errorf("the event has the incident %+v", e.Incident)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%+v and %+v: %q, want %q", tt.told, tt.now, got, tt.want)
		}
	}
}

// openTask is a task with one open incident.
type openTask []Event

func (o openTask) Take(bus.Record, func(Kind, []byte)) error { return nil }
func (o openTask) Save() ([]byte, error)                     { return nil, nil }
func (o openTask) View() ([]byte, error)                     { return nil, nil }
func (o openTask) OpenIncidents() (int64, []Event)           { return 1, o }

// TestOutputIDs: NATS takes two records with one ID for one record. So replicas that write different
// output with the same number use different IDs.
func TestOutputIDs(t *testing.T) {
	b := bus.NewLocal(time.Now, workerLease)
	out, err := b.Logs.Open(t.Context(), OutputLog, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for fence := range uint64(2) {
		r := runningReplica{Replica: Replica{Name: "p001", Out: out}, fence: fence, lastSeq: fence}
		if err := r.write(t.Context(), &Output{Number: 7, Kind: EventKind, Fence: fence}); err != nil {
			t.Fatal(err)
		}
		last, err := out.Last(t.Context(), "p001")
		if err != nil {
			t.Fatal(err)
		}
		ids[last.ID] = true
	}
	if len(ids) != 2 {
		t.Errorf("the IDs of two replicas' outputs are %v", ids)
	}
}

// TestLostSnapshot: a task whose snapshot is missing, although it must have one, begins again quietly, and
// gets the commands of operators. A task that is too young for a snapshot makes its output again.
func TestLostSnapshot(t *testing.T) {
	for _, tt := range []struct {
		age   time.Duration
		isNew bool
	}{{time.Minute, true}, {time.Hour, false}} {
		b := bus.NewLocal(time.Now, workerLease)
		out, err := b.Logs.Open(t.Context(), OutputLog, 0)
		if err != nil {
			t.Fatal(err)
		}
		mute, err := Encode(command.Command{Key: "k", Verb: command.Mute, Components: []string{"1.07.4"}})
		if err != nil {
			t.Fatal(err)
		}
		var reports []string
		task := &recalled{}
		r := runningReplica{fence: 1, Replica: Replica{
			Name: "p001", Out: out, Blobs: b.Blobs, SaveEvery: time.Minute, Now: time.Now, Report: func(s string) { reports = append(reports, s) },
			New: func([]byte) (Task, error) { return task, nil },
		}}
		before := runningReplica{fence: 0, Replica: r.Replica}
		if err := before.write(t.Context(), &Output{Number: 1, Kind: commandKind, Cause: time.Now().Add(-tt.age), Data: mute}); err != nil {
			t.Fatal(err)
		}
		if err := r.claim(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := r.restore(t.Context()); err != nil {
			t.Fatal(err)
		}
		if isNew := len(r.tail) == 1 && r.position.Quiet == nil && len(task.commands) == 0 && len(reports) == 0; isNew != tt.isNew {
			t.Errorf("after %v: tail %v, quiet %v, commands %v, reports %q", tt.age, r.tail, r.position.Quiet, task.commands, reports)
		}
		if !tt.isNew && (len(task.commands) != 1 || len(reports) != 1 || r.position.Number != 1) {
			t.Errorf("after %v: commands %v, reports %q, output %d", tt.age, task.commands, reports, r.position.Number)
		}
	}
}

// recalled is a task that keeps the commands that it gets.
type recalled struct {
	openTask
	commands []command.Command
}

func (r *recalled) Recall(list []command.Command) { r.commands = append(r.commands, list...) }
