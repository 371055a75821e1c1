package evaluate

import (
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// An OperatorRun is an operator who reads the hourly lists while one event happens. It is an
// engine.Listener that needs complete lists.
type OperatorRun struct {
	Operator
	system          *topology.System
	affected        map[int]bool
	serverWorkSpans map[int][]span // by component: when the operator cannot leave it out of the lists
	aside           map[int]int64  // by component that is left out: start of the anomaly for which it is left out
	onset           int64
	sight           Sighting
}

// NewRun returns an operator who looks for faults that begin at the onset. Harmless has the other
// events of that time.
func (o Operator) NewRun(system *topology.System, faults, harmless []simulate.Fault, onset time.Time) (*OperatorRun, error) {
	s := &OperatorRun{Operator: o, system: system, onset: onset.Unix(), affected: map[int]bool{}, serverWorkSpans: map[int][]span{}, aside: map[int]int64{}}
	for i := range faults {
		shows, err := showsOn(system, &faults[i])
		if err != nil {
			return nil, err
		}
		for _, c := range slices.Concat(shows.Expected, shows.Allowed) {
			s.affected[c] = true
		}
	}
	for i := range harmless {
		if harmless[i].Kind != simulate.ServerIssued {
			continue
		}
		hit, _ := hitBy(system, &harmless[i]) // on error, no component of the event is watched: it changes no list
		for _, c := range hit {
			s.serverWorkSpans[c] = append(s.serverWorkSpans[c], spanOf(&harmless[i]))
		}
	}
	return s, nil
}

// Sighting returns the result so far.
func (s *OperatorRun) Sighting() Sighting { return s.sight }

// Sighting states whether and when an operator saw an event.
type Sighting struct {
	Observed bool
	Hours    float64 // from the onset to the list that showed the event
	Looks    int     // number of looks at healthy components before the event was seen
	Peak     int     // largest accumulator of an affected component after the onset
}

// Window does nothing: an operator reads only lists.
func (*OperatorRun) Window(*persistence.Window) {}

// Event does nothing: L13 has lists without incidents.
func (*OperatorRun) Event(*incident.Event) {}

const hour = 3600

// List reads the list of an hour. The list must be complete: for every component that is left out,
// the operator reads another line.
func (s *OperatorRun) List(l *engine.List) {
	now := l.Hour + hour
	if now > s.onset {
		s.notePeak(l.Entries)
	}
	for !s.sight.Observed {
		list := s.kept(l.Entries)
		looked := s.worthALook(s.system, list)
		switch {
		case looked == nil:
			return
		case now > s.onset && slices.ContainsFunc(looked, s.isAffected):
			s.sight.Observed = true
			s.sight.Hours = float64(now-s.onset) / hour
		case !s.ServerWork && s.isServerWork(looked[0].Component, now):
			return
		default:
			s.leaveOut(looked)
		}
	}
}

func (s *OperatorRun) isAffected(e persistence.Entry) bool { return s.affected[e.Component] }

// isServerWork reports whether the server of a component issued requests of its own in the hour
// before now.
func (s *OperatorRun) isServerWork(c int, now int64) bool {
	return slices.ContainsFunc(s.serverWorkSpans[c], func(w span) bool { return w.from < now && w.to > now-hour })
}

func (s *OperatorRun) notePeak(entries []persistence.Entry) {
	for _, e := range entries {
		if s.isAffected(e) {
			s.sight.Peak = max(s.sight.Peak, e.Value)
		}
	}
}

// kept returns the list without the components that were left out.
func (s *OperatorRun) kept(entries []persistence.Entry) []persistence.Entry {
	var list []persistence.Entry
	for _, e := range entries {
		if since, out := s.aside[e.Component]; out && since == e.Since {
			continue
		}
		if list = append(list, e); len(list) == s.Lines {
			break
		}
	}
	return list
}

func (s *OperatorRun) leaveOut(looked []persistence.Entry) {
	s.sight.Looks++
	for _, e := range looked {
		s.aside[e.Component] = e.Since
	}
}
