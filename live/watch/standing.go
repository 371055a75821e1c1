package watch

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/report/heatmap"
	"github.com/limpet-storage/limpet/topology"
)

// Standing is how things stand after a row. It shares nothing with the diagnosis but
// what is kept of requests.
type Standing struct {
	Subject report.Subject
	report.Standing
	Windows  []persistence.Window // the last of each peer group and metric, in this order
	Progress activity.Progress
	Troubles []announce.Trouble
	Waiting  string // why not all is known yet, one sentence; empty once the backlog was read
	Event    int64  // number of the last event
	Opened   int64  // incidents ever
	Rows     int64  // since the start
	Made     time.Time
	Mutes    map[string]int64           // when mutes end, by the incident's ID
	Causes   map[string]command.Command // the last label of each incident, by its ID
	Requests *heatmap.Kept              // how long they took: goes on with the diagnosis; nil before there is one
}

// Standing is how things stand. It is never nil.
func (w *Watch) Standing() *Standing { return w.standing.Load() }

// show makes a new standing.
func (w *Watch) show() {
	s := &Standing{Event: w.events, Opened: w.tell.Opened, Rows: w.rows, Made: w.o.Now(), Mutes: map[string]int64{}, Causes: maps.Clone(w.tell.Causes)}
	var warnings []topology.Warning
	if src := w.source.Load(); src != nil {
		s.Progress = src.Progress()
		w.tell.Troubles.Set("source", w.awaited(&s.Progress))
		warnings = src.Warnings()
	}
	s.Troubles, s.Subject = w.tell.Troubles.All(), NothingYet(&w.o.Diagnose, cmp.Or(w.o.StepSeconds, 1), w.o.Version)
	s.Verdict = errNothingYet.Error()
	s.Heed(warnings)
	if w.d != nil {
		w.describe(s, judged{w.d, w.rows, w.events, w.commands}, warnings)
	}
	w.live = w.live || w.rows > 0 && allRead(&s.Progress)
	s.Waiting = w.waiting(s)
	w.standing.Store(s)
}

// judged is how much a diagnosis knows.
type judged struct {
	d                      *diagnosis
	rows, events, commands int64
}

// describe says what the diagnosis says. While it learns nothing and no warning comes or
// goes, that is what it said before.
func (w *Watch) describe(s *Standing, knows judged, warnings []topology.Warning) {
	if last := w.Standing(); last != nil && knows == w.shown && slices.Equal(warnings, w.warned) {
		s.Subject, s.Windows, s.Mutes, s.Standing, s.Requests = last.Subject, last.Windows, last.Mutes, last.Standing, last.Requests
		return
	}
	w.shown, w.warned = knows, warnings
	s.Subject, s.Windows, s.Mutes = w.d.Subject, w.d.Windows(), w.d.MutedUntil()
	s.Standing, s.Requests = w.d.Memory.At(w.d.summary(warnings)), w.d.requests
}

// awaited forgets the paths that may be empty, and says what is the matter with the
// others that are.
func (w *Watch) awaited(p *activity.Progress) string {
	p.Awaited = slices.DeleteFunc(slices.Clone(p.Awaited), func(a activity.Awaited) bool { return slices.Contains(w.o.MayBeEmpty, a.Path) })
	var texts []string
	for _, one := range p.Awaited {
		texts = append(texts, one.Text)
	}
	return strings.Join(texts, "; ")
}

// NothingYet is what there is to say something of while no system is known.
func NothingYet(o *engine.Options, stepSeconds int64, version string) report.Subject {
	return report.Subject{
		System: &topology.System{}, Schema: table.Schema{StepSeconds: stepSeconds, Metrics: metric.All(), Load: -1}, Options: *o, Version: version,
	}
}

// allRead says whether no machine has more in its files: recorders that have stopped
// write nothing that could be live.
func allRead(p *activity.Progress) bool {
	return len(p.Machines) > 0 && !slices.ContainsFunc(p.Machines, func(m activity.ServerProgress) bool { return m.State == activity.Reading })
}

// waiting says why the watch is not ready.
func (w *Watch) waiting(s *Standing) string {
	switch {
	case s.Progress.Waiting != "":
		return cmp.Or(w.awaited(&s.Progress), s.Progress.Waiting)
	case w.d == nil:
		return errNothingYet.Error()
	case !w.live && !w.o.Once && w.row == 0:
		return "what was recorded before is being read"
	case !w.live && !w.o.Once:
		return "what was recorded before is being read: it has come to " + time.Unix(w.row, 0).UTC().Format("2006-01-02 15:04:05 UTC")
	}
	return ""
}
