package commoncause

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/detect/slow"
	"github.com/limpet-storage/limpet/engine/finding"
)

// Merged is the sum of the counts of several partitions. Across[p] is true if Places[p] is an
// attribute, such as a model. Components of several partitions may have the same attribute.
type Merged struct {
	Places []blame.Place
	Across []bool
	Tally  slow.Tally
	Odd    []finding.Finding // one finding for each slow component, in the order of Tally.Odd
	From   []int             // for each slow component: the index of its counts in the parameter `all` of Merge
}

// Merge adds up the counts of several partitions. The findings in the sum have the order of `all`.
func Merge(all []*Counts) *Merged {
	m := &Merged{}
	at := map[blame.Place]int{}
	for _, c := range all {
		for _, p := range c.Places {
			if _, ok := at[p]; !ok {
				at[p] = 0
				m.Places = append(m.Places, p)
			}
		}
	}
	slices.SortFunc(m.Places, blame.Compare)
	for i, p := range m.Places {
		at[p] = i
		m.Across = append(m.Across, p.Tier.IsAttribute())
	}
	m.Tally = *slow.NewTally(nil, len(m.Places))
	for i, c := range all {
		m.Tally.Add(renumberedTally(c, at, len(m.Places)))
		m.Odd = append(m.Odd, c.Odd...)
		for range c.Odd {
			m.From = append(m.From, i)
		}
	}
	m.dropAttributes()
	return m
}

// renumberedTally returns the tally of c, with the indexes of places in the merged counts. For
// place p, at[p] is its index in the merged counts.
func renumberedTally(c *Counts, at map[blame.Place]int, places int) *slow.Tally {
	to := make([]int, len(c.Places))
	for i, p := range c.Places {
		to[i] = at[p]
	}
	t := slow.Tally{All: c.Tally.All, Clean: c.Tally.Clean, Unlisted: c.Tally.Unlisted, Judged: make([]int, places), CleanHave: make([]int, places)}
	for i, n := range c.Tally.Judged {
		t.Judged[to[i]], t.CleanHave[to[i]] = n, c.Tally.CleanHave[i]
	}
	for _, h := range c.Tally.Held {
		have := make(map[int]int, len(h.Have))
		for p, n := range h.Have {
			have[to[p]] = n
		}
		t.Held = append(t.Held, slow.Held{Healthy: h.Healthy, Have: have})
	}
	for _, u := range c.Tally.Odd {
		in := make([]int, len(u.In))
		for i, p := range u.In {
			in[i] = to[p]
		}
		slices.Sort(in)
		t.Odd = append(t.Odd, slow.Unit{Odd: true, In: in, Holder: u.Holder})
	}
	return &t
}

// dropAttributes removes attributes that explain nothing from the slow components. It removes an
// attribute if more than half of the judged components have it, or if only one component has it.
// Package blame has the same rule.
func (m *Merged) dropAttributes() {
	mute := make([]bool, len(m.Places))
	for p, across := range m.Across {
		n := m.Tally.Judged[p]
		mute[p] = across && (n < 2 || 2*n > m.Tally.All)
	}
	for i := range m.Tally.Odd {
		u := &m.Tally.Odd[i]
		u.In = slices.DeleteFunc(u.In, func(p int) bool { return mute[p] })
	}
}
