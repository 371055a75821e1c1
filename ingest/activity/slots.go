package activity

import "github.com/limpet-storage/limpet/topology"

// A table.Fold makes steps from the counters of a machine. slots links the components of one
// machine and of one kind to their positions in the table.Fold. A slot is such a position.
type slots struct {
	components []int       // component of each slot
	slotOf     map[int]int // slot of each component
}

func newSlots(server string, system *topology.System, kind topology.Kind) slots {
	s := slots{slotOf: map[int]int{}}
	for i := range system.Components {
		if c := &system.Components[i]; c.Server == server && c.Kind == kind {
			s.slotOf[i] = len(s.components)
			s.components = append(s.components, i)
		}
	}
	return s
}

// find returns the slot of a component, or -1 if this set of slots does not have the component. The
// parameters are the results of System.Find: if `ok` is false, the system does not have the
// component, and find returns -1 too.
func (s *slots) find(component int, ok bool) int {
	if slot, has := s.slotOf[component]; ok && has {
		return slot
	}
	return -1
}

func (s *slots) Len() int { return len(s.components) }
