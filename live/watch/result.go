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

// Result holds the data that the API and the console show after a row: the incidents and suspects
// of the diagnosis, its progress and its troubles. All fields except Requests are copies: the
// diagnosis does not change them later.
type Result struct {
	StateDir string
	Subject  report.Subject
	report.Result
	Windows  []persistence.Window // the last window of each peer group and metric, ordered by peer group, then by metric
	Progress activity.Progress
	Troubles []announce.Trouble
	Waiting  string // sentence with the reason why the result is incomplete; empty after the backlog (the data that existed at the start) was read
	Event    int64  // number of the last event
	Opened   int64  // number of incidents that were opened since the diagnosis began
	Rows     int64  // number of rows since the process started
	Made     time.Time
	// QuietBefore is the Unix time at which the diagnosis began without a saved state. Rows before
	// this time cause no notification ([alert.Options]). QuietBefore is 0 in a cluster.
	QuietBefore int64
	Mutes       map[string]int64           // by incident ID: Unix time at which the mute ends
	Causes      map[string]command.Command // by incident ID: the last label of the incident
	Muted       map[string]command.Command // by component: the last command that muted it
	Requests    *heatmap.Kept              // latencies of requests, shared with the diagnosis; nil until there is a diagnosis
}

// Result returns the newest Result. It never returns nil.
func (w *Watch) Result() *Result { return w.result.Load() }

// show makes the Result that the method Result returns from now on.
func (w *Watch) show() {
	s := &Result{StateDir: w.o.StateDir, Event: w.events, Opened: w.store.Opened, Rows: w.rows, Made: w.o.Now(), QuietBefore: w.since, Mutes: map[string]int64{}, Causes: maps.Clone(w.store.Causes), Muted: maps.Clone(w.store.Muted)}
	var warnings []topology.Warning
	if src := w.source.Load(); src != nil {
		s.Progress = src.Progress()
		w.store.Troubles.Set("source", w.awaited(&s.Progress))
		w.store.Troubles.Set("interval", s.Progress.Coarse)
		warnings = src.Warnings()
	}
	w.store.CheckGaps()
	s.Troubles, s.Subject = w.store.Troubles.All(), NothingYet(&w.o.Diagnose, cmp.Or(w.o.StepSeconds, 1), w.o.Version)
	s.Verdict = errNothingYet.Error()
	s.AddWarnings(warnings)
	if w.d != nil {
		w.describe(s, diagnosed{w.d, w.rows, w.events, w.commands}, warnings)
	}
	w.live = w.live || w.d != nil && allRead(&s.Progress) && !w.source.Load().HasNext()
	s.Waiting = w.notReadyReason(s)
	w.result.Store(s)
}

// diagnosed is the progress of a diagnosis. If two values of this type are equal, the diagnosis has
// made no progress between the two values, and its result has not changed.
type diagnosed struct {
	d                      *diagnosis
	rows, events, commands int64
}

// describe copies the result of the diagnosis into a Result. If the progress and the warnings are the
// same as in the last Result, describe copies the last Result, because this is faster.
func (w *Watch) describe(s *Result, knows diagnosed, warnings []topology.Warning) {
	if last := w.Result(); last != nil && knows == w.shown && slices.EqualFunc(warnings, w.warned, topology.Warning.Equal) {
		s.Subject, s.Windows, s.Mutes, s.Result, s.Requests = last.Subject, last.Windows, last.Mutes, last.Result, last.Requests
		return
	}
	w.shown, w.warned = knows, warnings
	s.Subject, s.Windows, s.Mutes = w.d.Subject, w.d.Windows(), w.d.MutedUntil()
	s.Result, s.Requests = w.d.Memory.At(w.d.summary(warnings)), w.d.requests
}

// awaited changes p.Awaited, the list of paths without files. It removes the paths that are in
// Options.MayBeEmpty. It returns sentences about the remaining paths in the list.
func (w *Watch) awaited(p *activity.Progress) string {
	p.Awaited = slices.DeleteFunc(slices.Clone(p.Awaited), func(a activity.Awaited) bool { return slices.Contains(w.o.MayBeEmpty, a.Path) })
	var texts []string
	for _, one := range p.Awaited {
		texts = append(texts, one.Text)
	}
	return strings.Join(texts, "; ")
}

// NothingYet returns the report.Subject (system, schema and options) of a report that is made
// before limpet knows any component.
func NothingYet(o *engine.Options, stepSeconds int64, version string) report.Subject {
	return report.Subject{
		System: &topology.System{}, Schema: table.Schema{StepSeconds: stepSeconds, Metrics: metric.All(), Load: -1}, Options: *o, Version: version,
	}
}

// allRead reports whether the files of every server have been read to their end. A server whose
// recorder has stopped counts as read. If there is no server, because the files have been removed,
// allRead is true as soon as the source has searched for files.
func allRead(p *activity.Progress) bool {
	if len(p.Machines) == 0 {
		return p.Waiting != ""
	}
	return !slices.ContainsFunc(p.Machines, func(m activity.ServerProgress) bool { return m.State == activity.Reading })
}

// notReadyReason returns the reason why the watch is not ready. It returns an empty text if the
// watch is ready: the state is restored, and the files that existed at the start have been read.
func (w *Watch) notReadyReason(s *Result) string {
	switch {
	case s.Progress.Waiting != "" && (w.d == nil || !w.live):
		return cmp.Or(w.awaited(&s.Progress), s.Progress.Waiting)
	case w.d == nil:
		return errNothingYet.Error()
	case !w.live && !w.o.Once && w.row == 0:
		return "limpet is reading older data"
	case !w.live && !w.o.Once:
		return "limpet is reading older data, and has read all data up to " + stamp(w.row)
	}
	return ""
}
