package watch

import (
	"cmp"
	"errors"
	"slices"

	"github.com/limpet-storage/limpet/alert"
	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/heatmap"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/words"
)

// diagnosis is the engine with all that belongs to one system. Another system is
// another diagnosis, which begins with the memory of the one before.
type diagnosis struct {
	subject  report.Subject
	engine   *diagnose.Engine
	memory   *report.Memory
	requests *heatmap.Kept
	voice    *words.Voice
	opened   func() *words.Open // while nothing changes: what is open, found out once; nil: ask
	alerter  *alert.Alerter
	windows  map[windowKey]detect.Window // the last of each, copied
	watch    *Watch
}

type windowKey struct{ group, metric int }

// newDiagnosis returns a diagnosis of a system, which goes on from a state where there
// is one.
func (w *Watch) newDiagnosis(system *topology.System, schema table.Schema, saved []byte) (*diagnosis, error) {
	o := w.o.Diagnose
	o.Settle(schema)
	d := &diagnosis{
		subject: report.Subject{System: system, Schema: schema, Options: o, Version: w.o.Version},
		voice:   words.New(system, schema, o.Metrics), windows: map[windowKey]detect.Window{}, watch: w,
	}
	d.voice.Open = d.open
	d.memory, d.requests = report.NewMemory(d.subject), heatmap.New(schema)
	alerter, err := w.newAlerter(d.voice)
	if err != nil {
		return nil, err
	}
	d.alerter = alerter
	if saved == nil {
		d.engine, err = diagnose.New(o, system, schema, nil, d)
	} else {
		d.engine, err = diagnose.Restore(saved, o, system, schema, nil, d, d.memory, d.requests)
	}
	return d, err
}

// newAlerter returns one that speaks with a voice, and tells nothing of what was over
// when the watch began.
func (w *Watch) newAlerter(v *words.Voice) (*alert.Alerter, error) {
	o := w.o.Alert
	o.QuietBefore = w.since
	return alert.New(o, v)
}

// open are all incidents and suspects: advice counts what is slow or out already.
func (d *diagnosis) open() *words.Open {
	if d.opened != nil {
		return d.opened()
	}
	return d.findOpen()
}

func (d *diagnosis) findOpen() *words.Open {
	now := d.engine.Open(incident.Combined)
	all := now.Incidents
	for i := range now.Suspects {
		all = append(all, now.Suspects[i].Incident)
	}
	return words.NewOpen(d.subject.System, all)
}

// save is all that the diagnosis remembers.
func (d *diagnosis) save() ([]byte, error) { return d.engine.Save(d.memory, d.requests) }

// Window keeps what a window says, for reports, maps and the history.
func (d *diagnosis) Window(w *detect.Window) {
	d.memory.Window(w)
	kept := *w
	kept.Verdicts = slices.Clone(w.Verdicts)
	d.windows[windowKey{w.Group, w.Metric}] = kept
	d.watch.troubles.check("history", d.watch.history.Window(w))
}

// List is of no interest: lists are those of reports that end.
func (d *diagnosis) List(*diagnose.List) {}

// Event numbers a change of an incident and puts it among what is to be written.
func (d *diagnosis) Event(e *incident.Event) {
	d.memory.Event(e)
	in := e.Incident.Clone()
	d.watch.hear(d, &incident.Event{Time: e.Time, Change: e.Change, Incident: &in})
}

// lastWindows are those of each peer group and metric, in this order.
func (d *diagnosis) lastWindows() []detect.Window {
	var list []detect.Window
	for _, one := range d.windows {
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b detect.Window) int { return cmp.Or(a.Group-b.Group, a.Metric-b.Metric) })
	return list
}

// summary is how things stand.
func (d *diagnosis) summary(warnings []topology.Warning) report.Summary {
	s := report.Summary{Summary: d.engine.Summary(incident.Combined)}
	s.Heed(warnings)
	return s
}

var errNothingYet = errors.New("nothing is watched yet: no files with data have been found")
