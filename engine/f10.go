package engine

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/detect/checklist"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// f10 answers the question [Checklist]. It compares servers metric by metric with trained
// thresholds. Then it finds the faulty resource with a checklist (F10 §10.2).
type f10 struct {
	e         *Engine
	detector  *persistence.Detector
	lists     lists
	checklist *checklist.Detector
	watch     serverWatch
}

func newF10(e *Engine, model *persistence.Model) (*f10, error) {
	q := &f10{e: e, lists: newLists(e)}
	o := &e.opts
	var err error
	if q.detector, err = persistence.New(o.Detect, e.places.System, e.schema, o.Metrics, model); err != nil {
		return nil, err
	}
	if q.checklist, err = checklist.New(o.Checklist, o.Onset, e.places, e.schema, &o.Detect); err != nil {
		return nil, err
	}
	q.watch, err = newServerWatch(e, int64(o.Detect.WinSize)*o.Detect.StepSeconds)
	return q, err
}

func (q *f10) begin(end int64) { q.lists.closeHour(end - 1) }

func (q *f10) row(row *table.Row) {
	q.lists.begin(row.End)
	q.watch.row(row)
	q.checklist.Row(row)
	end := int64(0)
	q.detector.Push(row, func(w *persistence.Window) {
		if w.End != end {
			q.endWindow(end)
		}
		q.lists.addWindow(w)
		q.checklist.Window(w, q.watch.idle.IsIdleNow)
		end = w.End
	})
	q.endWindow(end)
	q.lists.closeHour(row.End)
}

// endWindow passes the findings of a window to the tracker. The window ends at the Unix time `end`.
// If `end` is 0, no window ends, and endWindow does nothing.
func (q *f10) endWindow(end int64) {
	if end == 0 {
		return
	}
	shows := func(f finding.Finding) bool {
		return slices.ContainsFunc(f.Evidence, func(e finding.Evidence) bool { return e.To == end })
	}
	found := slices.DeleteFunc(q.checklist.Findings(end), func(f finding.Finding) bool { return !shows(f) })
	q.e.tracker.AddTick(incident.Tick{
		Time: end, Seconds: int64(q.e.opts.Detect.WinShift) * q.e.opts.Detect.StepSeconds, Classes: []finding.Class{finding.Resource},
		Found: found, Judged: q.judged, Metrics: noOtherMetrics,
	})
}

func (q *f10) finish() { q.lists.finish() }

func (q *f10) judged(class finding.Class, c int) bool {
	s := q.e.places.ServerOf[c]
	return class == finding.Resource && s >= 0 && q.checklist.Judged(s)
}

func (q *f10) forget(class finding.Class, c int) {
	if s := q.e.places.ServerOf[c]; class == finding.Resource && s >= 0 {
		q.checklist.Forget(s)
	}
}

func (q *f10) apply(verb command.Verb, components []int) { q.lists.ranks.Apply(verb, components) }

func (q *f10) addToSummary(s *Summary) {
	q.lists.addToSummary(s)
	q.watch.addToSummary(q.e.places.System, s)
	s.Examined = q.checklist.Examined()
}

func (q *f10) state(c *state.Codec, axes *blame.Axes) {
	q.detector.State(c, axes)
	q.lists.state(c, axes)
	q.watch.state(c, axes)
	q.checklist.State(c, axes)
}
