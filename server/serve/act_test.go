package serve

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/checkout"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/live/action"
	"github.com/limpet-storage/limpet/live/cluster"
	plan "github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/server/api"
)

// cephScript is a cluster with one OSD of interest. It keeps its primary affinity, and a list of calls that
// change something.
const cephScript = `#!/bin/sh
case "$*" in
"pg stat --format json") echo '{"pg_ready":true,"pg_summary":{"num_pg_by_state":[{"name":"active+clean","num":33}],"num_pgs":33}}' ;;
"health detail --format json") echo '{"status":"HEALTH_OK","checks":{}}' ;;
"osd dump --format json") read a < affinity; echo "{\"osds\":[{\"osd\":7,\"up\":1,\"in\":1,\"primary_affinity\":$a}]}" ;;
"osd primary-affinity osd.7 "*) echo "$4" > affinity; echo "$*" >> calls ;;
*) echo "unknown: $*" >&2; exit 1 ;;
esac
`

// TestActs: a server asks, an operator approves over the API, the command runs, the latencies do not get
// better, and the action is reversed. A restart between two steps changes nothing.
func TestActs(t *testing.T) {
	dir, bin, state := t.TempDir(), t.TempDir(), t.TempDir()
	demo := arrays.Demo(1)
	demo.Compressed = nil
	if _, err := demo.Write(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	script := strings.NewReplacer("< affinity", "< "+bin+"/affinity", "> affinity", "> "+bin+"/affinity", ">> calls", ">> "+bin+"/calls").Replace(cephScript)
	for name, text := range map[string]string{"ceph": script, "affinity": "1\n", "policy.yaml": "mode: ask\n"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	calls := func() []string {
		text, _ := os.ReadFile(filepath.Join(bin, "calls"))
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
	c := settings(dir, state, newHook(t))
	c.Topology, c.Policy = checkout.Path(t, "examples/act/topology.yaml"), filepath.Join(bin, "policy.yaml")
	var minutes atomic.Int64
	now := func() time.Time { return demo.End.Add(time.Duration(minutes.Load()) * time.Minute) }
	begin := func() *running {
		ctx, stop := context.WithCancel(context.Background())
		s, err := Open(ctx, c, Options{Version: "1.2.3", Now: now, Report: func(s string) { t.Log(s) }, Stdout: io.Discard, Stderr: io.Discard, ActEvery: 10 * time.Millisecond})
		if err != nil {
			stop()
			t.Fatal(err)
		}
		r := &running{s, t, stop, make(chan error, 1)}
		go func() { r.ended <- s.Run(ctx) }()
		return r
	}
	r := begin()
	state1 := func() string {
		var list api.ActionList
		if code := r.ask("GET", "/api/v1/actions", nil, &list); code != http.StatusOK {
			return fmt.Sprint(code)
		}
		if len(list.Actions) == 0 {
			return "none: " + list.Note
		}
		return string(list.Actions[0].State)
	}
	is := func(s action.State) func() bool { return func() bool { return state1() == string(s) } }
	until(t, "an operator is asked", is(action.Asked))
	if len(calls()) > 1 {
		t.Fatalf("without an answer: %q", calls())
	}
	var incidents api.IncidentList
	r.ask("GET", "/api/v1/incidents?section=now", nil, &incidents)
	at := slices.IndexFunc(incidents.Incidents, func(x api.Record) bool {
		return x.Incident.Action != nil && x.Incident.Action.Reason == "already masked"
	})
	if at < 0 {
		t.Fatalf("no incident has an action that is under way: %+v", incidents)
	}
	r.end()
	r = begin()
	until(t, "it is asked after a restart", is(action.Asked))
	var list api.ActionList
	r.ask("GET", "/api/v1/actions", nil, &list)
	id := list.Actions[0].ID
	var kept api.Kept
	if code := r.ask("GET", "/api/v1/incidents/"+list.Actions[0].Incident, nil, &kept); code != http.StatusOK || len(kept.Actions) != 1 || kept.Actions[0].ID != id {
		t.Errorf("%d %+v", code, kept.Actions)
	}
	var a api.Action
	if code := r.ask("POST", "/api/v1/actions/"+id+"/command", map[string]any{"verb": "approve"}, &a); code != http.StatusOK {
		t.Fatalf("%d", code)
	}
	until(t, "the command ran", is(action.Watching))
	if got := calls(); !slices.Equal(got, []string{"osd primary-affinity osd.7 0"}) {
		t.Errorf("%q", got)
	}
	r.end()
	minutes.Store(11)
	r = begin()
	until(t, "it is reversed", is(action.Undone))
	if got := calls(); !slices.Equal(got, []string{"osd primary-affinity osd.7 0", "osd primary-affinity osd.7 1"}) {
		t.Errorf("%q", got)
	}
	var whole api.ActionKept
	if code := r.ask("GET", "/api/v1/actions/"+id, nil, &whole); code != http.StatusOK || !whole.Action.Useless || !strings.Contains(whole.Action.Reason, "too few latencies were measured after the action") || len(whole.Records) < 10 {
		t.Errorf("%d %+v", code, whole)
	}
	var turned api.ActionSwitch
	if code := r.ask("POST", "/api/v1/actions/command", map[string]any{"verb": "stop", "text": "enough"}, &turned); code != http.StatusOK || !turned.Stopped {
		t.Errorf("%d %+v", code, turned)
	}
	r.end()
	r = begin()
	defer r.end()
	until(t, "it is read", r.Ready)
	if r.ask("GET", "/api/v1/actions", nil, &list); !list.Switch.Stopped || list.Switch.Text != "enough" {
		t.Errorf("after a restart: %+v", list.Switch)
	}
	var text string
	if code := r.ask("POST", "/api/v1/actions/"+id+"/command", map[string]any{"verb": "undo"}, &text); code != http.StatusBadRequest || !strings.Contains(text, "has already ended") {
		t.Errorf("%d %s", code, text)
	}
}

// TestLatencyOfAGroup: the latency of a group comes from the history, with and without the slow part.
func TestLatencyOfAGroup(t *testing.T) {
	dir := recorded(t)
	s := start(t, settings(dir, t.TempDir(), newHook(t)), nil)
	defer s.end()
	until(t, "it is read", s.Ready)
	from := arrays.Demo(1).Start.Add(3 * time.Hour).Unix() // the LUN 1.07 is slow
	var l plan.Latencies
	until(t, "the half hour is in the history", func() bool {
		var err error
		l, err = s.latency(t.Context(), "1.07.4", from, from+1800)
		return err == nil && len(l.Samples) >= 100
	})
	if l.StepSeconds != 15 || l.Unit != "ms" {
		t.Fatalf("%d samples, %d s, %s", len(l.Samples), l.StepSeconds, l.Unit)
	}
	worse := 0
	for _, x := range l.Samples {
		if x.Group > x.Others {
			worse++
		}
	}
	if worse < len(l.Samples)*9/10 {
		t.Errorf("with the slow part the latency is higher in %d of %d steps", worse, len(l.Samples))
	}
}

// A node of a cluster that does not store the latencies of the whole cluster refuses a policy that acts.
func TestNodeWithoutLatencies(t *testing.T) {
	policy := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(policy, []byte("mode: do"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := settings(recorded(t), t.TempDir(), newHook(t))
	c.Policy = policy
	o := cluster.DefaultOptions()
	o.Plots = false
	c.Cluster = &o
	_, err := Open(t.Context(), c, Options{Now: time.Now, Report: func(string) {}, Stdout: io.Discard, Stderr: io.Discard})
	if err == nil || !strings.Contains(err.Error(), `the modes "ask" and "do" of a policy need the latencies of the whole cluster`) {
		t.Error(err)
	}
}
