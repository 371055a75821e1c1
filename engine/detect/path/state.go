package path

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/internal/state"
)

// State writes or reads the history of every path.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Components, d.paths, func(c *state.Codec, w *history) {
		state.Uint(c, &w.filter)
		c.Bool(&w.lost)
		c.Bool(&w.lostForLong)
		c.Bool(&w.observed)
		state.Int(c, &w.windows)
		state.Int(c, &w.recentTakeover)
		state.Text(c, &w.role)
		axes.Components.Index(c, &w.servedBy)
		w.onset.State(c)
	})
}
