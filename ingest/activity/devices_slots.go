package activity

import "github.com/limpet-storage/limpet/topology"

// slots are the places that a fold has for the components of one kind.
type slots struct {
	components []int       // by slot
	of         map[int]int // by component
}

func newSlots(server string, system *topology.System, kind topology.Kind) slots {
	s := slots{of: map[int]int{}}
	for i := range system.Components {
		if c := &system.Components[i]; c.Server == server && c.Kind == kind {
			s.of[i] = len(s.components)
			s.components = append(s.components, i)
		}
	}
	return s
}

// find is the slot of a component that was looked for, -1 where it was not
// found or is not of this machine.
func (s *slots) find(component int, ok bool) int {
	if slot, has := s.of[component]; ok && has {
		return slot
	}
	return -1
}

// Len is how many components there are.
func (s *slots) Len() int { return len(s.components) }
