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

// Counts is the result of one tick of a partition's engine. It has the number of judged components
// at each place, and one finding for each slow component.
type Counts struct {
	Generation int // the indexes of members are valid for this generation of the system
	Time       int64
	Places     []blame.Place // Places[p] is the place with the index p in Tally
	Tally      slow.Tally    // numbers of components at each place
	Odd        []finding.Finding
}

// Encode encodes counts in gob.
func (c *Counts) Encode() ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(c)
	return b.Bytes(), err
}

// Decode decodes counts that Encode encoded.
func Decode(data []byte) (*Counts, error) {
	var c Counts
	err := gob.NewDecoder(bytes.NewReader(data)).Decode(&c)
	return &c, err
}

// Valid reports whether all indexes in the counts are in range, and all lists have the right
// lengths. The parameter `components` is the number of components of the system.
func (c *Counts) Valid(components int) bool {
	t, places := &c.Tally, len(c.Places)
	if len(t.Judged) != places || len(t.CleanHave) != places || len(t.Odd) != len(c.Odd) || t.All < 0 || t.Clean < 0 || t.Unlisted < 0 {
		return false
	}
	outside := func(i, n int) bool { return i < 0 || i >= n }
	for _, u := range t.Odd {
		if outside(u.Holder, len(t.Held)) || slices.ContainsFunc(u.In, func(p int) bool { return outside(p, places) }) {
			return false
		}
	}
	for _, h := range t.Held {
		for p := range h.Have {
			if outside(p, places) {
				return false
			}
		}
	}
	for i := range c.Odd {
		if len(c.Odd[i].Members) == 0 || slices.ContainsFunc(c.Odd[i].Members, func(m finding.Member) bool { return outside(m.Component, components) }) {
			return false
		}
	}
	return true
}

// Counter counts the components that a partition has judged.
type Counter struct {
	whole    []int // by component of the partition: index of the component in the whole system
	holder   []int
	places   []blame.Place // all places of the partition, ordered by blame.Compare
	placesOf [][]int       // by component of the partition: indexes of its places in the field `places`
}

// NewCounter returns a counter for the components of one partition. For component i of the
// partition, whole[i] is its index in the whole system.
func NewCounter(part *topology.System, whole []int) *Counter {
	c := &Counter{whole: whole, holder: blame.NewMap(part).HolderOf, placesOf: make([][]int, len(part.Components))}
	known := map[blame.Place]int{}
	for i := range part.Components {
		for _, p := range blame.AllPlaces(&part.Components[i]) {
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
		for _, p := range blame.AllPlaces(&part.Components[i]) {
			c.placesOf[i] = append(c.placesOf[i], known[p])
		}
	}
	return c
}

// Count converts a census (the result of one tick of the engine) to counts. It leaves out a place
// without slow components, because such a place explains nothing. But it keeps every attribute,
// such as a model, because another partition may have slow components with this attribute.
func (c *Counter) Count(of *engine.Census) *Counts {
	odd := map[int]int{}
	for i := range of.Odd {
		odd[of.Odd[i].Members[0].Component] = i
	}
	to := c.newIndexes(of)
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
		for _, p := range c.placesOf[component] {
			if to[p] >= 0 {
				u.In = append(u.In, to[p])
			}
		}
		if at, ok := odd[component]; ok {
			u.Odd = true
			out.Odd = append(out.Odd, c.renumbered(of.Odd[at]))
		}
	}
	out.Tally = *slow.NewTally(list, len(out.Places))
	out.Tally.Unlisted = len(c.places) - len(out.Places)
	return out
}

// newIndexes returns an index for each place: the new index of a place that is counted, and -1 for
// a place that is left out.
func (c *Counter) newIndexes(of *engine.Census) []int {
	to := make([]int, len(c.places))
	for p := range to {
		if to[p] = -1; c.places[p].Tier.IsAttribute() {
			to[p] = 0
		}
	}
	for i := range of.Odd {
		for _, p := range c.placesOf[of.Odd[i].Members[0].Component] {
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

// renumbered returns a copy of a finding. In the copy, the component indexes of the partition are
// replaced by the indexes of the whole system.
func (c *Counter) renumbered(f finding.Finding) finding.Finding {
	f.Members = slices.Clone(f.Members)
	for i := range f.Members {
		f.Members[i].Component = c.whole[f.Members[i].Component]
	}
	f.Evidence, f.RuledOut = nil, nil
	return f
}

// Move replaces the component indexes by the indexes of a new generation of the system. The element
// to[c] is the index of component c in the new generation, or -1 if the new generation does not have
// the component. If the new generation does not have one of the slow components, Move returns false.
// The counts must then not be used any more.
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
