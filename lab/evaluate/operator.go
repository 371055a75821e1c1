package evaluate

import (
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/topology"
)

// Operator reads hourly lists by rules, as the operator of L13 §5.1 does:
//   - The first entry of a list is worth a look if its accumulator exceeds Persistent.
//   - It is also worth a look if it is one of a group: at least Together LUNs of the same
//     controller, or of the same server, that are suspect now and are in the list, with
//     accumulators that exceed Persistent in sum. This is our reading of "lower values may be
//     accepted".
//   - If the operator looks at a component that shows a fault, the fault is seen.
//   - If the operator looks at a component without a fault, the component is left out of the lists
//     while it stays unusual, and the next first entry is considered.
//   - A server's own workload is not left out, unless ServerWork is set: L13 §5.3.2 cannot
//     recognize it, and gives this as the reason why the median measure misses events.
type Operator struct {
	Lines      int  `name:"lines" least:"1"`    // length of a list
	Persistent int  `name:"persistent"`         // the accumulator must be larger to be worth a look
	Together   int  `name:"together" least:"2"` // number of LUNs that form a group
	ServerWork bool // a server's own workload is recognized and left out, as L13 §5.3.2 proposes
}

// defaultOperator returns the operator of L13: lists of 100 lines, accumulators above 100 (half a
// day). Four LUNs form a group: of the nine primaries of a server, or the 36 of a controller, four
// at once are more than a single hot LUN, and less than half of the LUNs of the smallest drawer
// error.
func defaultOperator() Operator {
	return Operator{Lines: 100, Persistent: 100, Together: 4}
}

// Validate returns an error that names every invalid setting.
func (o *Operator) Validate() error { return bounds.Check(*o) }

// worthALook returns the entries that the operator looks at: the first entry of the list, or its
// group; nil: nothing is worth a look.
func (o *Operator) worthALook(system *topology.System, list []persistence.Entry) []persistence.Entry {
	if len(list) == 0 {
		return nil
	}
	if list[0].Value > o.Persistent {
		return list[:1]
	}
	top := &system.Components[list[0].Component]
	for _, same := range []func(*topology.Component) bool{
		func(c *topology.Component) bool { return top.Controller != "" && c.Controller == top.Controller },
		func(c *topology.Component) bool { return top.Server != "" && c.Server == top.Server },
	} {
		if entries := o.suspectGroup(system, list, same); entries != nil {
			return entries
		}
	}
	return nil
}

// suspectGroup returns the entries that are suspect together with the first entry, if they form a
// group; nil: they do not.
func (o *Operator) suspectGroup(system *topology.System, list []persistence.Entry, same func(*topology.Component) bool) []persistence.Entry {
	var entries []persistence.Entry
	luns := map[string]bool{}
	sum := 0
	for _, e := range list {
		c := &system.Components[e.Component]
		if e.Fades || !same(c) {
			continue
		}
		entries = append(entries, e)
		luns[c.LUN] = true
		sum += e.Value
	}
	if len(luns) < o.Together || sum <= o.Persistent || entries[0].Component != list[0].Component {
		return nil
	}
	return entries
}
