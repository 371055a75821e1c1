package heatmap

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/record/blklat"
)

// State writes or reads all that is kept. Components that the state does not know
// have no requests before now.
func (k *Kept) State(c *state.Codec, axes *blame.Axes) {
	k.mu.Lock()
	defer k.mu.Unlock()
	state.Int(c, &k.seconds)
	if k.seconds < 1 {
		c.Failf("the saved state is damaged: its time slots have %d s", k.seconds)
		return
	}
	state.List(c, &k.levels, func(c *state.Codec, level *[]slot) {
		state.List(c, level, func(c *state.Codec, s *slot) { k.slotState(c, axes, s) })
	})
	if len(k.levels) > levelsOfYear+1 {
		c.Failf("another version of limpet wrote the saved state: the state has %d levels of time slots, and this version reads %d", len(k.levels), levelsOfYear+1)
		k.levels = nil
	}
}

func (k *Kept) slotState(c *state.Codec, axes *blame.Axes, s *slot) {
	state.Int(c, &s.end)
	if !c.Saving() {
		s.requests = make([]blklat.Histogram, k.components)
	}
	state.By(c, axes.Components, s.requests, func(c *state.Codec, h *blklat.Histogram) {
		state.List(c, (*[]blklat.Count)(h), func(c *state.Codec, n *blklat.Count) {
			state.Uint(c, &n.Bucket)
			state.Uint(c, &n.Requests)
			if n.Bucket >= Bands {
				c.Failf("another version of limpet wrote the saved state: the state has band %d, and this version reads %d bands", n.Bucket, Bands)
				n.Bucket = 0
			}
		})
	})
}
