package rank

import (
	"cmp"
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/engine/detect"
	"github.com/limpet-storage/limpet/engine/place"
	"github.com/limpet-storage/limpet/internal/state"
)

// State writes or reads the accumulators. Metrics is the axis of the schema's
// metrics. What belongs to a component or metric that is no more is forgotten.
func (a *Accumulators) State(c *state.Codec, axes *place.Axes, metrics *state.Axis) {
	keys := slices.SortedFunc(maps.Keys(a.values), func(x, y key) int {
		return cmp.Or(cmp.Compare(x.metric, y.metric), cmp.Compare(x.component, y.component))
	})
	if !c.Saving() {
		a.values = map[key]*accumulator{}
	}
	state.List(c, &keys, func(c *state.Codec, k *key) {
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

func (acc *accumulator) state(c *state.Codec, axes *place.Axes) {
	state.Int(c, &acc.value)
	state.Int(c, &acc.since)
	c.Bool(&acc.fades)
	detect.VerdictState(c, axes, &acc.last)
}
