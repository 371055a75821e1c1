package symptom

import (
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/state"
)

// Judged says whether something could be said of a server in the last window.
func (d *Detector) Judged(server int) bool { return d.judged[server] }

// Forget makes a server one of which nothing is known: what it shows has to last
// anew.
func (d *Detector) Forget(server int) {
	d.spells[server] = spell{}
	for c, of := range d.places.ServerOf {
		if of == server {
			d.examiner.filters[c] = filters{}
		}
	}
}

// Examined counts the windows in which something could be judged.
func (d *Detector) Examined() int { return d.examined }

// Known lists the kinds of symptom that could be judged in some window. The
// others lack data of three servers.
func (d *Detector) Known() []Kind {
	var list []Kind
	for kind := range NumKinds {
		if d.known[kind] {
			list = append(list, kind)
		}
	}
	return list
}

// Unlike lists what half of the servers showed for as many windows as make a
// suspect. They are no peers in that, and nobody is odd.
func (d *Detector) Unlike() []string {
	var list []string
	for kind, windows := range d.unlike {
		if windows >= d.opts.KWindows {
			list = append(list, Kind(kind).String())
		}
	}
	return list
}

// State writes or reads what the detector remembers.
func (d *Detector) State(c *state.Codec, axes *place.Axes) {
	state.Int(c, &d.examined)
	for kind := range NumKinds {
		c.Bool(&d.known[kind])
		state.Int(c, &d.unlike[kind])
	}
	state.By(c, axes.Servers, d.judged, (*state.Codec).Bool)
	state.By(c, axes.Servers, d.spells, func(c *state.Codec, s *spell) { s.state(c, axes) })
	d.examiner.state(c, axes)
	d.history.State(c, axes)
}

func (s *spell) state(c *state.Codec, axes *place.Axes) {
	state.Int(c, &s.odd)
	state.Int(c, &s.calm)
	for kind := range s.of {
		s.of[kind].state(c, axes)
	}
}

// state is what one symptom came to. Where the component that showed it is gone,
// it is forgotten.
func (of *shown) state(c *state.Codec, axes *place.Axes) {
	c.Float(&of.strengths)
	gone := of.strongest.StateOfAny(c, axes)
	state.Text(c, &of.doubt)
	gone = of.suspect.StateOfAny(c, axes) || gone
	of.onset.State(c)
	if state.Ints(c, &of.oddEnds); gone {
		*of = shown{}
	}
}

func (x *examiner) state(c *state.Codec, axes *place.Axes) {
	state.By(c, axes.Components, x.filters, func(c *state.Codec, f *filters) {
		for kind := range f {
			state.Uint(c, &f[kind])
		}
	})
	b := x.blocks
	c.Expect("windows of shifts", len(b.ring))
	state.Int(c, &b.number)
	state.Int(c, &b.at)
	for i := range b.ring {
		state.Int(c, &b.filled[i])
		state.By(c, axes.Components, b.ring[i], sumsState)
	}
}

func sumsState(c *state.Codec, s *sums) {
	for i := range s.value {
		c.Float(&s.value[i])
		state.Int(c, &s.steps[i])
	}
	c.Float(&s.requests)
	c.Float(&s.waited)
	for i := range s.segments {
		n := &s.segments[i]
		for _, v := range [...]*float64{&n.lost, &n.sent, &n.lostLost, &n.lostSent, &n.sentSent} {
			c.Float(v)
		}
	}
}
