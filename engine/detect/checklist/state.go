package checklist

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/internal/state"
)

// State writes or reads the records of all servers.
func (l *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &l.end)
	state.Int(c, &l.examined)
	state.By(c, axes.Servers, l.servers, func(c *state.Codec, s *server) {
		state.Int(c, &s.compared)
		for i := range s.records {
			s.records[i].State(c, axes)
		}
	})
	l.history.State(c, axes)
}
