package window

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/internal/state"
)

// State writes or reads the fields that come from all rows so far. Of the fields that come from the
// last window, only Conditions is saved, because the detector of silent servers uses Conditions at
// every row.
func (f *Facts) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Components, f.LastSeen, state.Int[int64])
	state.By(c, axes.Components, f.LastLoaded, state.Int[int64])
	state.By(c, axes.LUNs, f.Moved, state.Int[int64])
	state.By(c, axes.Components, f.Conditions, state.Uint[Condition])
	state.By(c, axes.Groups, f.Groups, func(c *state.Codec, g *Group) {
		c.Float(&g.Light)
		c.Float(&g.Heavy)
	})
	state.Int(c, &f.shiftIndex)
	for i := range f.shifts {
		f.shifts[i].state(c, axes)
	}
}

func (s *sums) state(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &s.Steps)
	state.By(c, axes.Components, s.Samples, state.Int[int32])
	state.By(c, axes.Components, s.Loaded, state.Int[int32])
	c.Floats(axes.Components, s.Requests)
	c.Floats(axes.Components, s.sectors)
	state.By(c, axes.Servers, s.heard, state.Int[int32])
	state.By(c, axes.LUNs, s.Aside, state.Int[int32])
	c.Floats(axes.LUNs, s.lunRequests)
	c.Floats(axes.LUNs, s.lunLatency)
}
