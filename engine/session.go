package engine

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Session is an engine plus the commands of operators. It applies commands between two rows, and
// ends each mute at its end time. It also keeps the last window of each peer group and metric.
//
// A diagnosis in one process (package live/watch) and each partition of a cluster (package
// live/cluster) embed a Session. With the additional method Event, they implement [Listener]. A
// diagnosis in one process keeps its rows and commands in a journal on disk. A partition reads its
// rows and commands from a log on NATS. A Session reads no clock: the same rows and commands in the
// same order give the same events.
type Session struct {
	Engine  *Engine
	System  *topology.System
	Mutes   []Mute                           // mutes that have an end time and have not ended yet
	windows map[windowKey]persistence.Window // copy of the last window of each group and metric
}

type windowKey struct{ group, metric int }

// Saved is the state of a session. The caller stores it between two runs of the program.
type Saved struct {
	Engine []byte // result of [Engine.Save]; nil if the engine starts without a state
	Mutes  []Mute
}

// Start makes the engine of a system and restores the saved state. The system may have changed
// since the state was saved. New components then start without a history. Incidents end if their
// components are not in the system any more. Start also restores the states of `others`, which are
// parts outside the engine (see [Stateful]). They must be the same parts, in the same order, as in
// the call of [Session.Save].
func (s *Session) Start(o Options, system *topology.System, schema table.Schema, saved Saved, l Listener, others ...Stateful) (err error) {
	s.System, s.Mutes, s.windows = system, saved.Mutes, map[windowKey]persistence.Window{}
	if saved.Engine == nil {
		s.Engine, err = New(o, system, schema, nil, l)
	} else {
		s.Engine, err = Restore(saved.Engine, o, system, schema, nil, l, others...)
	}
	return err
}

// Save returns the state of the session. It includes the states of `others`, which are parts
// outside the engine (see [Stateful]).
func (s *Session) Save(others ...Stateful) (Saved, error) {
	engine, err := s.Engine.Save(others...)
	return Saved{engine, s.Mutes}, err
}

// Push first ends every mute whose end time is at or before the end of the row. Then Push pushes
// the row into the engine.
func (s *Session) Push(row *table.Row) {
	s.endMutes(row.End)
	s.Engine.Push(row)
}

// Window keeps a copy of a window. The engine calls this method.
func (s *Session) Window(w *persistence.Window) {
	kept := *w
	kept.Verdicts = slices.Clone(w.Verdicts)
	s.windows[windowKey{w.Group, w.Metric}] = kept
}

// List does nothing. The engine calls it every hour with the largest accumulators. A session does
// not need this list: only the report of a finished run shows it.
func (s *Session) List(*List) {}

// Windows returns the last window of each peer group and metric, ordered by group, then
// by metric.
func (s *Session) Windows() []persistence.Window {
	var list []persistence.Window
	for _, w := range s.windows {
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b persistence.Window) int { return cmp.Or(a.Group-b.Group, a.Metric-b.Metric) })
	return list
}

// CloneEvent returns a deep copy of an event. The copy stays valid after the method Listener.Event
// returns.
func CloneEvent(e *incident.Event) *incident.Event {
	in := e.Incident.Clone()
	return &incident.Event{Time: e.Time, Change: e.Change, Incident: &in}
}
