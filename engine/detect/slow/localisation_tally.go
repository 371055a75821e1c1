package slow

import "slices"

// Tally counts units. The tallies of parts of a system that share no holder add up to
// the tally of the whole. Healthy units are only counted; odd units, which are few, are
// listed. live/cluster/commoncause sends tallies with encoding/gob, so that the names of
// exported fields are part of a format.
type Tally struct {
	All    int   // compared units
	Judged []int // by place: compared units that hang on it
	// Clean is the number of holders without odd units. CleanHave is, by place, the
	// number of such holders that have a unit at the place. A unit without a holder is
	// its own holder.
	Clean     int
	CleanHave []int
	Held      []Held // holders with odd units
	Odd       []Unit // odd units; their Holder is an index into Held
	// Unlisted is the number of places that Judged and CleanHave leave out. They are no
	// attributes, and no odd unit hangs on them. They count in the cost of naming one
	// place of many.
	Unlisted int
}

// Held counts the healthy units of a holder with odd units.
type Held struct {
	Healthy int
	Have    map[int]int // by place: number of these healthy units that hang on the place
}

// Count counts units that hang on a number of places. Odd units keep their order.
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

// hold counts the units of a holder with odd units, and sets the index of the holder for
// each odd unit.
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

// clean counts a holder without odd units. Seen holds, by place, the number of the last
// holder that had a unit at the place.
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

// Add adds the tally of another part of a system, with the same places.
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
