// This file is the engine of a diagnosis with all that it is told from row to row:
// rows and words of operators go in, in one order; what becomes of incidents comes out.
//
// A process that stands alone (watch) and each partition of a cluster (scale/partition)
// run this one path. They differ in where their order comes from, a journal on this
// machine's disk or a log that NATS keeps, and in who hears of what is found. The machine
// knows neither: it asks no clock, and whoever gives it the same rows and words in the
// same order is told the same.
//
//	rows, words ── Machine ── diagnose ── windows, events ── whoever embeds it

package engine

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Session is an engine that goes on. Whoever embeds it hears the events: it is the
// listener of the engine, and the machine keeps the windows for it.
type Session struct {
	Engine  *Engine
	System  *topology.System
	Mutes   []Mute                           // that end by themselves
	windows map[windowKey]persistence.Window // the last of each, copied
}

type windowKey struct{ group, metric int }

// Saved is what a machine remembers.
type Saved struct {
	Engine []byte // nil: nothing, it begins anew
	Mutes  []Mute
}

// Start makes the engine of a system, which goes on from what was saved. The system may
// be another than it was: what is new begins anew, and what is gone ends its incidents.
// Others are what was saved beside it.
func (m *Session) Start(o Options, system *topology.System, schema table.Schema, saved Saved, l Listener, others ...Stateful) (err error) {
	m.System, m.Mutes, m.windows = system, saved.Mutes, map[windowKey]persistence.Window{}
	if saved.Engine == nil {
		m.Engine, err = New(o, system, schema, nil, l)
	} else {
		m.Engine, err = Restore(saved.Engine, o, system, schema, nil, l, others...)
	}
	return err
}

// Save is all that a machine remembers, with what others beside it do.
func (m *Session) Save(others ...Stateful) (Saved, error) {
	engine, err := m.Engine.Save(others...)
	return Saved{engine, m.Mutes}, err
}

// Push has the engine judge a row, and ends the mutes whose time has come before.
func (m *Session) Push(row *table.Row) {
	m.endMutes(row.End)
	m.Engine.Push(row)
}

// Window keeps what a window says.
func (m *Session) Window(w *persistence.Window) {
	kept := *w
	kept.Verdicts = slices.Clone(w.Verdicts)
	m.windows[windowKey{w.Group, w.Metric}] = kept
}

// List is of no interest: lists are those of reports that end.
func (m *Session) List(*List) {}

// Windows are the last of each peer group and metric, in this order.
func (m *Session) Windows() []persistence.Window {
	var list []persistence.Window
	for _, one := range m.windows {
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b persistence.Window) int { return cmp.Or(a.Group-b.Group, a.Metric-b.Metric) })
	return list
}

// Kept is an event that may be kept: it shares nothing with the engine.
func Kept(e *incident.Event) *incident.Event {
	in := e.Incident.Clone()
	return &incident.Event{Time: e.Time, Change: e.Change, Incident: &in}
}
