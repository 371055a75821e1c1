package machine

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/engine/detect"
	"github.com/limpet-storage/limpet/engine/diagnose"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Machine is an engine that goes on. Whoever embeds it hears the events: it is the
// listener of the engine, and the machine keeps the windows for it.
type Machine struct {
	Engine  *diagnose.Engine
	System  *topology.System
	Mutes   []Mute                      // that end by themselves
	windows map[windowKey]detect.Window // the last of each, copied
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
func (m *Machine) Start(o diagnose.Options, system *topology.System, schema table.Schema, saved Saved, l diagnose.Listener, others ...diagnose.Stateful) (err error) {
	m.System, m.Mutes, m.windows = system, saved.Mutes, map[windowKey]detect.Window{}
	if saved.Engine == nil {
		m.Engine, err = diagnose.New(o, system, schema, nil, l)
	} else {
		m.Engine, err = diagnose.Restore(saved.Engine, o, system, schema, nil, l, others...)
	}
	return err
}

// Save is all that a machine remembers, with what others beside it do.
func (m *Machine) Save(others ...diagnose.Stateful) (Saved, error) {
	engine, err := m.Engine.Save(others...)
	return Saved{engine, m.Mutes}, err
}

// Push has the engine judge a row, and ends the mutes whose time has come before.
func (m *Machine) Push(row *table.Row) {
	m.endMutes(row.End)
	m.Engine.Push(row)
}

// Window keeps what a window says.
func (m *Machine) Window(w *detect.Window) {
	kept := *w
	kept.Verdicts = slices.Clone(w.Verdicts)
	m.windows[windowKey{w.Group, w.Metric}] = kept
}

// List is of no interest: lists are those of reports that end.
func (m *Machine) List(*diagnose.List) {}

// Windows are the last of each peer group and metric, in this order.
func (m *Machine) Windows() []detect.Window {
	var list []detect.Window
	for _, one := range m.windows {
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b detect.Window) int { return cmp.Or(a.Group-b.Group, a.Metric-b.Metric) })
	return list
}

// Kept is an event that may be kept: it shares nothing with the engine.
func Kept(e *incident.Event) *incident.Event {
	in := e.Incident.Clone()
	return &incident.Event{Time: e.Time, Change: e.Change, Incident: &in}
}
