package symptom

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/onset"
	"github.com/limpet-storage/limpet/internal/state"
)

// episode holds the symptoms of one class on one server, from its first odd window until
// it has been calm for as many windows as the filter holds. The strength of a symptom is
// averaged over all windows with an odd sign, so that delayed work is no symptom: a disk
// that was busy and then works off its backlog has had no more work than its peers.
type episode struct {
	odd  int // windows with an odd sign
	calm int // windows since the last window with an odd sign
	of   [finding.NumSymptoms]shown
}

// shown is one symptom over an episode.
type shown struct {
	onset.MetricRecord
	strengths float64 // sum of the strengths over the odd windows of the server
}

// byMetric are the symptoms of each class, in the order of the metrics that show them.
var byMetric = map[finding.Class][]finding.Symptom{
	finding.Resource:  {finding.Loaded, finding.Waits, finding.Receives, finding.Sends, finding.LosesOut, finding.LosesIn},
	finding.Imbalance: {finding.Asked},
}

// signs are the signs of one server, by symptom. If several components show a symptom,
// the strongest sign counts. A symptom without a sign is nil.
type signs [finding.NumSymptoms]*Sign

// any reports whether there is a sign.
func (s *signs) any() bool { return *s != signs{} }

// odd reports whether a sign of a class is odd.
func (s *signs) odd(class finding.Class) bool {
	for _, symptom := range byMetric[class] {
		if of := s[symptom]; of != nil && of.Odd {
			return true
		}
	}
	return false
}

// keep stores a sign if it is stronger than the known sign of the same symptom.
func (s *signs) keep(seen *Sign) {
	if known := s[seen.Symptom]; known == nil || above(seen, known) {
		s[seen.Symptom] = seen
	}
}

// above reports whether sign s ranks before sign o: suspects come first, then odd signs,
// then stronger signs.
func above(s, o *Sign) bool {
	switch {
	case s.Suspect != o.Suspect:
		return s.Suspect
	case s.Odd != o.Odd:
		return s.Odd
	}
	return s.Strength() > o.Strength()
}

// end ends the episode and begins a new one. Show holds the signs of the last window,
// none of which is odd in the class of the episode.
func (s *episode) end(show *signs) {
	s.odd, s.calm = 0, 0
	for i := range s.of {
		calm := int64(0)
		if show[i] != nil {
			calm = show[i].From
		}
		s.of[i].strengths = 0
		s.of[i].Forget(calm)
	}
}

// fault returns the kind of fault of the strongest suspect symptom. It reports false if
// no symptom is suspect. A disk with more work than its peers makes requests wait: in
// this case load decides, however much stronger the waiting is.
func (s *episode) fault(class finding.Class, hogRatio float64) (finding.Kind, bool) {
	var chosen finding.Symptom
	found := false
	for symptom := range finding.NumSymptoms {
		if s.of[symptom].IsSuspect() && symptom.Kind().Class() == class && (!found || s.mean(symptom) > s.mean(chosen)) {
			chosen, found = symptom, true
		}
	}
	if chosen == finding.Waits && s.of[finding.Loaded].IsSuspect() && s.mean(finding.Loaded) >= hogRatio {
		chosen = finding.Loaded
	}
	return chosen.Kind(), found
}

// next returns the next explanation after the chosen one.
func (s *episode) next(chosen finding.Kind) *finding.RuledOut {
	var all [finding.NumSymptoms]finding.Candidate
	for symptom := range finding.NumSymptoms {
		all[symptom] = s.of[symptom].Candidate(symptom.Kind(), s.mean(symptom))
	}
	return finding.Next(chosen, all[:], finding.Outweighed)
}

// mean returns the mean strength of a symptom over the odd windows of its server.
func (s *episode) mean(symptom finding.Symptom) float64 {
	return s.of[symptom].strengths / float64(max(1, s.odd))
}

func (s *episode) state(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &s.odd)
	state.Int(c, &s.calm)
	for i := range s.of {
		c.Float(&s.of[i].strengths)
		if s.of[i].State(c, axes); s.of[i].Nearest.Metric == "" {
			s.of[i].strengths = 0
		}
	}
}
