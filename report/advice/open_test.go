package advice

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/limpet-storage/limpet/topology"
)

// plainLost is what lost counts, part by part.
func (a *adviser) plainLost(c int) int {
	lists := [][]int{a.Members}
	for key, components := range a.Open.shown {
		if key.id != a.ID || key.place != a.Place {
			lists = append(lists, components)
		}
	}
	counted := map[string]bool{}
	for _, list := range lists {
		for _, other := range list {
			x, y := a.of(c), a.of(other)
			local := x.Storage == "zfs"
			if x.Storage == y.Storage && (x.Pool == "" || y.Pool == "" || x.Pool == y.Pool && (!local || x.Server == y.Server)) {
				counted[y.PartName()] = true
			}
		}
	}
	delete(counted, a.of(c).PartName())
	return len(counted)
}

// TestLost holds what is looked up against what is counted one by one.
func TestLost(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(from ...string) string { return from[rng.IntN(len(from))] }
	some := func(n int) (list []int) {
		for range rng.IntN(4) {
			list = append(list, rng.IntN(n))
		}
		return list
	}
	for round := range 2000 {
		system := &topology.System{}
		for i := range 12 {
			system.Components = append(system.Components, topology.Component{
				Name: fmt.Sprint(i), LUN: pick("", "", "l1", "l2"), Server: pick("a", "b"),
				Part: topology.Part{Storage: pick("zfs", "ceph"), Pool: pick("", "p", "q")},
			})
		}
		n := len(system.Components)
		var shown []Shown
		for range rng.IntN(6) {
			shown = append(shown, Shown{ID: pick("1", "2", "3"), Components: some(n)})
		}
		p := &Problem{ID: "1", Members: some(n), Open: NewOpen(system, shown)}
		a := adviser{system, p}
		for c := range n {
			if got, want := a.lost(c), a.plainLost(c); got != want {
				t.Fatalf("round %d: %d lost beside %d, want %d", round, got, c, want)
			}
		}
	}
}

// TestManyOpen: as many problems as there are parts are asked for in a moment.
func TestManyOpen(t *testing.T) {
	const n = 20_000
	system := &topology.System{}
	var shown []Shown
	for i := range n {
		system.Components = append(system.Components, topology.Component{Name: fmt.Sprint(i), Part: topology.Part{Storage: "ceph", Redundancy: "3 replicas"}})
		shown = append(shown, Shown{ID: fmt.Sprint(i), Components: []int{i}})
	}
	open := NewOpen(system, shown)
	looked := testing.AllocsPerRun(100, func() {
		a := adviser{system, &Problem{ID: "7", Members: []int{7}, Open: open}}
		if lost := a.lost(7); lost != n-1 {
			t.Errorf("%d lost", lost)
		}
	})
	if looked > 100 { // a count of all of them would take thousands
		t.Errorf("%.0f allocations", looked)
	}
}
