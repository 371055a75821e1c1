package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/action"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/ledger"
	plan "github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/topology"
)

// osds is a Ceph in memory. All nodes run their commands on it.
type osds struct {
	mu       sync.Mutex
	relieved map[string]bool
	calls    []string      // commands that change something, in order
	takes    time.Duration // time that a command takes after its effect
}

func (s *osds) Run(ctx context.Context, c plan.Command) (string, error) {
	answer, err := s.command(c)
	select {
	case <-time.After(s.takes):
	case <-ctx.Done():
		return "", ctx.Err()
	}
	return answer, err
}

func (s *osds) command(c plan.Command) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch text := c.String(); {
	case strings.HasPrefix(text, "ceph pg stat"):
		return `{"pg_ready":true,"pg_summary":{"num_pg_by_state":[{"name":"active+clean","num":33}],"num_pgs":33}}`, nil
	case strings.HasPrefix(text, "ceph health"):
		return `{"status":"HEALTH_OK","checks":{}}`, nil
	case strings.HasPrefix(text, "ceph osd dump"):
		var list []map[string]any
		for i := range 40 {
			affinity := 1
			if s.relieved[fmt.Sprintf("osd.%d", i)] {
				affinity = 0
			}
			list = append(list, map[string]any{"osd": i, "up": 1, "in": 1, "primary_affinity": affinity})
		}
		out, err := json.Marshal(map[string]any{"osds": list})
		return string(out), err
	case strings.HasPrefix(text, "ceph osd primary-affinity"):
		s.calls = append(s.calls, text)
		s.relieved[c.Args[3]] = c.Args[4] == "0"
		return "", nil
	}
	return "", fmt.Errorf("no command %s", c)
}

func (s *osds) changed() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// actors is a cluster whose nodes carry out actions. One OSD after the other is slow.
type actors struct {
	*gathered
	storage *osds
	system  *topology.System
	slow    atomic.Int32 // the OSD that is slow; -1: none
	clock   func() time.Time
	policy  *plan.Policy
	dir     string
	nodes   map[string]*actor
}

// actor is a node with an executor.
type actor struct {
	*Gather
	severed
	x     *action.Executor
	leave func()
}

func newActors(t *testing.T, mode string, lease time.Duration) *actors {
	t.Helper()
	var list []topology.Listed
	for i := range 40 {
		server, device := fmt.Sprintf("osd%d", i/4), fmt.Sprintf("sd%c", 'b'+i%4)
		list = append(list, topology.Listed{Peers: "osd", Component: topology.Component{
			Name: server + "/" + device, Server: server, Device: device, Part: topology.Part{Storage: "ceph", Redundancy: "3 replicas", Volume: fmt.Sprint(i)},
		}})
	}
	a := &actors{gathered: newGatheredOn(t, bus.NewLocal(time.Now, lease)), storage: &osds{relieved: map[string]bool{}}, dir: t.TempDir(), nodes: map[string]*actor{}}
	var err error
	if a.system, _, err = topology.List("site", list); err != nil {
		t.Fatal(err)
	}
	if a.policy, err = plan.ParsePolicy("p.yaml", []byte("mode: "+mode+"\nverify_minutes: 3\nmost_an_hour: 6")); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	a.clock = func() time.Time { return begun.Add(-20*time.Hour + 60*time.Since(begun)) }
	return a
}

// now returns the present result of the diagnosis: one slow OSD.
func (a *actors) now() action.Now {
	out := action.Now{System: a.system, Headline: func(*incident.Incident) string { return "slow" }}
	if c := int(a.slow.Load()); c >= 0 {
		began := a.clock().Unix() - 7200
		out.Open = []incident.Incident{{
			ID: fmt.Sprintf("id%04d", c), Class: finding.Slow, Kind: finding.SlowDrive, Place: blame.Place{Tier: blame.Drive, Name: a.system.Components[c].Name}, Phase: incident.Active,
			Onset: finding.Onset{At: began, Early: began, Late: began}, Confirmed: began + 3600,
			Members: []finding.Member{{Component: c, Role: finding.IsSlow, Ratio: 3, Worst: 4, Effect: finding.Effect{Times: 3, Low: 2.5, High: 3.5}}},
		}}
	}
	return out
}

// start starts a node; nil: without a policy.
func (a *actors) start(name string, policy *plan.Policy) *actor {
	a.Helper()
	one := &actor{}
	var stop func()
	one.Gather, stop = a.nodeWith(filepath.Join(a.dir, name), func(o *gatherOptions) { o.Node, o.Bus, o.Now, o.Alert.Receivers = name, one.on(a.bus), time.Now, nil })
	o := action.DefaultOptions()
	o.Ledger, o.Runner, o.Clock, o.Now, o.Turns = one.Ledger(), a.storage, a.clock, a.now, one.ActionTurns()
	o.Every, o.Policy, o.Report = 5*time.Millisecond, func() *plan.Policy { return policy }, func(s string) { a.Log(name + ": " + s) }
	o.Latency = func(_ context.Context, component string, from, to int64) (plan.Latencies, error) {
		return a.latencies(component, one.x, from, to), nil
	}
	var err error
	if one.x, err = action.Open(a.Context(), o); err != nil {
		a.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { one.x.Run(ctx) })
	var once sync.Once
	one.leave = func() { once.Do(func() { end(); running.Wait(); stop() }) }
	a.Cleanup(one.leave)
	a.nodes[name] = one
	return one
}

// latencies returns a step every 15 s: 20 ms before the part was masked, and 10 ms since and without
// the slow part.
func (a *actors) latencies(component string, x *action.Executor, from, to int64) plan.Latencies {
	out := plan.Latencies{StepSeconds: 15, Unit: "s"}
	masked := int64(1 << 60)
	for _, one := range x.Actions() {
		if one.Masked > 0 && one.Component == component {
			masked = one.Masked
		}
	}
	for end := (from/15 + 1) * 15; end <= to; end += 15 {
		s := plan.Sample{End: end, Group: 0.020, Others: 0.010}
		if end > masked {
			s.Group = 0.010
		}
		out.Samples = append(out.Samples, s)
	}
	return out
}

// kill ends a node that cannot say anything more.
func (one *actor) kill() {
	one.cut.Store(true)
	one.leave()
}

// last returns the last action that the ledger of a node has.
func (one *actor) last(t testing.TB) (a action.Action) {
	t.Helper()
	list, err := one.Ledger().Actions(t.Context(), "", 1)
	if err == nil && len(list) > 0 {
		a, err = action.Decode(list[0])
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestOneNodeActs: of three nodes one carries out an action. An operator answers and orders the undo
// at nodes that do not, and every node knows everything that happened.
func TestOneNodeActs(t *testing.T) {
	t.Parallel()
	a := newActors(t, "ask", calmLease)
	for _, name := range []string{"one", "two"} {
		a.start(name, a.policy)
	}
	none := a.start("three", nil)
	await(t, "every node knows the question", func() bool {
		return !slices.ContainsFunc(slices.Collect(maps.Values(a.nodes)), func(n *actor) bool { return n.last(t).State != action.Asked })
	})
	holder, _ := none.ActionTurns().Holder()
	if holder != "one" && holder != "two" {
		t.Fatalf("node %q has the turn", holder)
	}
	idle := a.nodes[map[string]string{"one": "two", "two": "one"}[holder]]
	if _, err := idle.x.Approve(t.Context(), "77", "kim", ""); err != action.ErrUnknown {
		t.Errorf("an action that does not exist: %v", err)
	}
	if _, err := none.x.Undo(t.Context(), "1", "kim", ""); err == nil || !strings.Contains(err.Error(), "nothing yet") {
		t.Errorf("undo of a question: %v", err)
	}
	got, err := idle.x.Approve(t.Context(), "1", "kim", "please")
	if err != nil || got.ApprovedBy != "kim" {
		t.Fatalf("%+v, %v", got, err)
	}
	await(t, "the action helped", func() bool { return none.last(t).State == action.Helped })
	if s, err := none.x.Stop(t.Context(), "lee", ""); err != nil || !s.Stopped {
		t.Errorf("%+v, %v", s, err)
	}
	a.slow.Store(-1)
	if _, err := none.x.Undo(t.Context(), "1", "kim", ""); err != nil {
		t.Fatal(err)
	}
	await(t, "the undo", func() bool { return none.last(t).State == action.Undone })
	if calls := a.storage.changed(); !slices.Equal(calls, []string{"ceph osd primary-affinity osd.0 0", "ceph osd primary-affinity osd.0 1"}) {
		t.Errorf("commands %q", calls)
	}
	for name, n := range a.nodes {
		await(t, name+" knows that all actions are stopped", func() bool { return n.x.Switch().Stopped && n.last(t).State == action.Undone })
	}
	if note := none.x.Note(); !strings.Contains(note, "node "+holder) {
		t.Error(note)
	}
}

// TestActionsSurviveKills: the node that carries out actions is killed again and again, also while a
// command runs. No command runs twice, and no part stays masked without an action that knows it.
func TestActionsSurviveKills(t *testing.T) {
	t.Parallel()
	actions, killsEach := 6, 5
	if testing.Short() {
		actions, killsEach = 1, 4
	}
	a := newActors(t, "do", 400*time.Millisecond)
	a.storage.takes = 10 * time.Millisecond
	names := []string{"one", "two", "three"}
	for _, name := range names {
		a.start(name, a.policy)
	}
	rng := rand.New(rand.NewPCG(37, 3))
	kills := 0
	for c := range actions {
		a.slow.Store(int32(c))
		id := fmt.Sprintf("id%04d", c)
		for deadline := time.Now().Add(2 * time.Minute); ; {
			time.Sleep(time.Duration(20+rng.IntN(400)) * time.Millisecond)
			holder, _ := a.nodes["one"].ActionTurns().Holder()
			if n := a.nodes[holder]; n != nil && kills < killsEach*(c+1) && rng.IntN(2) == 0 {
				n.kill()
				kills++
				a.start(holder, a.policy)
			}
			n := a.nodes[names[rng.IntN(3)]]
			last := n.last(t)
			if last.Incident == id && last.State == action.Helped && last.UndoBy == "" {
				n.x.Undo(t.Context(), last.ID, "kim", "") // if the node that acts is killed, the test asks again
			}
			if last.Incident == id && last.State.IsFinal() {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("the action on %s does not end: %+v", id, last)
			}
		}
	}
	count := map[string]int{}
	for _, call := range a.storage.changed() {
		count[call]++
	}
	for call, n := range count {
		if n > 1 {
			t.Errorf("%d times %s", n, call)
		}
	}
	for osd, is := range a.storage.relieved {
		if is {
			t.Errorf("%s stays masked", osd)
		}
	}
	var first []string
	for _, name := range names {
		var ids []string
		await(t, "every node has the same actions", func() bool {
			list, err := a.nodes[name].Ledger().Actions(t.Context(), "", 100)
			ids = nil
			for _, one := range list {
				if one.Ended > 0 {
					ids = append(ids, one.Incident)
				}
			}
			return err == nil && len(list) == len(ids) && len(ids) >= actions && (first == nil || slices.Equal(first, ids))
		})
		first = ids
	}
	t.Logf("%d kills, %d actions, %d commands", kills, len(first), len(a.storage.changed()))
}

// TestActionsOfBefore: a node that joins a cluster keeps its own actions under other IDs. The cluster
// continues those that are not over, and knows that all actions are stopped.
func TestActionsOfBefore(t *testing.T) {
	t.Parallel()
	a := newActors(t, "do", calmLease)
	a.slow.Store(-1)
	err := os.Mkdir(filepath.Join(a.dir, "two"), 0o700)
	if err != nil {
		t.Fatal(err)
	}
	l, err := ledger.Open(t.Context(), filepath.Join(a.dir, "two", "ledger.sqlite"))
	if err == nil {
		now := a.clock().Unix()
		document := fmt.Sprintf(`{"id":"1","incident":"id0003","component":"osd0/sde","server":"osd0","storage":"ceph","effect":"relieve","names":{"osd":"osd.3"},"state":"helped","created":%d,"began":%[1]d,"masked":%[1]d,"checked":%[1]d}`, now-60)
		err = l.Step(t.Context(), func(tx *ledger.Tx) error {
			return tx.AppendAction(&ledger.ActionChange{
				Record: &ledger.ActionRecord{Seq: 1, Action: "1", Time: now, Document: []byte("{}")},
				Action: &ledger.Action{ID: "1", Incident: "id0003", Document: []byte(document)}, Switch: []byte(`{"stopped":true,"who":"ann"}`),
			})
		})
	}
	if err == nil {
		err = l.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	a.storage.relieved["osd.3"] = true
	one := a.start("one", a.policy)
	two := a.start("two", nil)
	await(t, "the other node knows the action", func() bool { return one.last(t).ID == "two-1" && one.x.Switch().Stopped })
	// The other node reads the records of the second node before that node has read them back: until
	// then it refuses operators' commands.
	await(t, "the second node takes commands", func() bool {
		_, err := two.x.Undo(t.Context(), "two-1", "ann", "")
		return err == nil
	})
	await(t, "the undo", func() bool { return two.last(t).State == action.Undone })
	if calls := a.storage.changed(); !slices.Equal(calls, []string{"ceph osd primary-affinity osd.3 1"}) {
		t.Errorf("commands %q", calls)
	}
}

// TestMissedActions: a node that missed changes of actions does not take the turn before another
// node has copied the present state for it.
func TestMissedActions(t *testing.T) {
	t.Parallel()
	a := newActors(t, "do", calmLease)
	one := a.start("one", a.policy)
	await(t, "the action helped", func() bool { return one.last(t).State == action.Helped })
	missing := a.start("two", nil)
	await(t, "the new node knows the action", func() bool { return missing.last(t).State == action.Helped })
	missing.leave()
	// The ledger of the node loses the actions, as if the log had dropped their records before the
	// node read them.
	l, err := ledger.Open(t.Context(), filepath.Join(a.dir, "two", "ledger.sqlite"))
	if err == nil {
		err = l.Step(t.Context(), func(tx *ledger.Tx) error { return tx.PrefixActions("lost-") })
	}
	if err == nil {
		err = l.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	two := a.start("two", nil)
	if _, err := one.x.Stop(t.Context(), "kim", ""); err != nil {
		t.Fatal(err)
	}
	await(t, "the node gets a copy", func() bool {
		return !two.alerts.position().MissesActions && two.x.Switch().Stopped && two.last(t).ID == one.last(t).ID
	})
}
