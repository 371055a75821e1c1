package persistence

import (
	"cmp"
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/internal/state"
)

// State writes or reads the accumulators. The parameter `metrics` maps each metric in the saved
// state to the present metric with the same name. Reading drops the accumulators of components and
// metrics that do not exist in the present system.
func (a *Accumulators) State(c *state.Codec, axes *blame.Axes, metrics *state.Axis) {
	keys := slices.SortedFunc(maps.Keys(a.values), func(x, y accumulatorKey) int {
		return cmp.Or(cmp.Compare(x.metric, y.metric), cmp.Compare(x.component, y.component))
	})
	if !c.Saving() {
		a.values = map[accumulatorKey]*accumulator{}
	}
	state.List(c, &keys, func(c *state.Codec, k *accumulatorKey) {
		metrics.Index(c, &k.metric)
		axes.Components.Index(c, &k.component)
		acc := a.values[*k]
		if acc == nil {
			acc = &accumulator{}
		}
		acc.state(c, axes)
		if k.metric >= 0 && k.component >= 0 {
			a.values[*k] = acc
		}
	})
	state.ByIndex(c, axes.Components, &a.muted, (*state.Codec).Bool)
}

func (acc *accumulator) state(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &acc.value)
	state.Int(c, &acc.since)
	c.Bool(&acc.fades)
	VerdictState(c, axes, &acc.last)
}
