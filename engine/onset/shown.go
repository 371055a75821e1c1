package onset

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/state"
)

// Shown is what one metric of a server has come to, window by window.
type Shown struct {
	Nearest finding.Evidence // the strongest window, suspect or not; without a metric where there was none
	Doubt   finding.Doubt    // what speaks against that
	Suspect finding.Evidence // the strongest window in which it was suspect; likewise
	Onset   finding.Onset
	odd     []int64 // ends of the odd windows, as far as the filter remembers
	calm    int64   // begin of the last window before them that was not odd; 0 where there was none
}

// Seen is what a window shows of a metric.
type Seen struct {
	finding.Evidence
	Doubt        finding.Doubt
	Odd, Suspect bool
	Metric       int // of a row
	Group        int // of the system
}

// IsSuspect says whether the metric was suspect in some window.
func (s *Shown) IsSuspect() bool { return s.Suspect.Metric != "" }

// Take adds a window. So many odd windows are remembered.
func (s *Shown) Take(h *History, w *Seen, memory int) {
	if s.Nearest.Take(w.Evidence) {
		s.Doubt = w.Doubt
	}
	if !w.Odd {
		if len(s.odd) == 0 {
			s.calm = w.From
		}
		return
	}
	s.odd = append(s.odd, w.To)
	if over := len(s.odd) - memory; over > 0 {
		s.odd = s.odd[over:]
	}
	if !w.Suspect {
		return
	}
	if !s.IsSuspect() {
		s.Onset = h.Onset(w.Metric, w.Component, w.Group, Known{Calm: s.calm, Odd: s.odd[0], End: w.To})
	}
	s.Suspect.Take(w.Evidence)
}

// Forget begins anew. A window that began then was not odd; 0 where that is not
// known.
func (s *Shown) Forget(calm int64) { *s = Shown{calm: max(calm, s.calm)} }

// Candidate is what the metric says for a kind of fault.
func (s *Shown) Candidate(kind finding.Kind, strength float64) finding.Candidate {
	return finding.Candidate{Kind: kind, Evidence: s.Nearest, Doubt: s.Doubt, Strength: strength, Held: s.IsSuspect()}
}

// State writes or reads what a metric has come to. Where the component that
// showed it is gone, it is forgotten.
func (s *Shown) State(c *state.Codec, axes *blame.Axes) {
	gone := s.Nearest.StateOfAny(c, axes)
	s.Doubt.State(c)
	gone = s.Suspect.StateOfAny(c, axes) || gone
	s.Onset.State(c)
	state.Ints(c, &s.odd)
	if state.Int(c, &s.calm); gone {
		*s = Shown{}
	}
}
