package engine

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/detect/ownwork"
	"github.com/limpet-storage/limpet/engine/detect/past"
	"github.com/limpet-storage/limpet/engine/detect/path"
	"github.com/limpet-storage/limpet/engine/detect/requests"
	"github.com/limpet-storage/limpet/engine/detect/silence"
	"github.com/limpet-storage/limpet/engine/detect/slow"
	"github.com/limpet-storage/limpet/engine/detect/stall"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/state"
)

// components answers the question [Components]: which drives, LUNs and paths are slow, lost,
// stalled or overloaded.
type components struct {
	e              *Engine
	coarse         *table.Coarsener
	detector       *persistence.Detector
	lists          lists
	dataTimes      *window.DataTimes // record of the servers that sent data: the record of the engine, or a separate record for coarser rows
	facts          *window.Facts
	ownWork        *ownwork.Detector
	paths          *path.Detector
	silence        *silence.Detector
	stalls         *stall.Detector
	slow           *slow.Detector
	requests       *requests.Detector
	past           *past.Detector
	clients        *past.Clients
	others         *slow.OtherMetrics
	metrics        []metric.Metric
	usesCoarseRows bool // true if slowness is judged by coarse rows, and not by the rows of the stream
	judges         map[finding.Class]judge
}

// judge has two functions of the detectors that make the findings of one class.
type judge struct {
	judged func(component int) bool // reports whether a component could be judged at the last tick or window
	forget func(component int)      // drops the evidence about a component
}

// classes returns the classes of findings that are made once per window. Findings of class slow,
// tail, load, past and capacity are made at ticks: every few minutes or seconds, independent of
// windows. Findings about servers belong to the questions [Servers] and [Checklist].
func classes() []finding.Class {
	return slices.DeleteFunc(finding.Classes(), func(c finding.Class) bool {
		return c.IsAboutServer() || c == finding.Slow || c == finding.Past || c == finding.Tail || c == finding.Load || c == finding.Capacity
	})
}

func newComponents(e *Engine, model *persistence.Model) (*components, error) {
	q := &components{e: e, dataTimes: e.dataTimes, lists: newLists(e)}
	schema := q.coarsen()
	o, d := &e.opts, &e.opts.Detect
	var err error
	if q.detector, err = persistence.New(*d, e.places.System, schema, o.Metrics, model); err != nil {
		return nil, err
	}
	q.metrics = schema.Metrics
	shift := int64(d.WinShift) * d.StepSeconds
	q.facts = window.New(o.Criteria, e.places, q.dataTimes, schema, schema.Leading(o.Metrics), shift, (d.WinSize+d.WinShift-1)/d.WinShift)
	q.ownWork = ownwork.New(o.Criteria, q.facts, d.K)
	q.paths = path.New(o.Path, o.Criteria, q.facts, d.K)
	q.silence = silence.New(q.facts, d.K, o.Path, o.Criteria)
	q.slow = slow.New(o.Slow, o.Criteria, o.Evidence, o.Localise, q.facts, q.paths, q.slowStep(schema.StepSeconds), q.stallLatency())
	q.requests = requests.New(o.Requests, o.Criteria, o.Evidence, q.facts, e.schema)
	q.clients = past.NewClients(o.Criteria, q.facts, e.schema.StepSeconds)
	q.past = past.New(o.Criteria, o.Evidence, q.facts, schema.StepSeconds, q.clients, q.slow.Comparable)
	q.others = slow.NewOtherMetrics(len(q.facts.System.Components))
	q.stalls = stall.New(o.Stall, o.Localise, q.facts, q.slow.PlaceIfAlone)
	q.judges = map[finding.Class]judge{
		finding.Slow: {q.slow.Judged, q.forgetSlow}, finding.Past: {q.pastJudged, q.forgetPast}, finding.Tail: {q.requests.Judged, q.forgetSlow},
		finding.Path: {q.paths.Judged, q.paths.Forget}, finding.Load: {q.requests.LoadJudged, q.requests.ForgetLoad},
	}
	return q, nil
}

// coarsen prepares the conversion of rows to coarse rows, and returns the schema of the coarse
// rows. A coarse row combines the rows of a longer step into one row. This step is
// Detect.StepSeconds, the step in which components are judged.
func (q *components) coarsen() table.Schema {
	schema, step := q.e.schema, q.e.opts.Detect.StepSeconds
	q.coarse = table.NewCoarsener(schema, step)
	if step != schema.StepSeconds {
		q.dataTimes = window.NewDataTimes(q.e.opts.Criteria, q.e.places, q.coarse.Schema())
	}
	return q.coarse.Schema()
}

// slowStep returns the step in which slowness of components is judged, in seconds. It is normally
// the step of the rows. If the question [Servers] is answered too, it is the parameter `coarse`,
// the step of coarse rows. A finer step is then not needed, because the detectors of [Servers]
// already report problems within seconds.
func (q *components) slowStep(coarse int64) int64 {
	q.usesCoarseRows = q.e.opts.HasQuestion(Servers) && q.e.missingForServers() == nil
	if q.usesCoarseRows {
		return coarse
	}
	return q.e.schema.StepSeconds
}

// stallLatency returns the latency, in ms, above which package stall reports a component even if no
// other component stalls. It returns +Inf if the leading metric is not await, because package stall
// then reports nothing.
func (q *components) stallLatency() float64 {
	if q.facts.LeadMetric.Name != metric.Await.Name {
		return math.Inf(1)
	}
	return q.e.opts.Stall.AloneMs
}

// begin prepares the next row of the stream, which ends at the Unix time `end`. If the current
// coarse row ends before this row, begin judges the coarse row. While a coarse row is incomplete,
// begin does not make the hourly list, because this row may belong to the hour of the list.
func (q *components) begin(end int64) {
	if row, ok := q.coarse.RowBefore(end); ok {
		q.judgeRow(row)
	}
	if q.coarse.IsEmpty() {
		q.lists.closeHour(end - 1)
	}
}

// row runs the detectors that use rows of the stream. Then it adds the row to the coarse row. If
// the coarse row is complete, row judges it.
func (q *components) row(row *table.Row) {
	q.followQueues(row)
	q.compareClients(row)
	if !q.usesCoarseRows {
		q.slow.Row(row)
		q.tick(row.End)
	}
	if row, ok := q.coarse.Push(row); ok {
		q.judgeRow(row)
	}
}

// followQueues passes the findings about queues (class load) to the tracker. Package requests makes
// these findings from the rows of the stream, because coarse rows have no histograms of latencies.
func (q *components) followQueues(row *table.Row) {
	if seconds := q.requests.Row(row); seconds > 0 {
		q.e.tracker.AddTick(incident.Tick{
			Time: row.End, Seconds: seconds, Classes: []finding.Class{finding.Load}, Found: q.queues(), Judged: q.judged, Metrics: q.otherMetrics,
		})
	}
}

// queues returns findings about healthy components whose requests wait only because the component
// gets more requests than its peers. It leaves out components that the tracker blames. These are
// suspects, and components with an open incident of class slow, tail or stall, except incidents of
// the kind workload imbalance.
func (q *components) queues() []finding.Finding {
	return slices.DeleteFunc(q.requests.Queues(), func(f finding.Finding) bool {
		return q.e.tracker.Blames(f.Members[0].Component)
	})
}

// slowFindings returns the findings about slow components, at most one for each component. Package
// slow compares mean latencies. If the rows have histograms of latencies, package requests compares
// single requests. If both packages have a finding about one component, mergeSlowFindings makes one
// finding of the two findings. If requests of a component wait only because of its load,
// slowFindings leaves the component out, because the method queues returns a finding about it.
func (q *components) slowFindings() []finding.Finding {
	open := q.e.tracker.Open()
	found := slices.DeleteFunc(q.slow.Findings(open), func(f finding.Finding) bool {
		return f.Kind == finding.WorkloadImbalance && len(f.Members) == 1 && q.requests.LoadExplains(f.Members[0].Component)
	})
	for _, m := range q.requests.Findings() {
		c := m.Members[0].Component
		at := slices.IndexFunc(found, func(f finding.Finding) bool {
			return slices.ContainsFunc(f.Members, func(m finding.Member) bool { return m.Component == c })
		})
		switch {
		case at >= 0 && len(found[at].Members) == 1:
			found[at] = mergeSlowFindings(found[at], m)
		case at < 0 && !slow.RepeatsStall(&m, open) && (m.Class == finding.Tail || m.Members[0].Effect.Low > q.slow.ToleratedRatio(c)):
			found = append(found, m)
		}
	}
	for i := range found {
		if f := &found[i]; f.Class == finding.Slow && len(f.Members) == 1 {
			f.Evidence = q.requests.Evidence(f.Members[0].Component)
		}
	}
	return found
}

// mergeSlowFindings returns one finding for two findings about the same component: bySlow is from
// package slow, and byRequests is from package requests. There are three cases:
//
//   - bySlow names a harmless cause, such as a rebuild. Then mergeSlowFindings returns bySlow.
//   - bySlow blames the component, but byRequests shows that only a part of the requests is
//     delayed. Then the component is not a slow drive, and mergeSlowFindings returns byRequests.
//   - Both blame the component for slowness of all its requests. Then mergeSlowFindings returns
//     bySlow, with the stronger evidence of the two.
func mergeSlowFindings(bySlow, byRequests finding.Finding) finding.Finding {
	isFault := bySlow.Kind == finding.SlowDrive || bySlow.Kind == finding.SingleLUN
	if isFault && byRequests.Class == finding.Tail {
		byRequests.Place = bySlow.Place
		return byRequests
	}
	if isFault && byRequests.Class == finding.Slow {
		bySlow.Sure, bySlow.Amount, bySlow.Nats = bySlow.Sure || byRequests.Sure, max(bySlow.Amount, byRequests.Amount), max(bySlow.Nats, byRequests.Nats)
	}
	return bySlow
}

// forgetSlow drops the evidence that all requests of a component are slow, and the evidence that a
// part of its requests is slow.
func (q *components) forgetSlow(c int) {
	q.slow.Forget(c)
	q.requests.Forget(c)
}

// judgeRow takes the next coarse row, and runs the detectors that use coarse rows.
func (q *components) judgeRow(row *table.Row) {
	if q.dataTimes != q.e.dataTimes {
		q.dataTimes.Row(row)
	}
	if q.usesCoarseRows {
		q.slow.Row(row)
		q.tick(row.End)
	}
	q.lists.begin(row.End)
	q.facts.Row(row)
	q.stalls.Row(row)
	q.comparePast(row)
	for _, f := range q.silence.Row() {
		q.e.tracker.AddFinding(&f, row.End)
	}
	end := int64(0)
	q.detector.Push(row, func(w *persistence.Window) {
		if w.End != end {
			q.endWindow(end)
		}
		q.lists.addWindow(w)
		q.facts.TakeVerdicts(w)
		if w.Metric == q.facts.Lead {
			q.slow.Window(w)
		} else {
			q.others.Window(w)
		}
		end = w.End
	})
	if end == 0 && row.End%q.facts.ShiftSeconds == 0 {
		end = row.End // if no group could be compared in this window, incidents must still recover and end
	}
	q.endWindow(end)
	q.lists.closeHour(row.End)
}

// endWindow passes the findings of a window to the tracker. The window ends at the Unix time `end`.
// If `end` is 0, no window ends, and endWindow does nothing.
func (q *components) endWindow(end int64) {
	if end == 0 {
		return
	}
	q.facts.End()
	if !q.facts.Sparse {
		q.ownWork.Mark(q.paths.LostForLong)
		q.paths.End(end)
	}
	q.slow.End()
	q.e.tracker.AddTick(incident.Tick{
		Time: end, Seconds: q.facts.ShiftSeconds, Classes: classes(), Found: q.findings(end), Judged: q.judged, SilenceJudged: q.silence.CanJudge, Metrics: q.otherMetrics,
	})
	q.facts.NextShift()
}

// tick passes the findings about slow components to the tracker. Ticks are shorter than
// windows, so that slowness is reported earlier.
func (q *components) tick(now int64) {
	seconds := q.slow.Tick(now)
	if seconds == 0 {
		for _, f := range q.slow.EarlyFindings(now, q.e.tracker.Open) {
			if f.Kind != finding.WorkloadImbalance {
				q.e.tracker.AddFinding(&f, now)
			}
		}
		return
	}
	q.e.tracker.AddTick(incident.Tick{
		Time: now, Seconds: seconds, Classes: []finding.Class{finding.Slow, finding.Tail}, Found: q.slowFindings(), Judged: q.judged, Metrics: q.otherMetrics,
	})
	if to, ok := q.e.listener.(Counter); ok {
		judged, odd := q.slow.Census()
		to.Count(&Census{Time: now, Judged: judged, Odd: odd})
	}
	q.slow.ResetCompared()
	q.requests.ResetJudged()
}

// comparePast compares components with their own past, and passes the findings to the tracker. If a
// component is already reported as slower than its peers, or as slow because of a client,
// comparePast leaves the component out, because these reports explain the slowness better.
func (q *components) comparePast(row *table.Row) {
	q.past.Row(row)
	if seconds := q.past.Tick(row.End); seconds > 0 {
		explained := func(c int) bool { return q.e.tracker.Blames(c) || q.clients.Explains(c, q.past.Since(c)) }
		q.e.tracker.AddTick(incident.Tick{
			Time: row.End, Seconds: seconds, Classes: []finding.Class{finding.Past}, Found: append(q.clients.Findings(), q.past.Findings(explained)...), Judged: q.judged, Metrics: q.otherMetrics,
		})
	}
}

// compareClients finds a client that makes drives slow, and passes the findings to the tracker
// within seconds. These findings have the class past, like the findings of the detector q.past. But
// q.past has a tick only every few minutes, so compareClients passes its findings one by one
// between these ticks. If the options select a method of a paper, limpet does not look for clients.
func (q *components) compareClients(row *table.Row) {
	if q.e.opts.isFromPaper() || !q.clients.Row(row) {
		return
	}
	for _, f := range q.clients.Findings() {
		q.e.tracker.AddFinding(&f, row.End)
	}
}

// clientSlows returns the earliest Unix time at which a client may have begun to make the drives
// among the members slow. It returns false if no client makes them slow, or if the question
// [Components] is not answered.
func (e *Engine) clientSlows(members []finding.Member) (since int64, ok bool) {
	for _, q := range e.questions {
		if q, is := q.(*components); is {
			for i := range members {
				if since, ok = q.clients.SlowSince(members[i].Component); ok {
					return since, true
				}
			}
		}
	}
	return 0, false
}

// pastJudged reports whether the latency of a component could be compared with its earlier latency:
// with the past that q.past has learned, or with the last hour (q.clients).
func (q *components) pastJudged(c int) bool { return q.past.Judged(c) || q.clients.Judged(c) }

// forgetPast drops the evidence that a component is slower than before.
func (q *components) forgetPast(c int) {
	q.past.Forget(c)
	q.clients.Forget(c, false)
}

// findings returns the findings of the detectors that judge once per window: silent servers, lost
// paths, stalls, and own work of servers (package ownwork).
func (q *components) findings(end int64) []finding.Finding {
	open := q.e.tracker.Open()
	return finding.MergeFindings(slices.Concat(
		q.silence.Findings(), q.paths.Findings(open), q.stalls.Findings(), q.ownWork.Findings(end),
	))
}

// otherMetrics returns the names of the metrics, except the leading metric, in which the members of
// a finding are suspect.
func (q *components) otherMetrics(members []finding.Member) []string {
	var names []string
	for _, m := range q.others.MetricsOf(members) {
		names = append(names, q.metrics[m].Name)
	}
	return names
}

func (q *components) finish() {
	if row, ok := q.coarse.Flush(); ok {
		q.judgeRow(row)
	}
	q.lists.finish()
}

func (q *components) judged(class finding.Class, c int) bool {
	j, ok := q.judges[class]
	return ok && j.judged(c)
}

func (q *components) forget(class finding.Class, c int) {
	if j, ok := q.judges[class]; ok {
		j.forget(c)
	}
}

func (q *components) apply(verb command.Verb, components []int) {
	q.lists.ranks.Apply(verb, components)
	if verb == command.Accept {
		for _, c := range components {
			q.past.Restart(c)
			q.clients.Forget(c, true)
		}
	}
}

func (q *components) addToSummary(s *Summary) {
	q.lists.addToSummary(s)
	s.WithPast = q.past.CountKnown()
	list, by := q.e.tracker.Pending()
	for i := range list {
		s.Suspects = append(s.Suspects, Suspect{list[i], by[i]})
	}
}

func (q *components) state(c *state.Codec, axes *blame.Axes) {
	q.coarse.State(c, axes.Components, axes.Servers)
	if q.dataTimes != q.e.dataTimes {
		q.dataTimes.State(c, axes)
	}
	q.detector.State(c, axes)
	q.lists.state(c, axes)
	q.facts.State(c, axes)
	q.ownWork.State(c, axes)
	q.paths.State(c, axes)
	q.silence.State(c, axes)
	q.stalls.State(c, axes)
	q.slow.State(c, axes)
	q.others.State(c, axes)
	q.requests.State(c, axes)
	q.past.State(c, axes)
	if finding.HasClients(c) {
		q.clients.State(c, axes)
	}
}
