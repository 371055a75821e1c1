package diagnose

import (
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Silence is a server that sends nothing while others do.
type Silence struct {
	Server string
	Since  int64 // Unix time of its last data, 0 where it never sent any
}

// silence remembers when each server was last heard.
type silence struct {
	serverOf []int
	now      []bool
	heard    []int64
	last     int64
}

func newSilence(system *topology.System) silence {
	n := len(system.Servers)
	return silence{serverOf: system.ServerOf(), now: make([]bool, n), heard: make([]int64, n)}
}

func (s *silence) push(row *table.Row) {
	s.last = row.End
	row.HeardFrom(s.serverOf, s.now)
	for i, heard := range s.now {
		if heard {
			s.heard[i] = row.End
		}
	}
}

// patience is how many seconds a server may lag before it counts as silent:
// files of one day do not all end in the same second.
const patience = 600

// Silent lists the servers that had stopped sending when the stream ended.
func (e *Engine) Silent() []Silence {
	var list []Silence
	for i, name := range e.system.Servers {
		if e.silence.heard[i] < e.silence.last-patience {
			list = append(list, Silence{name, e.silence.heard[i]})
		}
	}
	return list
}

// Heard says how many servers sent anything.
func (e *Engine) Heard() int {
	n := 0
	for _, last := range e.silence.heard {
		if last > 0 {
			n++
		}
	}
	return n
}
