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

// A Shift is an operator at work while one event happens; it is a
// diagnose.Listener whose lists must be whole.
type Shift struct {
	Operator
	system   *topology.System
	affected map[int]bool
	stubborn map[int][]span // by component: when it cannot be left out
	aside    map[int]int64  // by component: since when what was left out has been odd
	onset    int64
	sight    Sighting
}

// NewShift lets an operator wait for faults that begin at the onset. Harmless
// is what happens besides.
func (o Operator) NewShift(system *topology.System, faults, harmless []simulate.Fault, onset time.Time) (*Shift, error) {
	s := &Shift{Operator: o, system: system, onset: onset.Unix(), affected: map[int]bool{}, stubborn: map[int][]span{}, aside: map[int]int64{}}
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
		hit, _ := hitBy(system, &harmless[i]) // what is not watched cannot mislead
		for _, c := range hit {
			s.stubborn[c] = append(s.stubborn[c], spanOf(&harmless[i]))
		}
	}
	return s, nil
}

// Sighting returns what the operator has seen so far.
func (s *Shift) Sighting() Sighting { return s.sight }

// Sighting is what an operator saw of an event.
type Sighting struct {
	Observed bool
	Hours    float64 // from the onset to the list that showed it
	Looks    int     // in vain, until then
	Peak     int     // the largest accumulator of an affected component after the onset
}

// Window has nothing for an operator, who reads lists.
func (*Shift) Window(*persistence.Window) {}

// Event has nothing for an operator, either: the lists of L13 know of none.
func (*Shift) Event(*incident.Event) {}

const hour = 3600

// List reads the list of an hour. It must be whole: what was left out makes
// room for what stands below.
func (s *Shift) List(l *engine.List) {
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
		case !s.ServerWork && s.isStubborn(looked[0].Component, now):
			return
		default:
			s.leaveOut(looked)
		}
	}
}

func (s *Shift) isAffected(e persistence.Entry) bool { return s.affected[e.Component] }

// isStubborn reports whether a component had a workload of its server in the hour
// until now.
func (s *Shift) isStubborn(c int, now int64) bool {
	return slices.ContainsFunc(s.stubborn[c], func(w span) bool { return w.from < now && w.to > now-hour })
}

func (s *Shift) notePeak(entries []persistence.Entry) {
	for _, e := range entries {
		if s.isAffected(e) {
			s.sight.Peak = max(s.sight.Peak, e.Value)
		}
	}
}

// kept returns the list without the components that were left out.
func (s *Shift) kept(entries []persistence.Entry) []persistence.Entry {
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

func (s *Shift) leaveOut(looked []persistence.Entry) {
	s.sight.Looks++
	for _, e := range looked {
		s.aside[e.Component] = e.Since
	}
}
