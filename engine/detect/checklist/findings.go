package checklist

import "github.com/limpet-storage/limpet/engine/finding"

// Findings returns one finding for each server that is suspect in a metric of the
// checklist, the strongest first.
func (l *Detector) Findings(end int64) []finding.Finding {
	var list []finding.Finding
	for at := range l.servers {
		s := &l.servers[at]
		for i := range s.records {
			l.expire(&s.records[i], end)
		}
		if kind, ok := firstKind(s.isSuspect); ok {
			list = append(list, l.finding(at, kind, end))
		}
	}
	finding.StrongestFirst(list)
	return list
}

// isSuspect reports whether a server is suspect in the metric with the given name.
func (s *server) isSuspect(metric string) bool {
	for i := range s.records {
		if s.records[i].Suspect.Metric == metric {
			return true
		}
	}
	return false
}

func (l *Detector) finding(at int, kind finding.Kind, end int64) finding.Finding {
	s := &l.servers[at]
	var all []finding.Suspicion
	for i := range s.records {
		if of := &s.records[i]; of.IsSuspect() {
			e := of.Suspect
			e.Decides = items[i].kind == kind
			all = append(all, finding.Suspicion{Evidence: e, Onset: of.Onset, Anomalous: e.To == end})
		}
	}
	f := finding.ServerFinding(l.places.System.Servers[at], kind, all)
	if next := s.nextBest(kind); next != nil {
		f.RuledOut = append(f.RuledOut, *next)
	}
	return f
}

// nextBest returns the best explanation other than the chosen kind of fault, with the reason why it
// was ruled out. The best explanation has the metric that came closest to its threshold. nextBest
// returns nil if there is no other explanation.
func (s *server) nextBest(chosen finding.Kind) *finding.RuledOut {
	var all []finding.Candidate
	for i := range s.records {
		all = append(all, s.records[i].Candidate(items[i].kind, s.records[i].Nearest.Strength()))
	}
	return finding.NextCandidate(chosen, all, finding.Listed)
}
