package symptom

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/state"
)

// Judged reports whether a server was compared in the last window.
func (d *Detector) Judged(server int) bool { return d.compared[server] }

// Forget deletes what the detector remembers of a server: its episodes, and the filters of its
// components.
func (d *Detector) Forget(server int) {
	for class := range d.episodes {
		d.episodes[class][server] = episode{}
	}
	for c, of := range d.places.ServerOf {
		if of == server {
			d.examiner.filters[c] = filters{}
		}
	}
}

// Examined returns the number of windows in which at least one component could be compared for at
// least one symptom.
func (d *Detector) Examined() int { return d.examined }

// Known returns the symptoms for which at least one component could be compared in at least one
// window. For every other symptom, too few peers had data.
func (d *Detector) Known() []finding.Symptom {
	var list []finding.Symptom
	for kind := range finding.NumSymptoms {
		if d.known[kind] {
			list = append(list, kind)
		}
	}
	return list
}

// Widespread returns the symptoms that were widespread in at least KWindows windows: at least half
// of the compared servers showed them. Such a symptom does not distinguish a faulty server from its
// peers.
func (d *Detector) Widespread() []finding.Symptom {
	var list []finding.Symptom
	for symptom, windows := range d.widespread {
		if windows >= d.opts.KWindows {
			list = append(list, finding.Symptom(symptom))
		}
	}
	return list
}

// State writes or reads the episodes, the filters and the counts of the detector.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &d.examined)
	for kind := range finding.NumSymptoms {
		c.Bool(&d.known[kind])
		state.Int(c, &d.widespread[kind])
	}
	state.By(c, axes.Servers, d.compared, (*state.Codec).Bool)
	for class := range d.episodes {
		state.By(c, axes.Servers, d.episodes[class], func(c *state.Codec, s *episode) { s.state(c, axes) })
	}
	d.examiner.state(c, axes)
	d.history.State(c, axes)
}
