package slow

import "github.com/limpet-storage/limpet/finding"

// Census counts the components that were judged since the last tick and have something
// to do, and tells of each that is slow as if it were alone: what parts of a system have
// in common that are judged apart is found by whoever counts them all.
func (d *Detector) Census() (judged []int, odd []finding.Finding) {
	for _, c := range d.facts.Watched {
		if !d.counts(c) {
			continue
		}
		judged = append(judged, c)
		if d.courses[c].odd {
			odd = append(odd, d.finding(&story{at: d.Alone(c), members: []int{c}, judged: 1}))
		}
	}
	return judged, odd
}
