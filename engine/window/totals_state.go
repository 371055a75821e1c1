package window

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/internal/state"
)

// State writes or reads the sums of the present window, shift by shift.
func (t *Totals) State(c *state.Codec, axes *blame.Axes) {
	c.Expect("shifts in a window", len(t.ring))
	state.Int(c, &t.number)
	state.Int(c, &t.shiftIndex)
	for i := range t.ring {
		state.Int(c, &t.filled[i])
		state.By(c, axes.Components, t.ring[i], func(c *state.Codec, p *part) { p.state(c) })
	}
}

func (p *part) state(c *state.Codec) {
	for i := range p.Value {
		c.Float(&p.Value[i])
		state.Int(c, &p.Steps[i])
	}
	c.Float(&p.Requests)
	c.Float(&p.Waited)
	for i := range p.segments {
		s := &p.segments[i]
		for _, v := range [...]*float64{&s.Lost, &s.Sent, &s.steps, &s.lastLost, &s.lastSent, &s.changes, &s.lost2, &s.both, &s.sent2, &s.topLost, &s.topSent, &s.outages} {
			c.Float(v)
		}
	}
}
