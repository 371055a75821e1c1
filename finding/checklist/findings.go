package checklist

import "github.com/limpet-storage/limpet/finding"

// Findings returns what is known at the end of a window, the strongest first:
// one finding for each server that is suspect in a metric of the list.
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

// suspect says whether a server was suspect in a metric.
func (s *server) suspect(metric string) bool {
	for i := range s.shown {
		if s.shown[i].suspect.Metric == metric {
			return true
		}
	}
	return false
}

func (l *Detector) finding(at int, kind finding.Kind, end int64) finding.Finding {
	s := &l.servers[at]
	var all []finding.Suspicion
	for i := range s.shown {
		of := &s.shown[i]
		if of.suspect.Metric == "" {
			continue
		}
		e := of.suspect
		e.Decides = items[i].kind == kind
		all = append(all, finding.Suspicion{Evidence: e, Onset: of.onset, Odd: e.To == end})
	}
	f := finding.AtServer(l.places.System.Servers[at], kind, all)
	if next := s.next(kind); next != nil {
		f.RuledOut = append(f.RuledOut, *next)
	}
	return f
}

// next is the explanation that comes after the one chosen: another that the
// server is suspect in, or else the one that came closest to its threshold. It
// is nil where nothing else was measured.
func (s *server) next(chosen finding.Kind) *finding.RuledOut {
	best, held := -1, false
	for i := range s.shown {
		of := &s.shown[i]
		if items[i].kind == chosen || of.nearest.Metric == "" {
			continue
		}
		holds := of.suspect.Metric != ""
		better := best < 0 || holds && !held || holds == held && of.nearest.Strength() > s.shown[best].nearest.Strength()
		if better {
			best, held = i, holds
		}
	}
	if best < 0 {
		return nil
	}
	r := finding.NotHeld(items[best].kind, s.shown[best].nearest, "")
	if held {
		r.Reason = finding.Listed
	}
	return &r
}
