package slow

import "slices"

// Tally counts units (compared components) and holders (servers or arrays). If no holder has units
// in two parts of a system, the tallies of the parts add up to the tally of the whole system.
// Healthy units are only counted. Anomalous units are listed, because they are few.
// live/cluster/commoncause sends tallies with encoding/gob, so the names of the exported fields
// must not change.
type Tally struct {
	All    int   // number of compared units
	Judged []int // by place: number of compared units that belong to it
	// Clean is the number of clean holders: servers or arrays without anomalous units. CleanHave[p]
	// is the number of clean holders with a unit that belongs to place p. A unit without a holder
	// counts as its own holder.
	Clean     int
	CleanHave []int
	Held      []Held // holders with anomalous units
	Odd       []Unit // anomalous units; their Holder is an index into Held
	// Unlisted is the number of places that Judged and CleanHave leave out. No anomalous unit
	// belongs to these places, and none of them is an attribute, such as a model. They still have
	// to be counted, because the gain of a place (Explanation.Gain) depends on the number of all
	// places.
	Unlisted int
}

// Held counts the healthy units of a holder (server or array) that also has anomalous units.
type Held struct {
	Healthy int
	Have    map[int]int // by place: number of these healthy units that belong to the place
}

// NewTally counts units. The parameter `places` is the number of places. The anomalous units keep
// their order.
func NewTally(units []Unit, places int) *Tally {
	t := &Tally{All: len(units), Judged: make([]int, places), CleanHave: make([]int, places)}
	known := map[int]int{}
	var holders [][]*Unit
	for i := range units {
		u := &units[i]
		for _, c := range u.In {
			t.Judged[c]++
		}
		h, ok := known[u.Holder]
		if !ok || u.Holder < 0 {
			h = len(holders)
			known[u.Holder] = h
			holders = append(holders, nil)
		}
		holders[h] = append(holders[h], u)
	}
	place, seen := map[*Unit]int{}, make([]int, places)
	for h, mine := range holders {
		if slices.ContainsFunc(mine, func(u *Unit) bool { return u.Odd }) {
			t.countHolder(mine, place)
		} else {
			t.countClean(mine, seen, h+1)
		}
	}
	for i := range units {
		if u := &units[i]; u.Odd {
			t.Odd = append(t.Odd, Unit{Odd: true, In: u.In, Holder: place[u]})
		}
	}
	return t
}

// countHolder counts the units of a holder (server or array) with anomalous units, and sets the
// index of the holder for each anomalous unit.
func (t *Tally) countHolder(units []*Unit, place map[*Unit]int) {
	h := Held{Have: map[int]int{}}
	for _, u := range units {
		if u.Odd {
			place[u] = len(t.Held)
			continue
		}
		h.Healthy++
		for _, c := range u.In {
			h.Have[c]++
		}
	}
	t.Held = append(t.Held, h)
}

// countClean counts a holder (server or array) without anomalous units. The parameter `number` is
// different for each holder. The slice `seen` prevents double counting: seen[p] is the number of
// the last holder that was counted for place p, so that a holder with several units in p counts
// once.
func (t *Tally) countClean(units []*Unit, seen []int, number int) {
	t.Clean++
	for _, u := range units {
		for _, c := range u.In {
			if seen[c] != number {
				seen[c] = number
				t.CleanHave[c]++
			}
		}
	}
}

// Add adds the tally of another part of a system to t. Both tallies have the same places.
func (t *Tally) Add(other *Tally) {
	t.All += other.All
	t.Clean += other.Clean
	t.Unlisted += other.Unlisted
	for c := range other.Judged {
		t.Judged[c] += other.Judged[c]
		t.CleanHave[c] += other.CleanHave[c]
	}
	for _, u := range other.Odd {
		u.Holder += len(t.Held)
		t.Odd = append(t.Odd, u)
	}
	t.Held = append(t.Held, other.Held...)
}
