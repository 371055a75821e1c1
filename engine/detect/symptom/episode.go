package symptom

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/onset"
	"github.com/limpet-storage/limpet/internal/state"
)

// episode holds the symptoms of one class on one server. A sign is one symptom of one component in
// one window. An anomalous window is a window in which the server has an anomalous sign of the
// class. An episode begins with an anomalous window. It ends when there has been no anomalous
// window for Options.memory windows. The strength of a sign is its score divided by its threshold.
// The strength of a symptom is the mean strength of its signs over the anomalous windows of the
// episode. Because of this mean, delayed work does not count as a symptom. A slow disk has more
// work than its peers only while it does its delayed work. On average it has no more work than its
// peers.
type episode struct {
	anomalousWindows int // number of anomalous windows
	calmWindows      int // number of windows since the last anomalous window
	symptoms         [finding.NumSymptoms]symptomRecord

	requests requestsRecord // requests to the drive with the symptom Waits, compared with its peers
}

// symptomRecord is the record of one symptom of a server in an episode.
type symptomRecord struct {
	onset.MetricRecord
	strengths float64 // sum of the strengths of the symptom over the anomalous windows of the episode
}

// byMetric lists the symptoms of each class, in the order of their metrics in a row.
var byMetric = map[finding.Class][]finding.Symptom{
	finding.Resource:  {finding.Loaded, finding.Waits, finding.Receives, finding.Sends, finding.LosesOut, finding.LosesIn},
	finding.Imbalance: {finding.Asked, finding.Serves, finding.Exchanges},
}

// signs holds, for each symptom, the sign of a server in one window, or nil if the server has no
// sign of this symptom. If several components of the server show a symptom, the sign that ranks
// first counts (ranksBefore).
type signs [finding.NumSymptoms]*Sign

// hasAny reports whether the server has a sign of at least one symptom.
func (s *signs) hasAny() bool { return *s != signs{} }

// hasAnomalous reports whether at least one symptom of a class has an anomalous sign.
func (s *signs) hasAnomalous(class finding.Class) bool {
	for _, symptom := range byMetric[class] {
		if of := s[symptom]; of != nil && of.Anomalous {
			return true
		}
	}
	return false
}

// keepFirst stores a sign if no sign of the same symptom is stored, or if the new sign ranks
// before the stored sign.
func (s *signs) keepFirst(seen *Sign) {
	if known := s[seen.Symptom]; known == nil || ranksBefore(seen, known) {
		s[seen.Symptom] = seen
	}
}

// ranksBefore reports whether sign s ranks before sign o: suspect signs come first, then anomalous
// signs, then stronger signs.
func ranksBefore(s, o *Sign) bool {
	switch {
	case s.Suspect != o.Suspect:
		return s.Suspect
	case s.Anomalous != o.Anomalous:
		return s.Anomalous
	}
	return s.Strength() > o.Strength()
}

// clear ends the episode, so that the next anomalous window begins a new episode. The parameter
// `show` has the signs of the last window, none of which is anomalous in the class of the episode.
// So the server was calm at the start of the last window, and the next episode begins after this
// start.
func (s *episode) clear(show *signs) {
	s.anomalousWindows, s.calmWindows, s.requests = 0, 0, requestsRecord{}
	for i := range s.symptoms {
		calm := int64(0)
		if show[i] != nil {
			calm = show[i].From
		}
		s.symptoms[i].strengths = 0
		s.symptoms[i].Forget(calm)
	}
}

// fault returns the kind of fault of the strongest suspect symptom. It returns false if no symptom
// is suspect.
//
// If a disk has more work than its peers (Loaded), its requests also wait (Waits), and Waits may be
// the stronger symptom. If Loaded and Waits are suspect, Loaded decides, but only if its mean
// strength is at least 1. The disk then has too much work on average, and not only while it does
// delayed work. In class Imbalance, Exchanges decides, and not Asked or Serves, if Exchanges is
// suspect and its mean strength is at least 1.
func (s *episode) fault(class finding.Class) (finding.Kind, bool) {
	var chosen finding.Symptom
	found := false
	for symptom := range finding.NumSymptoms {
		if s.symptoms[symptom].IsSuspect() && symptom.Kind().Class() == class && (!found || s.mean(symptom) > s.mean(chosen)) {
			chosen, found = symptom, true
		}
	}
	if chosen == finding.Waits && s.symptoms[finding.Loaded].IsSuspect() && s.mean(finding.Loaded) >= 1 {
		chosen = finding.Loaded
	}
	if class == finding.Imbalance && s.symptoms[finding.Exchanges].IsSuspect() && s.mean(finding.Exchanges) >= 1 {
		chosen = finding.Exchanges
	}
	return chosen.Kind(), found
}

// nextBest returns the best explanation other than the chosen kind of fault, with the reason
// why it was ruled out. It returns nil if there is no other explanation.
func (s *episode) nextBest(chosen finding.Kind) *finding.RuledOut {
	var all [finding.NumSymptoms]finding.Candidate
	for symptom := range finding.NumSymptoms {
		all[symptom] = s.symptoms[symptom].Candidate(symptom.Kind(), s.mean(symptom))
	}
	return finding.NextCandidate(chosen, all[:], finding.Outweighed)
}

// mean returns the mean strength of a symptom over the anomalous windows of the episode.
func (s *episode) mean(symptom finding.Symptom) float64 {
	return s.symptoms[symptom].strengths / float64(max(1, s.anomalousWindows))
}

func (s *episode) state(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &s.anomalousWindows)
	state.Int(c, &s.calmWindows)
	for i := range s.symptoms {
		c.Float(&s.symptoms[i].strengths)
		if s.symptoms[i].State(c, axes); s.symptoms[i].Nearest.Metric == "" {
			s.symptoms[i].strengths = 0
		}
	}
	if s.requests.state(c); s.symptoms[finding.Waits].Nearest.Metric == "" {
		s.requests = requestsRecord{}
	}
}
