package cluster

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/topology"
)

const site = `
servers: fs[1-4]
arrays:
  - {names: 'ddn[1-2]', servers_per_array: 2, luns: 00-11, priority: rotate, controllers: {a: 1, b: 2}, devices: 'sd[b-m]', peers: array}
`

// recorded writes files of two hours in which LUN 1.03 becomes slow.
func recorded(t *testing.T) (dir string, system *topology.System) {
	t.Helper()
	s := arrays.Demo(3)
	s.Topology, s.Interval, s.Shares, s.Compressed = []byte(site), 15*time.Second, nil, nil
	s.End = s.Start.Add(2 * time.Hour)
	s.Events = []arrays.Event{{From: s.Start.Add(40 * time.Minute), To: s.End, Mechanism: arrays.SlowLUN{LUN: "1.03", Factor: 4}}}
	dir = t.TempDir()
	if _, err := s.Write(context.Background(), dir, nil); err != nil {
		t.Fatal(err)
	}
	system, err := s.System()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, simulate.ActivityDir), system
}

// patience is the time limit of await.
const patience = 2 * time.Minute

// await waits until a condition holds.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for begun := time.Now(); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > patience {
			t.Fatalf("%s: it does not come to that", what)
		}
	}
}

// join runs a node until leave is called.
func join(t *testing.T, b *bus.Bus, name string, roles []Role, dir string, system *topology.System) (m *Node, leave func()) {
	t.Helper()
	w := watch.DefaultOptions()
	w.Paths, w.StateDir, w.System, w.StepSeconds, w.Now = []string{dir}, filepath.Join(t.TempDir(), "state"), system, 15, time.Now
	return joinWith(t, b, name, roles, w)
}

func joinWith(t *testing.T, b *bus.Bus, name string, roles []Role, w watch.Options) (m *Node, leave func()) {
	t.Helper()
	o := DefaultOptions()
	o.NATS.Node, o.Roles, o.SaveEvery = name, roles, 100*time.Millisecond
	w.Report = func(s string) { t.Log(name + ": " + s) }
	m, err := Join(context.Background(), o, w, b, func() {})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := m.Run(ctx); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
	var once sync.Once
	leave = func() {
		once.Do(func() {
			stop()
			running.Wait()
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(leave)
	return m, leave
}

// slow returns the incident at the slow LUN, as a node shows it.
func slow(m *Node) *incident.Incident {
	all := m.Result().Incidents
	at := slices.IndexFunc(all, func(in incident.Incident) bool { return in.Place.Name == "1.03" })
	if at < 0 {
		return nil
	}
	return &all[at]
}

// TestTwoNodes: either node judges what one node reads, and both show it with the same numbers. A
// command to one node reaches the other. When one node leaves, the other continues its tasks.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	dir, system := recorded(t)
	b := bus.NewLocal(time.Now, time.Second)
	one, leave := join(t, b, "one", []Role{RoleIngest, RoleWorker}, dir, system)
	two, _ := join(t, b, "two", []Role{RoleWorker}, dir, system)
	nodes := []*Node{one, two}
	for _, m := range nodes {
		await(t, "the incident is shown", func() bool { return slow(m) != nil && m.Ledger().LastEvent() > 0 })
	}
	id := slow(two).ID
	a, err := one.Ledger().Incident(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var c *ledger.Record
	await(t, "both ledgers have it", func() bool { c, err = two.Ledger().Incident(t.Context(), id); return err == nil })
	if a.Events[0].Seq != c.Events[0].Seq || a.Events[0].Time != c.Events[0].Time {
		t.Errorf("the first event is %+v here and %+v there", a.Events[0], c.Events[0])
	}
	if _, err := two.Apply(t.Context(), command.Command{Who: "ann", Verb: command.Mute, Incident: id}); err != nil {
		t.Fatal(err)
	}
	for _, m := range nodes {
		await(t, "it is muted", func() bool { in := slow(m); return in != nil && in.Muted })
		await(t, "the word is kept", func() bool {
			r, err := m.Ledger().Incident(t.Context(), id)
			return err == nil && len(r.Commands) == 1 && r.Commands[0].Who == "ann"
		})
	}
	leave()
	await(t, "the other node has all", func() bool {
		held, err := b.Leases.Held(t.Context())
		return err == nil && len(held) == 5 // its own, two partitions, the common task, the decision about alerts
	})
	if _, err := two.Apply(t.Context(), command.Command{Who: "ben", Verb: command.Unmute, Name: "1.03.*"}); err != nil {
		t.Fatal(err)
	}
	await(t, "it is shown again", func() bool { in := slow(two); return in != nil && !in.Muted })
}

// TestRefusals: commands and nodes that do not fit are refused, with the cure.
func TestRefusals(t *testing.T) {
	t.Parallel()
	dir, system := recorded(t)
	b := bus.NewLocal(time.Now, time.Second)
	m, _ := join(t, b, "one", []Role{RoleIngest, RoleWorker}, dir, system)
	await(t, "the incident is shown", func() bool { return slow(m) != nil })
	for _, w := range []command.Command{{Verb: command.Mute, Incident: "none"}, {Verb: command.Mute, Name: "none"}} {
		var refused *announce.RefusedCommand
		if _, err := m.Apply(t.Context(), w); !errors.As(err, &refused) {
			t.Errorf("%+v: %v", w, err)
		}
	}
	other, _, err := topology.Parse("other.yaml", []byte(strings.NewReplacer("00-11", "00-10", "sd[b-m]", "sd[b-l]").Replace(site)))
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions()
	o.NATS.Node = "two"
	w := watch.DefaultOptions()
	w.Paths, w.StateDir, w.System, w.StepSeconds, w.Now = []string{dir}, filepath.Join(t.TempDir(), "state"), other, 15, time.Now
	two, err := Join(t.Context(), o, w, b, func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer two.Close()
	if err := two.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "same topology file") {
		t.Errorf("another topology: %v", err)
	}
}
