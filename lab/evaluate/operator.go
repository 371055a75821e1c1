package evaluate

import (
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/topology"
)

// Operator reads hourly lists as the operator of L13 §5.1 does, by rule.
//
// Every hour the top of the list is considered. It is worth a look where its
// accumulator exceeds Persistent; or where it has company: at least Together
// LUNs of its controller, or of its server, that are suspect now and stand in
// the list too, and whose accumulators exceed Persistent all together. That is
// our reading of "lower values may be accepted".
//
// A look tells the truth. If it fell on a component that a fault shows on, the
// fault is seen. If nothing is to be repaired there, what was looked at is left
// out of the lists for as long as it stays unusual, and what is on top then is
// considered. Only a server's own workload is not left out: L13 §5.3.2 has no
// way to tell it, and names that as the reason for what the median measure
// misses.
type Operator struct {
	Lines      int  `name:"lines" least:"1"`    // of a list
	Persistent int  `name:"persistent"`         // accumulator that is worth a look
	Together   int  `name:"together" least:"2"` // LUNs that make company
	ServerWork bool // a server's own workload is told and left out: the step that L13 §5.3.2 asks for
}

// defaultOperator is L13's: lists of 100, accumulators above 100 (half a day).
// Four LUNs make company: of one server's nine primaries, or a controller's 36,
// four at once are more than a single hot LUN, and less than half of what the
// smallest drawer error hit.
func defaultOperator() Operator {
	return Operator{Lines: 100, Persistent: 100, Together: 4}
}

// Validate reports every setting that cannot work.
func (o *Operator) Validate() error { return bounds.Check(*o) }

// worthALook is what the operator looks into: the top of the list, with its
// company where that is the reason; nil where nothing is worth it.
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
		if company := o.company(system, list, same); company != nil {
			return company
		}
	}
	return nil
}

// company is those of the list that are suspect together with its top, if they
// are enough.
func (o *Operator) company(system *topology.System, list []persistence.Entry, same func(*topology.Component) bool) []persistence.Entry {
	var company []persistence.Entry
	luns := map[string]bool{}
	sum := 0
	for _, e := range list {
		c := &system.Components[e.Component]
		if e.Fades || !same(c) {
			continue
		}
		company = append(company, e)
		luns[c.LUN] = true
		sum += e.Value
	}
	if len(luns) < o.Together || sum <= o.Persistent || company[0].Component != list[0].Component {
		return nil
	}
	return company
}
