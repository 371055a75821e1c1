package slow

import "slices"

// Tally is what was judged, counted. Those of parts of a system that share no holder
// add up to that of the whole: what is healthy is told by numbers alone, and what is
// odd one by one, as little is.
type Tally struct {
	All    int   // units that were judged
	Judged []int // by component: units that hang on it
	// Clean is how many holders have nothing that is odd, and CleanHave how many of
	// them, by component, have a unit that hangs on it. A unit without a holder stands
	// for itself.
	Clean     int
	CleanHave []int
	Held      []Held // the other holders
	Odd       []Unit // Holder is a place in Held
	// Unlisted is how many components there are beside those that are counted: no
	// attributes, and nothing odd hangs on them. Naming one of many costs more.
	Unlisted int
}

// Held is what is healthy of a holder that something is odd of.
type Held struct {
	Healthy int
	Have    map[int]int // by component: how many of them hang on it
}

// Count counts units, of so many components. Units that are odd stand in the tally in
// their order.
func Count(units []Unit, components int) *Tally {
	t := &Tally{All: len(units), Judged: make([]int, components), CleanHave: make([]int, components)}
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
	place, seen := map[*Unit]int{}, make([]int, components)
	for h, mine := range holders {
		if slices.ContainsFunc(mine, func(u *Unit) bool { return u.Odd }) {
			t.hold(mine, place)
		} else {
			t.clean(mine, seen, h+1)
		}
	}
	for i := range units {
		if u := &units[i]; u.Odd {
			t.Odd = append(t.Odd, Unit{Odd: true, In: u.In, Holder: place[u]})
		}
	}
	return t
}

// hold counts the units of a holder that something is odd of, and notes where that is.
func (t *Tally) hold(units []*Unit, place map[*Unit]int) {
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

// clean counts a holder that nothing is odd of. Seen has the number of the last holder
// that had a unit on a component.
func (t *Tally) clean(units []*Unit, seen []int, number int) {
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

// Add adds the tally of another part of a system, of the same components.
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
