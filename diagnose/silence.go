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
	names    []string
	serverOf []int // by component; -1 where it has no server
	heard    []int64
	last     int64
}

func newSilence(system *topology.System) silence {
	s := silence{names: system.Servers, heard: make([]int64, len(system.Servers))}
	number := map[string]int{}
	for i, name := range system.Servers {
		number[name] = i
	}
	for i := range system.Components {
		n, ok := number[system.Components[i].Server]
		if !ok {
			n = -1
		}
		s.serverOf = append(s.serverOf, n)
	}
	return s
}

func (s *silence) push(row *table.Row) {
	s.last = row.End
	for _, values := range row.Values {
		for c, v := range values {
			if n := s.serverOf[c]; n >= 0 && !table.IsMissing(v) {
				s.heard[n] = row.End
			}
		}
	}
}

// patience is how many seconds a server may lag before it counts as silent:
// files of one day do not all end in the same second.
const patience = 600

// Silent lists the servers that had stopped sending when the stream ended.
func (e *Engine) Silent() []Silence {
	var list []Silence
	for i, name := range e.silence.names {
		if e.silence.heard[i] < e.silence.last-patience {
			list = append(list, Silence{name, e.silence.heard[i]})
		}
	}
	return list
}
