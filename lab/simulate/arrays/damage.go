package arrays

import (
	"github.com/limpet-storage/limpet/topology"
)

// damage has the effects of a fault that matter to other faults.
type damage struct {
	component string
	lost      map[int]bool    // attachments that are lost
	without   map[string]bool // LUNs of the lost attachments
	slow      map[string]bool // LUNs that are slow
	standby   map[string]bool // LUNs with a path that is slow by itself
}

func (d *drawing) damage(of *Drawn) *damage {
	out := &damage{of.Component, map[int]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, e := range of.Events {
		for _, c := range d.hit(e) {
			out.add(e.Mechanism, c, &d.system.Components[c])
		}
	}
	return out
}

// hit returns the attachments that an event hits.
func (d *drawing) hit(e Event) []int {
	var hit []int
	for _, name := range e.hits() {
		if c, ok := d.system.Lookup(name); ok {
			hit = append(hit, c)
		} else {
			hit = append(hit, d.system.Match(name)...)
		}
	}
	return hit
}

func (d *damage) add(m Mechanism, component int, of *topology.Component) {
	switch m.(type) {
	case SlowLUN, BusyLUN, DrawerErrors:
		d.slow[of.LUN] = true
	case InternalLoad:
		d.standby[of.LUN] = true
	default:
		d.lost[component], d.without[of.LUN] = true, true
	}
}

// hides reports whether one of two faults would hide the other, or could not be distinguished from
// it.
func (d *damage) hides(other *damage) bool {
	return d.component == other.component || share(d.lost, other.lost) || share(d.slow, other.slow) || share(d.standby, other.standby) ||
		share(d.standby, other.slow) || share(d.slow, other.standby) ||
		share(d.standby, other.without) || share(d.without, other.standby)
}

func share[K comparable](a, b map[K]bool) bool {
	for k := range a {
		if b[k] {
			return true
		}
	}
	return false
}

// cutsOff reports whether a fault, together with the others, would leave a LUN without a path.
func (d *drawing) cutsOff(by *damage) bool {
	left := map[string]bool{}
	for i := range d.system.Components {
		gone := by.lost[i]
		for _, other := range d.done {
			gone = gone || other.lost[i]
		}
		if !gone {
			left[d.system.Components[i].LUN] = true
		}
	}
	return len(left) < len(d.system.LUNs)
}
