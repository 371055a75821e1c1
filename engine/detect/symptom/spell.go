package symptom

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/onset"
	"github.com/limpet-storage/limpet/internal/state"
)

// spell is what one server shows of a class from its first odd window on, until
// it has been calm for as long as the filter remembers. Every window in which
// the server shows anything odd counts, so that what is made up for afterwards is
// none: a disk that was busy and then works off what has piled up has had no more
// to do than its peers.
type spell struct {
	odd  int // windows in which something was odd
	calm int // windows since the last of them
	of   [finding.NumSymptoms]shown
}

// shown is what one symptom came to over a spell.
type shown struct {
	onset.Shown
	strengths float64 // the sum over the odd windows of the server
}

// byMetric are the symptoms of each class in the order of the metrics that show
// them.
var byMetric = map[finding.Class][]finding.Symptom{
	finding.Resource:  {finding.Loaded, finding.Waits, finding.Receives, finding.Sends, finding.LosesOut, finding.LosesIn},
	finding.Imbalance: {finding.Asked},
}

// signs are those of one server, by symptom: of several components the one that
// shows most. They are nil where nothing was judged.
type signs [finding.NumSymptoms]*Sign

// judged says whether there is any sign.
func (s *signs) judged() bool { return *s != signs{} }

// odd says whether any sign of a class is odd.
func (s *signs) odd(class finding.Class) bool {
	for _, symptom := range byMetric[class] {
		if of := s[symptom]; of != nil && of.Odd {
			return true
		}
	}
	return false
}

// keep takes a sign where it shows more than the one of its symptom that is
// known.
func (s *signs) keep(seen *Sign) {
	if known := s[seen.Symptom]; known == nil || above(seen, known) {
		s[seen.Symptom] = seen
	}
}

// above prefers suspects, then what is odd, then what is stronger.
func above(s, o *Sign) bool {
	switch {
	case s.Suspect != o.Suspect:
		return s.Suspect
	case s.Odd != o.Odd:
		return s.Odd
	}
	return s.Strength() > o.Strength()
}

// end begins anew after a window in which the given signs were not odd.
func (s *spell) end(show *signs) {
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

// fault is what the strongest suspect symptom of a spell speaks for. It reports
// false where the server is suspect of nothing. A disk that has more to do than
// its peers makes requests wait, however much stronger the waiting shows.
func (s *spell) fault(class finding.Class, hogRatio float64) (finding.Kind, bool) {
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

// next is the explanation that comes after the one chosen.
func (s *spell) next(chosen finding.Kind) *finding.RuledOut {
	var all [finding.NumSymptoms]finding.Candidate
	for symptom := range finding.NumSymptoms {
		all[symptom] = s.of[symptom].Candidate(symptom.Kind(), s.mean(symptom))
	}
	return finding.Next(chosen, all[:], finding.Outweighed)
}

// mean is the strength of a symptom over the odd windows of its server.
func (s *spell) mean(symptom finding.Symptom) float64 {
	return s.of[symptom].strengths / float64(max(1, s.odd))
}

func (s *spell) state(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &s.odd)
	state.Int(c, &s.calm)
	for i := range s.of {
		c.Float(&s.of[i].strengths)
		if s.of[i].State(c, axes); s.of[i].Nearest.Metric == "" {
			s.of[i].strengths = 0
		}
	}
}
