package finding

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/internal/state"
)

// State writes or reads an onset.
func (o *Onset) State(c *state.Codec) {
	state.Int(c, &o.At)
	state.Int(c, &o.Early)
	state.Int(c, &o.Late)
	c.Bool(&o.Earlier)
	c.Bool(&o.Unknown)
}

// State writes or reads a member.
func (m *Member) State(c *state.Codec, axes *blame.Axes) {
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
func (e *Evidence) State(c *state.Codec, axes *blame.Axes) {
	state.Text(c, &e.Metric)
	axes.Components.Index(c, &e.Component)
	if HasClients(c) {
		state.Text(c, &e.Client)
	}
	c.Bool(&e.Decides)
	state.Text(c, &e.Unit)
	c.Float(&e.Own)
	c.Float(&e.Peers)
	c.Float(&e.Score)
	c.Float(&e.Threshold)
	enum(c, &e.Scale, numScales)
	state.Int(c, &e.From)
	state.Int(c, &e.To)
}

// State writes or reads an explanation that was ruled out.
func (r *RuledOut) State(c *state.Codec, axes *blame.Axes) {
	state.Text(c, &r.Kind)
	state.Text(c, &r.Reason)
	enum(c, &r.Doubt, numDoubts)
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

// State writes or reads a doubt.
func (d *Doubt) State(c *state.Codec) { enum(c, d, numDoubts) }

// enum writes or reads a value of an enumeration. The caller passes the number of possible values.
// A value of this number or more is an error.
func enum[E ~uint8](c *state.Codec, value *E, values E) {
	if state.Uint(c, value); *value >= values {
		c.Failf("the saved state has the number %d where this version of limpet knows only numbers below %d: the saved state is damaged, or was written by another version", *value, values)
		*value = 0
	}
}

// versionWithoutClients is the last version of an engine's saved state in which evidence has no
// name of a client (Evidence.Client).
const versionWithoutClients = 21

// StageVersionBefore is the last version of an engine's saved state before the form of findings
// changed. Other saved states, such as the state of commoncause.Reducer, contain findings too, but
// have version numbers of their own. To read findings in the earlier form, they use the number
// StageVersionBefore (state.Form.Stages).
const StageVersionBefore = versionWithoutClients

// HasClients reports whether evidence in a saved state has the name of a client (Evidence.Client).
func HasClients(c *state.Codec) bool { return c.IsAfter(versionWithoutClients) }
