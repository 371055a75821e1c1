package onset

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/state"
)

// MetricRecord collects, for one metric of a server, the results of a detector's windows.
type MetricRecord struct {
	Nearest       finding.Evidence // strongest evidence of all windows, even if the metric was not suspect; its Metric is "" before the first window
	Doubt         finding.Doubt    // doubt about the evidence in Nearest
	Suspect       finding.Evidence // strongest evidence of all windows in which the metric was suspect; its Metric is "" if there was no such window
	Onset         finding.Onset    // onset, computed in the first window in which the metric was suspect
	anomalousEnds []int64          // Unix times of the ends of the last anomalous windows
	calmStart     int64            // Unix time of the start of the last normal window before the anomalous windows; 0 if there was no such window
}

// WindowResult is the result of one window for a metric.
type WindowResult struct {
	finding.Evidence
	Doubt              finding.Doubt
	Anomalous, Suspect bool
	Metric             int // index in a row
	Group              int // index in the system
}

// IsSuspect reports whether the metric was suspect in any window.
func (s *MetricRecord) IsSuspect() bool { return s.Suspect.Metric != "" }

// Take adds the result of a window. The parameter `memory` is the greatest number of anomalous
// windows whose ends are kept.
func (s *MetricRecord) Take(h *History, w *WindowResult, memory int) {
	if s.Nearest.KeepStronger(w.Evidence) {
		s.Doubt = w.Doubt
	}
	if !w.Anomalous {
		if len(s.anomalousEnds) == 0 {
			s.calmStart = w.From
		}
		return
	}
	s.anomalousEnds = append(s.anomalousEnds, w.To)
	if over := len(s.anomalousEnds) - memory; over > 0 {
		s.anomalousEnds = s.anomalousEnds[over:]
	}
	if !w.Suspect {
		return
	}
	if !s.IsSuspect() {
		s.Onset = h.Onset(w.Metric, w.Component, w.Group, WindowBounds{CalmStart: s.calmStart, FirstEnd: s.anomalousEnds[0], LastEnd: w.To})
	}
	s.Suspect.KeepStronger(w.Evidence)
}

// Forget drops all windows. It keeps only the start of the last normal window: `calm` or the start
// that is known already, whichever is later. The parameter `calm` is 0 if unknown.
func (s *MetricRecord) Forget(calm int64) { *s = MetricRecord{calmStart: max(calm, s.calmStart)} }

// Candidate returns a possible explanation: a fault of the given kind, with this metric as its
// evidence.
func (s *MetricRecord) Candidate(kind finding.Kind, strength float64) finding.Candidate {
	return finding.Candidate{Kind: kind, Evidence: s.Nearest, Doubt: s.Doubt, Strength: strength, Held: s.IsSuspect()}
}

// State writes or reads the record of a metric. Reading drops the record if its component is gone
// from the system.
func (s *MetricRecord) State(c *state.Codec, axes *blame.Axes) {
	gone := s.Nearest.OptionalState(c, axes)
	s.Doubt.State(c)
	gone = s.Suspect.OptionalState(c, axes) || gone
	s.Onset.State(c)
	state.Ints(c, &s.anomalousEnds)
	if state.Int(c, &s.calmStart); gone {
		*s = MetricRecord{}
	}
}
