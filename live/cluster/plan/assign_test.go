package plan

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/topology"
)

func parse(tb testing.TB, text string) *topology.System {
	tb.Helper()
	s, _, err := topology.Parse("site.yaml", []byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// TestParts: components that share peers, an array or a LUN are in one part.
func TestParts(t *testing.T) {
	for name, tt := range map[string]struct {
		site string
		want []part
	}{
		"peers of a server": {
			"servers: fs[1-3]\ndrives:\n  - {devices: 'sd[a-d]', peers: server}\n",
			[]part{{"fs1", []string{"fs1"}, 4}, {"fs2", []string{"fs2"}, 4}, {"fs3", []string{"fs3"}, 4}},
		},
		"peers of all servers": {
			"servers: fs[1-3]\ndrives:\n  - {devices: 'sd[a-d]', peers: all}\n",
			[]part{{"fs1", []string{"fs1", "fs2", "fs3"}, 12}},
		},
		"arrays of two servers": {
			"servers: fs[1-4]\narrays:\n  - {names: 'ddn[1-2]', servers_per_array: 2, luns: 0-3, priority: rotate, devices: 'sd[b-e]', peers: array}\n",
			[]part{{"fs1", []string{"fs1", "fs2"}, 8}, {"fs3", []string{"fs3", "fs4"}, 8}},
		},
		"arrays that are alike": {
			"servers: fs[1-4]\narrays:\n  - {names: 'ddn[1-2]', servers_per_array: 2, luns: 0-3, priority: rotate, devices: 'sd[b-e]'}\n",
			[]part{{"fs1", []string{"fs1", "fs2", "fs3", "fs4"}, 16}},
		},
	} {
		if got := parts(parse(t, tt.site)); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func names(prefix string, n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("%s%d", prefix, i))
	}
	return list
}

func items(n int, rng *rand.Rand) (list []Item) {
	for _, name := range names("part", n) {
		list = append(list, Item{name, 1 + rng.IntN(20)})
	}
	return list
}

// TestAssignIsFair: no bin has much more weight than another, and every item is assigned.
func TestAssignIsFair(t *testing.T) {
	list := items(500, rand.New(rand.NewPCG(1, 1)))
	total := 0
	for _, it := range list {
		total += it.Weight
	}
	for _, n := range []int{1, 2, 4, 7, 32} {
		load := map[string]int{}
		given := Assign(list, names("w", n))
		for _, it := range list {
			load[given[it.Name]] += it.Weight
		}
		most := 0
		for _, l := range load {
			most = max(most, l)
		}
		if bound := int(float64(total)/float64(n)*(1+spare)) + 1 + 20; len(load) != n || most > bound || len(given) != len(list) {
			t.Errorf("%d bins: %d are used, the fullest has %d of %d at the most", n, len(load), most, bound)
		}
	}
}

// TestAssignForgetsOrder: the result depends on names, not on their order.
func TestAssignForgetsOrder(t *testing.T) {
	list, bins := items(50, rand.New(rand.NewPCG(2, 2))), names("w", 5)
	want := Assign(list, bins)
	slices.Reverse(list)
	slices.Reverse(bins)
	if got := Assign(list, bins); !reflect.DeepEqual(got, want) {
		t.Error("another order is another answer")
	}
	if got := Assign(list, nil); len(got) != 0 {
		t.Errorf("nobody is given %v", got)
	}
}

// TestAssignMovesLittle: when a bin goes, few items move except its own.
func TestAssignMovesLittle(t *testing.T) {
	list, bins := items(400, rand.New(rand.NewPCG(3, 3))), names("w", 8)
	before, after := Assign(list, bins), Assign(list, bins[:7])
	moved, own := 0, 0
	for _, it := range list {
		switch {
		case before[it.Name] == "w7":
			own++
		case before[it.Name] != after[it.Name]:
			moved++
		}
	}
	if own == 0 || moved > len(list)/8 {
		t.Errorf("%d of %d items move that were not of the bin that went (%d)", moved, len(list), own)
	}
}
