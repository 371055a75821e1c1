package checklist

import "github.com/limpet-storage/limpet/engine/finding"

// Findings returns one finding for each server that is suspect in a metric of the
// checklist, the strongest first.
func (l *Detector) Findings(end int64) []finding.Finding {
	var list []finding.Finding
	for at := range l.servers {
		s := &l.servers[at]
		for i := range s.shown {
			l.expire(&s.shown[i], end)
		}
		if kind, ok := check(s.suspect); ok {
			list = append(list, l.finding(at, kind, end))
		}
	}
	finding.StrongestFirst(list)
	return list
}

// suspect reports whether a server was suspect in a metric.
func (s *server) suspect(metric string) bool {
	for i := range s.shown {
		if s.shown[i].Suspect.Metric == metric {
			return true
		}
	}
	return false
}

func (l *Detector) finding(at int, kind finding.Kind, end int64) finding.Finding {
	s := &l.servers[at]
	var all []finding.Suspicion
	for i := range s.shown {
		if of := &s.shown[i]; of.IsSuspect() {
			e := of.Suspect
			e.Decides = items[i].kind == kind
			all = append(all, finding.Suspicion{Evidence: e, Onset: of.Onset, Odd: e.To == end})
		}
	}
	f := finding.ServerFinding(l.places.System.Servers[at], kind, all)
	if next := s.next(kind); next != nil {
		f.RuledOut = append(f.RuledOut, *next)
	}
	return f
}

// next returns the best explanation other than the chosen kind of fault, with the reason
// why it was ruled out. Explanations are ordered by how close their metrics came to the
// thresholds. It returns nil if there is no other explanation.
func (s *server) next(chosen finding.Kind) *finding.RuledOut {
	var all []finding.Candidate
	for i := range s.shown {
		all = append(all, s.shown[i].Candidate(items[i].kind, s.shown[i].Nearest.Strength()))
	}
	return finding.NextCandidate(chosen, all, finding.Listed)
}
