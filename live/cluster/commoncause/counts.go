package commoncause

import (
	"bytes"
	"encoding/gob"
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/detect/slow"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/topology"
)

// Counts are what a partition has judged at a time.
type Counts struct {
	Generation int // of the system whose numbers members have
	Time       int64
	Places     []blame.Place // that Tally counts
	Tally      slow.Tally    // by places
	Odd        []finding.Finding
}

// Encode writes counts, Decode reads them.
func (c *Counts) Encode() ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(c)
	return b.Bytes(), err
}

// Decode reads what Encode wrote.
func Decode(data []byte) (*Counts, error) {
	var c Counts
	err := gob.NewDecoder(bytes.NewReader(data)).Decode(&c)
	return &c, err
}

// Counter counts what a partition has judged.
type Counter struct {
	was    []int // by component: its place in the whole
	holder []int
	places []blame.Place // all, in the order of place.Compare
	in     [][]int       // by component
}

// NewCounter returns one for a part of a system, whose components have places in the
// whole.
func NewCounter(part *topology.System, was []int) *Counter {
	c := &Counter{was: was, holder: blame.NewMap(part).Holder, in: make([][]int, len(part.Components))}
	known := map[blame.Place]int{}
	for i := range part.Components {
		for _, p := range blame.AllOf(&part.Components[i]) {
			if _, ok := known[p]; !ok {
				known[p] = 0
				c.places = append(c.places, p)
			}
		}
	}
	slices.SortFunc(c.places, blame.Compare)
	for i, p := range c.places {
		known[p] = i
	}
	for i := range part.Components {
		for _, p := range blame.AllOf(&part.Components[i]) {
			c.in[i] = append(c.in[i], known[p])
		}
	}
	return c
}

// Count counts a census. Places that hold components, and nothing odd hangs on, are not
// listed: they explain nothing.
func (c *Counter) Count(of *engine.Census) *Counts {
	odd := map[int]int{}
	for i := range of.Odd {
		odd[of.Odd[i].Members[0].Component] = i
	}
	to := c.listed(of)
	list := make([]slow.Unit, len(of.Judged))
	out := &Counts{Time: of.Time}
	for p, at := range to {
		if at >= 0 {
			out.Places = append(out.Places, c.places[p])
		}
	}
	for i, component := range of.Judged {
		u := &list[i]
		u.Holder = c.holder[component]
		for _, p := range c.in[component] {
			if to[p] >= 0 {
				u.In = append(u.In, to[p])
			}
		}
		if at, ok := odd[component]; ok {
			u.Odd = true
			out.Odd = append(out.Odd, c.renumbered(of.Odd[at]))
		}
	}
	out.Tally = *slow.Count(list, len(out.Places))
	out.Tally.Unlisted = len(c.places) - len(out.Places)
	return out
}

// listed gives the places that are counted new numbers, and the others -1.
func (c *Counter) listed(of *engine.Census) []int {
	to := make([]int, len(c.places))
	for p := range to {
		if to[p] = -1; c.places[p].Tier.Across() {
			to[p] = 0
		}
	}
	for i := range of.Odd {
		for _, p := range c.in[of.Odd[i].Members[0].Component] {
			to[p] = 0
		}
	}
	n := 0
	for p := range to {
		if to[p] == 0 {
			to[p] = n
			n++
		}
	}
	return to
}

// renumbered is a finding that names components of the whole.
func (c *Counter) renumbered(f finding.Finding) finding.Finding {
	f.Members = slices.Clone(f.Members)
	for i := range f.Members {
		f.Members[i].Component = c.was[f.Members[i].Component]
	}
	f.Evidence, f.RuledOut = nil, nil
	return f
}

// Move has counts name components of another system, by their places there. It says
// whether that has all that were odd.
func (c *Counts) Move(generation int, to []int) bool {
	c.Generation = generation
	for i := range c.Odd {
		for k := range c.Odd[i].Members {
			m := &c.Odd[i].Members[k]
			if m.Component = to[m.Component]; m.Component < 0 {
				return false
			}
		}
	}
	return true
}
