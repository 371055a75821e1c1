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

// TestJoined: two slots of the same servers in both partitions that became slow together are one
// incident. A slot that joins later does not change its ID. Slots of other servers, and slots that
// became slow more than an hour later, are two incidents.
func TestJoined(t *testing.T) {
	s := world(t)
	sdd, sde := blame.Place{Tier: blame.Slot, Name: "4"}, blame.Place{Tier: blame.Slot, Name: "5"}
	first := ""
	for _, tt := range []struct {
		name     string
		from, to int   // servers, of each half, with the second slot
		onset    int64 // of the second slot
		tick     int   // at which the second slot is odd
		want     []string
	}{
		{"together", 0, 8, 1000, 0, []string{"slot 4 [slot 5] 32"}},
		{"the second is found later", 0, 8, 1000, 40, []string{"slot 4 [slot 5] 32"}},
		{"other servers", 10, 18, 1000, 0, []string{"slot 4 [] 16", "slot 5 [] 16"}},
		{"an hour later", 0, 8, 5000, 70, []string{"slot 4 [] 16", "slot 5 [] 16"}},
	} {
		ended := 0
		r := NewReducer(engine.DefaultOptions(), blame.NewMap(s), []string{"p0", "p1"}, time.Hour, func(e *incident.Event) {
			if e.Incident.Ending != "" {
				ended++
			}
		})
		for k := range 90 {
			for half, name := range []string{"p0", "p1"} {
				p, was := part(s, 20*half, 20*half+20)
				at := func(c *topology.Component, from, to int) bool {
					server := slices.Index(p.Servers, c.Server)
					return server >= from && server < to
				}
				of := census(p, int64(1020+60*k), func(c *topology.Component) bool {
					return c.Device == "sdd" && at(c, 0, 8) || c.Device == "sde" && k >= tt.tick && at(c, tt.from, tt.to)
				})
				for i := range of.Odd {
					if p.Components[of.Odd[i].Members[0].Component].Device == "sde" {
						of.Odd[i].Onset = finding.Onset{At: tt.onset, Early: tt.onset - 100, Late: tt.onset + 100}
					}
				}
				if err := r.Take(name, NewCounter(p, was).Count(of), time.Unix(5000, 0)); err != nil {
					t.Fatal(err)
				}
			}
			data, err := r.Save()
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Restore(data); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, in := range r.Incidents() {
			got = append(got, fmt.Sprintf("%s %s %v %d", in.Place.Tier, in.Place.Name, names(in.Joined), len(in.Members)))
			switch {
			case in.Place == sdd && first == "":
				first = in.ID
			case in.Place == sdd && in.ID != first:
				t.Errorf("%s: the ID is %s, and was %s", tt.name, in.ID, first)
			case in.Place != sdd && in.Place != sde:
				t.Errorf("%s: %v is blamed", tt.name, in.Place)
			}
		}
		if slices.Sort(got); !slices.Equal(got, tt.want) || ended > 0 {
			t.Errorf("%s: %q, want %q; %d ended", tt.name, got, tt.want, ended)
		}
	}
}

func names(places []blame.Place) []string {
	list := []string{}
	for _, p := range places {
		list = append(list, fmt.Sprintf("%s %s", p.Tier, p.Name))
	}
	return list
}
