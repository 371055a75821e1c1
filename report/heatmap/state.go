package heatmap

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/record/blklat"
)

// State writes or reads all requests. A component that is not in the saved state has no requests.
func (k *Kept) State(c *state.Codec, axes *blame.Axes) {
	k.mu.Lock()
	defer k.mu.Unlock()
	state.Int(c, &k.seconds)
	if k.seconds < 1 {
		c.Failf("the saved state is damaged: its time slots are %d s long, which is impossible", k.seconds)
		return
	}
	state.List(c, &k.levels, func(c *state.Codec, level *[]slot) {
		state.List(c, level, func(c *state.Codec, s *slot) { k.slotState(c, axes, s) })
	})
	if len(k.levels) > lastLevel+1 {
		c.Failf("another version of limpet wrote the saved state: the state has %d levels of time slots, and this version reads %d", len(k.levels), lastLevel+1)
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
				c.Failf("another version of limpet wrote the saved state: the state has band number %d, and this version knows only %d bands", n.Bucket, Bands)
				n.Bucket = 0
			}
		})
	})
}
