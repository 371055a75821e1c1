package symptom

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/state"
)

// Judged says whether something could be said of a server in the last window.
func (d *Detector) Judged(server int) bool { return d.judged[server] }

// Forget makes a server one of which nothing is known: what it shows has to last
// anew.
func (d *Detector) Forget(server int) {
	for class := range d.spells {
		d.spells[class][server] = spell{}
	}
	for c, of := range d.places.ServerOf {
		if of == server {
			d.examiner.filters[c] = filters{}
		}
	}
}

// Examined counts the windows in which something could be judged.
func (d *Detector) Examined() int { return d.examined }

// Known lists the symptoms that could be judged in some window. The
// others lack data of three servers.
func (d *Detector) Known() []finding.Symptom {
	var list []finding.Symptom
	for kind := range finding.NumSymptoms {
		if d.known[kind] {
			list = append(list, kind)
		}
	}
	return list
}

// Unlike lists what half of the servers showed for as many windows as make a
// suspect. They are no peers in that, and nobody is odd.
func (d *Detector) Unlike() []finding.Symptom {
	var list []finding.Symptom
	for symptom, windows := range d.unlike {
		if windows >= d.opts.KWindows {
			list = append(list, finding.Symptom(symptom))
		}
	}
	return list
}

// State writes or reads what the detector remembers.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &d.examined)
	for kind := range finding.NumSymptoms {
		c.Bool(&d.known[kind])
		state.Int(c, &d.unlike[kind])
	}
	state.By(c, axes.Servers, d.judged, (*state.Codec).Bool)
	for class := range d.spells {
		state.By(c, axes.Servers, d.spells[class], func(c *state.Codec, s *spell) { s.state(c, axes) })
	}
	d.examiner.state(c, axes)
	d.history.State(c, axes)
}
