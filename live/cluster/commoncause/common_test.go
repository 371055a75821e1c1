package commoncause

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/topology"
)

// servers are judged apart: each has twelve drives in slots with the same names.
const site = "servers: s[1-40]\ndrives:\n  - {devices: 'sd[a-l]', slots: 1-12, peers: server}\n"

func world(tb testing.TB) *topology.System {
	tb.Helper()
	s, _, err := topology.Parse("site.yaml", []byte(site))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// part is some servers of a system, and the indexes of their components.
func part(s *topology.System, from, to int) (*topology.System, []int) {
	return s.Only(func(name string) bool { at := slices.Index(s.Servers, name); return at >= from && at < to })
}

// census returns a census in which the chosen drives are slow.
func census(s *topology.System, at int64, odd func(*topology.Component) bool) *engine.Census {
	c := &engine.Census{Time: at}
	for i := range s.Components {
		c.Judged = append(c.Judged, i)
		if odd(&s.Components[i]) {
			c.Odd = append(c.Odd, finding.Finding{
				Class: finding.Slow, Members: []finding.Member{{Component: i, Role: finding.IsSlow, Odd: true, Ratio: 3, Worst: 3}},
				Onset: finding.Onset{At: 1000, Early: 900, Late: 1100}, Amount: 1, Nats: 30,
			})
		}
	}
	return c
}

// TestMergedIsWhole: the merged counts of parts have the same explanation as the counts of the whole
// system, with the same components.
func TestMergedIsWhole(t *testing.T) {
	s := world(t)
	rng := rand.New(rand.NewPCG(5, 5))
	bad := map[string]bool{}
	for i := range s.Components {
		bad[s.Components[i].Name] = s.Components[i].Device == "sdd" && rng.IntN(3) > 0 || rng.IntN(200) == 0 || s.Components[i].Server == "s7"
	}
	odd := func(c *topology.Component) bool { return bad[c.Name] }
	identity := make([]int, len(s.Components))
	for i := range identity {
		identity[i] = i
	}
	whole := Merge([]*Counts{NewCounter(s, identity).Count(census(s, 60, odd))})
	var parts []*Counts
	for _, cut := range [][2]int{{0, 13}, {13, 14}, {14, 40}} {
		p, was := part(s, cut[0], cut[1])
		data, err := NewCounter(p, was).Count(census(p, 60, odd)).Encode()
		if err != nil {
			t.Fatal(err)
		}
		c, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, c)
	}
	merged := Merge(parts)
	got, want := explained(merged), explained(whole)
	if !reflect.DeepEqual(got, want) || len(want) < 2 {
		t.Errorf("parts explain %v, the whole %v", got, want)
	}
	if merged.Tally.All != whole.Tally.All || merged.Tally.Clean != whole.Tally.Clean {
		t.Errorf("parts have %d units and %d clean servers, the whole %d and %d", merged.Tally.All, merged.Tally.Clean, whole.Tally.All, whole.Tally.Clean)
	}
}

// explained lists the explanations, by names.
func explained(m *Merged) (list []string) {
	o := engine.DefaultOptions().Localise
	for _, x := range o.ExplainTally(&m.Tally, m.Across, 60) {
		var who []int
		for _, u := range x.Members {
			who = append(who, m.Odd[u].Members[0].Component)
		}
		slices.Sort(who)
		list = append(list, fmt.Sprint(m.Places[x.Place], x.Judged, who))
	}
	return list
}

// reduced passes the counts of two halves to a reducer, in an order, and lists its events.
func reduced(tb testing.TB, cut bool, order func(ticks int) [][2]int) (list []string) {
	tb.Helper()
	s := world(tb)
	m := blame.NewMap(s)
	tell := func(e *incident.Event) {
		list = append(list, fmt.Sprint(e.Time, e.Change, e.Incident.ID, e.Incident.Place, len(e.Incident.Members)))
	}
	halves := []string{"p0", "p1"}
	r := NewReducer(engine.DefaultOptions(), m, halves, time.Hour, tell)
	const ticks = 90
	var parts []*topology.System
	var counters []*Counter
	for i := range halves {
		p, was := part(s, 20*i, 20*i+20)
		parts, counters = append(parts, p), append(counters, NewCounter(p, was))
	}
	for _, next := range order(ticks) {
		at := int64(1020 + 60*next[1])
		c := counters[next[0]].Count(census(parts[next[0]], at, func(c *topology.Component) bool { return c.Device == "sdd" && next[1] > 5 && next[1] < 30 }))
		if cut {
			data, err := r.Save()
			if err != nil {
				tb.Fatal(err)
			}
			r = NewReducer(engine.DefaultOptions(), m, halves, time.Hour, tell)
			if err := r.Restore(data); err != nil {
				tb.Fatal(err)
			}
		}
		if err := r.Take(halves[next[0]], c, time.Unix(5000, 0)); err != nil {
			tb.Fatal(err)
		}
	}
	return list
}

// TestOrderOfPartitions: the findings do not depend on which partition is ahead, nor on whether the
// reducer was saved and restored.
func TestOrderOfPartitions(t *testing.T) {
	inTurn := func(ticks int) (list [][2]int) {
		for k := range ticks {
			list = append(list, [2]int{0, k}, [2]int{1, k})
		}
		return list
	}
	ahead := func(ticks int) (list [][2]int) {
		for k := range ticks {
			list = append(list, [2]int{1, k})
		}
		for k := range ticks {
			list = append(list, [2]int{0, k})
		}
		return list
	}
	want := reduced(t, false, inTurn)
	if len(want) < 2 {
		t.Fatalf("it says %v", want)
	}
	for name, got := range map[string][]string{"one ahead": reduced(t, false, ahead), "saved": reduced(t, true, inTurn)} {
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	r := NewReducer(engine.DefaultOptions(), blame.NewMap(world(t)), []string{"p0"}, time.Hour, func(*incident.Event) {})
	if err := r.Take("p9", &Counts{}, time.Now()); err == nil {
		t.Error("counts of no partition are taken")
	}
}
