package table

import "github.com/limpet-storage/limpet/internal/state"

// State writes or reads the coarse row that is being filled. Values are saved with the names of
// metrics, components and servers, because their indexes may be different in the next run.
func (c *Coarsener) State(codec *state.Codec, components, servers *state.Axis) {
	fineSteps := c.perRow
	if state.Int(codec, &fineSteps); fineSteps != c.perRow {
		codec.Failf("the saved state combines %d time steps into one time step, but this run combines %d time steps: use the same time step, or start without the saved state", fineSteps, c.perRow)
	}
	if !codec.Saving() {
		c.Flush()
	}
	state.Int(codec, &c.step)
	if c.step == 0 || codec.Failed() {
		c.step = 0
		return
	}
	c.heardState(codec, servers)
	state.By(codec, components, c.upkeep, func(codec *state.Codec, w *Work) { state.Uint(codec, w) })
	state.By(codec, c.schema.MetricAxis(codec), c.sums, func(codec *state.Codec, sums *[]coarseSum) {
		if *sums == nil { // the metric no longer exists, so its values are read and dropped
			*sums = make([]coarseSum, c.schema.Components)
		}
		state.By(codec, components, *sums, func(codec *state.Codec, s *coarseSum) {
			codec.Float(&s.Sum)
			codec.Float(&s.Weight)
			state.Int(codec, &s.steps)
		})
	})
}

// heardState writes or reads which servers have sent data for the coarse row.
func (c *Coarsener) heardState(codec *state.Codec, servers *state.Axis) {
	var list []int
	for s, heard := range c.heard {
		if heard {
			list = append(list, s)
		}
	}
	servers.Indexes(codec, &list)
	for _, s := range list {
		if s < len(c.heard) {
			c.heard[s] = true
		}
	}
}
