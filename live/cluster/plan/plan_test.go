package plan

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/topology"
)

// site has arrays of two servers each, by number. The arrays of one list share a peer group, and so
// are one part.
func site(tb testing.TB, apart ...[]int) *topology.System {
	tb.Helper()
	var text strings.Builder
	text.WriteString("servers: fs[1-40]\narrays:\n")
	for _, list := range apart {
		for _, n := range list {
			peers := "array"
			if len(list) > 1 {
				peers = "all"
			}
			fmt.Fprintf(&text, "  - {names: ddn%d, servers: 'fs[%d-%d]', luns: 00-03, priority: rotate, controllers: {a: 1, b: 2}, devices: 'sd[b-e]', peers: %s}\n", n, 2*n-1, 2*n, peers)
		}
	}
	whole, _, err := topology.Parse("site.yaml", []byte(text.String()))
	if err != nil {
		tb.Fatal(err)
	}
	used := map[string]bool{}
	for i := range whole.Components {
		used[whole.Components[i].Server] = true
	}
	s, _ := whole.Only(func(server string) bool { return used[server] })
	return s
}

func each(from, to int) (list [][]int) {
	for n := from; n <= to; n++ {
		list = append(list, []int{n})
	}
	return list
}

// TestNext: existing parts stay in their partition, new parts go to the emptiest, and an empty
// partition stays.
func TestNext(t *testing.T) {
	was := Divide(site(t, each(1, 8)...), 4)
	grown := was.Next(site(t, each(1, 9)...), 4)
	before, after := was.homes(), grown.homes()
	for server, home := range before {
		if after[server] != home {
			t.Errorf("%s moved from %s to %s when another array came", server, home, after[server])
		}
	}
	if after["fs17"] == "" || after["fs17"] != after["fs18"] {
		t.Errorf("the new array is at %q and %q", after["fs17"], after["fs18"])
	}
	least := 1 << 30
	for i := range was.Partitions {
		least = min(least, was.Partitions[i].Components())
	}
	if n := was.Find(after["fs17"]).Components(); n != least {
		t.Errorf("the new array went to a partition of %d components, and the emptiest has %d", n, least)
	}
	gone := before["fs1"]
	kept := map[string]string{}
	var rest [][]int
	for n := 2; n <= 8; n++ {
		if home := before[fmt.Sprintf("fs%d", 2*n)]; home != gone {
			rest, kept[fmt.Sprintf("fs%d", 2*n)] = append(rest, []int{n}), home
		}
	}
	shrunk := grown.Next(site(t, rest...), 4)
	if p := shrunk.Find(gone); p == nil || len(p.Servers) > 0 {
		t.Errorf("the partition whose arrays are gone is %+v", p)
	}
	for server, home := range kept {
		if shrunk.homes()[server] != home {
			t.Errorf("%s moved to %s when others went", server, shrunk.homes()[server])
		}
	}
}

// TestJoinedParts: one engine judges parts that have become one.
func TestJoinedParts(t *testing.T) {
	was := Divide(site(t, each(1, 4)...), 4)
	next := was.Next(site(t, []int{1, 2, 3}, []int{4}), 4).homes()
	for _, server := range []string{"fs2", "fs3", "fs4", "fs5", "fs6"} {
		if next[server] != next["fs1"] {
			t.Errorf("%s is at %s and its peers are at %s", server, next[server], next["fs1"])
		}
	}
	if next["fs7"] != was.homes()["fs7"] {
		t.Errorf("fs7 moved from %s to %s", was.homes()["fs7"], next["fs7"])
	}
}

// TestStages: of several nodes that change the system at the same time one is first, and all continue
// with its system. A node with an earlier system of the cluster gets the latest one. A node with
// an unknown system is refused.
func TestStages(t *testing.T) {
	b := bus.NewLocal(time.Now, time.Second)
	terms := Terms{System: site(t, each(1, 3)...), Partitions: 4, LateSeconds: 120, Diagnose: engine.DefaultOptions()}
	schema := table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await, metric.TPS}, Load: 1}
	if _, err := NewStages(b).Latest(t.Context()); !errors.Is(err, bus.ErrNone) {
		t.Fatalf("a plan before there is one: %v", err)
	}
	if _, err := NewStages(b).Agree(t.Context(), &terms, schema); err != nil {
		t.Fatal(err)
	}
	next := site(t, each(1, 5)...)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if s, err := NewStages(b).Change(t.Context(), next); err != nil || s.Generation != 1 {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
	all.Wait()
	now, err := NewStages(b).Await(t.Context(), &terms)
	if err != nil || now.Generation != 1 || len(now.System.Components) != len(next.Components) {
		t.Errorf("who comes with the system of before is told %+v, %v", now, err)
	}
	terms.System = site(t, each(2, 9)...)
	if _, err := NewStages(b).Await(t.Context(), &terms); err == nil || !strings.Contains(err.Error(), "differs from the topology of the cluster") {
		t.Errorf("a system that the cluster never had: %v", err)
	}
}

// TestFitsAnotherVersion: a node of a version with other default thresholds fits. A node whose
// operator has chosen other thresholds does not. The plan of an earlier version says nothing about
// chosen thresholds, so it fits.
func TestFitsAnotherVersion(t *testing.T) {
	terms := Terms{System: site(t, each(1, 3)...), Partitions: 4, LateSeconds: 120, Diagnose: engine.DefaultOptions()}
	terms.Diagnose.Criteria.RecoverSeconds = 1234 // both nodes have this setting
	p, err := New(&terms, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await}})
	if err != nil {
		t.Fatal(err)
	}
	other := terms
	other.Diagnose.Criteria.RecoverSeconds = 4321
	if err := p.Fits(&other); err == nil || !strings.Contains(err.Error(), "other thresholds than the cluster") {
		t.Errorf("other chosen thresholds: %v", err)
	}
	p.Settings = "hash of the settings of a version with other defaults"
	if err := p.Fits(&terms); err != nil {
		t.Errorf("other defaults: %v", err)
	}
	p.Chosen = ""
	if err := p.Fits(&terms); err != nil {
		t.Errorf("an earlier version: %v", err)
	}
}
