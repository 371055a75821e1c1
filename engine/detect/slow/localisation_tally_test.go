package slow

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// plainHolders counts an attribute holder by holder, unit by unit. Explained units are
// left out, and a unit without a holder is its own holder.
func plainHolders(units []Unit, explained map[int]bool, c int) []holder {
	var list []holder
	known := map[int]int{}
	for i, u := range units {
		if explained[i] {
			continue
		}
		h, ok := known[u.Holder]
		if !ok || u.Holder < 0 {
			h = len(list)
			known[u.Holder] = h
			list = append(list, holder{})
		}
		has := slices.Contains(u.In, c)
		if u.Odd {
			list[h].add(has)
			continue
		}
		list[h].compared++
		if has {
			list[h].withAttribute++
		}
	}
	return list
}

// TestCountedIsPlain: chances from a tally equal those from the units themselves.
func TestCountedIsPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	units, across := shelves(40, rng)
	for i := range units {
		units[i].Odd = rng.IntN(9) == 0
		if i%31 == 0 {
			units[i].Holder = -1
		}
	}
	s := newUnexplained(NewTally(units, len(across)), across)
	explained, at := map[int]bool{}, 0
	for i := range units {
		if units[i].Odd {
			explained[i] = rng.IntN(4) == 0
			s.left[at] = !explained[i]
			at++
		}
	}
	for c := range across {
		plain := plainHolders(units, explained, c)
		within, mixed := withinHolders(plain)
		gotWithin, gotMixed := withinHolders(s.countHolders(c))
		between, differ := betweenHolders(plain, 0, 0)
		gotBetween, gotDiffer := betweenHolders(s.countHolders(c), s.Clean, s.CleanHave[c])
		if within != gotWithin || mixed != gotMixed || between != gotBetween || differ != gotDiffer {
			t.Errorf("component %d: %g %v %g %v, want %g %v %g %v", c, gotWithin, gotMixed, gotBetween, gotDiffer, within, mixed, between, differ)
		}
	}
}

// TestTalliesAddUp: the tallies of parts of a system add up to that of the whole, and
// explain the same.
func TestTalliesAddUp(t *testing.T) {
	o := DefaultLocalisationOptions()
	rng := rand.New(rand.NewPCG(3, 5))
	named := 0
	for range 200 {
		units, across := shelves(40, rng)
		slot, share := rng.IntN(12), 0.3*rng.Float64()
		for i := range units {
			units[i].Odd = i%12 == slot && rng.Float64() < 0.7 || rng.Float64() < 0.05*share
			if i%97 == 0 {
				units[i].Holder = -1
			}
		}
		want := o.Explain(units, across, 60)
		cut := 12 * (1 + rng.IntN(39)) // between two servers
		sum := NewTally(units[:cut], len(across))
		sum.Add(NewTally(units[cut:], len(across)))
		got := o.ExplainTally(sum, across, 60)
		var odd []int
		for i := range units {
			if units[i].Odd {
				odd = append(odd, i)
			}
		}
		for i := range got {
			for k, at := range got[i].Members {
				got[i].Members[k] = odd[at]
			}
			got[i].Gain = want[min(i, len(want)-1)].Gain // sums in another order
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("parts explain %v, the whole %v", got, want)
		}
		named += len(want)
	}
	if named < 100 {
		t.Errorf("only %d explanations were held against each other", named)
	}
}
