package finding

import (
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/state"
)

// State writes or reads an onset.
func (o *Onset) State(c *state.Codec) {
	state.Int(c, &o.At)
	state.Int(c, &o.Early)
	state.Int(c, &o.Late)
	c.Bool(&o.Earlier)
}

// State writes or reads a member.
func (m *Member) State(c *state.Codec, axes *place.Axes) {
	axes.Components.Index(c, &m.Component)
	state.Text(c, &m.Role)
	c.Bool(&m.Odd)
	state.Int(c, &m.Windows)
	c.Float(&m.Ratio)
	c.Float(&m.Worst)
	c.Float(&m.Effect.Times)
	c.Float(&m.Effect.Low)
	c.Float(&m.Effect.High)
	c.Float(&m.Own)
	c.Float(&m.Peers)
	c.Float(&m.Load)
	state.Int(c, &m.Since)
}

// State writes or reads evidence.
func (e *Evidence) State(c *state.Codec, axes *place.Axes) {
	state.Text(c, &e.Metric)
	axes.Components.Index(c, &e.Component)
	c.Bool(&e.Decides)
	state.Text(c, &e.Unit)
	c.Float(&e.Own)
	c.Float(&e.Peers)
	c.Float(&e.Score)
	c.Float(&e.Threshold)
	state.Text(c, &e.Scale)
	state.Int(c, &e.From)
	state.Int(c, &e.To)
}

// State writes or reads what was ruled out.
func (r *RuledOut) State(c *state.Codec, axes *place.Axes) {
	state.Text(c, &r.Kind)
	state.Text(c, &r.Reason)
	state.Text(c, &r.Doubt)
	has := r.Evidence != nil
	c.Bool(&has)
	if !has {
		return
	}
	if r.Evidence == nil {
		r.Evidence = &Evidence{}
	}
	r.Evidence.State(c, axes)
}
