package path

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/internal/state"
)

// State writes or reads what is remembered of every path.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Components, d.paths, func(c *state.Codec, w *watch) {
		state.Uint(c, &w.filter)
		c.Bool(&w.lost)
		c.Bool(&w.odd)
		c.Bool(&w.judged)
		state.Int(c, &w.windows)
		state.Int(c, &w.grace)
		state.Text(c, &w.role)
		axes.Components.Index(c, &w.heir)
		w.onset.State(c)
	})
}
