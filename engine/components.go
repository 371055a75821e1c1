package engine

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/detect/load"
	"github.com/limpet-storage/limpet/engine/detect/ownwork"
	"github.com/limpet-storage/limpet/engine/detect/path"
	"github.com/limpet-storage/limpet/engine/detect/silence"
	"github.com/limpet-storage/limpet/engine/detect/slow"
	"github.com/limpet-storage/limpet/engine/detect/stall"
	"github.com/limpet-storage/limpet/engine/detect/tail"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/state"
)

// components asks what limps among drives, LUNs and paths.
type components struct {
	e        *Engine
	coarse   *table.Coarsen
	detector *persistence.Detector
	lists    lists
	hearing  *window.Hearing // the engine's, or one of coarser rows
	facts    *window.Facts
	ownWork  *ownwork.Detector
	paths    *path.Detector
	silence  *silence.Detector
	stalls   *stall.Detector
	slow     *slow.Detector
	tails    *tail.Detector
	loads    *load.Detector
	beside   *slow.OtherMetrics
	metrics  []metric.Metric
	coarsely bool // who is slow is judged by coarser rows, too
	judges   map[finding.Class]judge
}

// judge is a detector that says of each component whether it could be judged, and can
// begin anew with it.
type judge interface {
	Judged(component int) bool
	Forget(component int)
}

// classes are those of findings that windows make: not servers' resources, and not
// what is slow, has a tail or is asked for more, which is told sooner.
func classes() []finding.Class {
	return slices.DeleteFunc(finding.Classes(), func(c finding.Class) bool {
		return c.OfServer() || c == finding.Slow || c == finding.Tail || c == finding.Load
	})
}

func newComponents(e *Engine, model *persistence.Model) (*components, error) {
	q := &components{e: e, hearing: e.hearing, lists: newLists(e)}
	schema := q.coarsen()
	o, d := &e.opts, &e.opts.Detect
	var err error
	if q.detector, err = persistence.New(*d, e.places.System, schema, o.Metrics, model); err != nil {
		return nil, err
	}
	q.metrics = schema.Metrics
	shift := int64(d.WinShift) * d.StepSeconds
	q.facts = window.New(o.Window, e.places, q.hearing, schema, schema.Leading(o.Metrics), shift, (d.WinSize+d.WinShift-1)/d.WinShift)
	q.ownWork = ownwork.New(o.OwnWork, q.facts, d.K)
	q.paths = path.New(o.Path, q.facts, d.K)
	q.silence = silence.New(q.facts, d.K, o.Path)
	q.slow = slow.New(o.Slow, o.Evidence, o.Localise, q.facts, q.paths, q.slowStep(schema.StepSeconds), q.standsStill())
	q.tails = tail.New(o.Tail, o.Evidence, q.facts, e.schema)
	q.loads = load.New(o.Load, q.facts, e.schema)
	q.beside = slow.NewOtherMetrics(len(q.facts.System.Components))
	q.stalls = stall.New(o.Stall, o.Localise, q.facts, q.slow.Alone)
	q.judges = map[finding.Class]judge{finding.Slow: q.slow, finding.Path: q.paths, finding.Tail: q.tails, finding.Load: q.loads}
	return q, nil
}

// coarsen folds rows to the step that components are judged by.
func (q *components) coarsen() table.Schema {
	schema, step := q.e.schema, q.e.opts.Detect.StepSeconds
	q.coarse = table.NewCoarsen(schema, step)
	if step != schema.StepSeconds {
		q.hearing = window.NewHearing(q.e.opts.Window, q.e.places, q.coarse.Schema())
	}
	return q.coarse.Schema()
}

// slowStep is how long the steps are in which components are slow. Where servers
// are asked for, these tell what is wrong within seconds, and a queue that swings
// from second to second is theirs.
func (q *components) slowStep(coarse int64) int64 {
	q.coarsely = q.e.opts.Asks(Servers) && q.e.cannotAskServers() == nil
	if q.coarsely {
		return coarse
	}
	return q.e.schema.StepSeconds
}

// standsStill is the latency from which on a component stands still. Only await
// says so.
func (q *components) standsStill() float64 {
	if q.facts.LeadMetric.Name != metric.Await.Name {
		return math.Inf(1)
	}
	return q.e.opts.Stall.StallMs
}

// begin judges the coarser row that has ended, and leaves an hour open whose last
// one is still to come.
func (q *components) begin(end int64) {
	if row, ok := q.coarse.Before(end); ok {
		q.judge(row)
	}
	if q.coarse.Empty() {
		q.lists.close(end - 1)
	}
}

// row takes a row of the stream.
func (q *components) row(row *table.Row) {
	q.follow(row)
	if !q.coarsely {
		q.slow.Row(row)
		q.tick(row.End)
	}
	if row, ok := q.coarse.Push(row); ok {
		q.judge(row)
	}
}

// follow hands what requests show to the tracker: tails and loads are told by the
// rows of the stream, since coarser ones have no latencies.
func (q *components) follow(row *table.Row) {
	if seconds := q.tails.Row(row); seconds > 0 {
		q.e.tracker.Follow(incident.Tick{
			Time: row.End, Seconds: seconds, Classes: []finding.Class{finding.Tail}, Found: q.tails.Findings(), Judged: q.judged, Metrics: q.also,
		})
		q.tails.Next()
	}
	if seconds := q.loads.Row(row); seconds > 0 {
		q.e.tracker.Follow(incident.Tick{
			Time: row.End, Seconds: seconds, Classes: []finding.Class{finding.Load}, Found: q.asked(), Judged: q.judged, Metrics: q.also,
		})
	}
}

// asked are the components that are healthy, and asked for more than their peers. What
// is known to limp, or stood still, is not called healthy.
func (q *components) asked() []finding.Finding {
	open := q.e.tracker.Open()
	return slices.DeleteFunc(q.loads.Findings(), func(f finding.Finding) bool {
		return slices.ContainsFunc(open, func(o finding.Open) bool {
			return (o.Class == finding.Slow || o.Class == finding.Tail || o.Class == finding.Stall) && o.Kind != finding.WorkloadImbalance && o.Has(f.Members[0].Component)
		})
	})
}

// limps are the components that are slow, one alone with what the device takes. One that
// is measured to wait for what is asked of it, and for nothing else, is told as that.
func (q *components) limps() []finding.Finding {
	found := slices.DeleteFunc(q.slow.Findings(q.e.tracker.Open()), func(f finding.Finding) bool {
		return f.Kind == finding.WorkloadImbalance && len(f.Members) == 1 && q.loads.Explains(f.Members[0].Component)
	})
	for i := range found {
		if f := &found[i]; len(f.Members) == 1 {
			f.Evidence = append(f.Evidence, q.loads.InDevice(f.Members[0].Component)...)
		}
	}
	return found
}

// judge takes a row of the step that is judged.
func (q *components) judge(row *table.Row) {
	if q.hearing != q.e.hearing {
		q.hearing.Row(row)
	}
	if q.coarsely {
		q.slow.Row(row)
		q.tick(row.End)
	}
	q.lists.begin(row.End)
	q.facts.Row(row)
	q.stalls.Row(row)
	for _, f := range q.silence.Row() {
		q.e.tracker.TakeUp(&f, row.End)
	}
	end := int64(0)
	q.detector.Push(row, func(w *persistence.Window) {
		if w.End != end {
			q.end(end)
		}
		q.lists.window(w)
		q.facts.Judged(w)
		if w.Metric == q.facts.Lead {
			q.slow.Window(w)
		} else {
			q.beside.Window(w)
		}
		end = w.End
	})
	if end == 0 && row.End%q.facts.ShiftSeconds == 0 {
		end = row.End // nothing could be judged, and time goes on
	}
	q.end(end)
	q.lists.close(row.End)
}

// end hands what the windows that end at a time have shown to the tracker; 0
// stands for none.
func (q *components) end(end int64) {
	if end == 0 {
		return
	}
	q.facts.End()
	if !q.facts.Sparse {
		q.ownWork.Mark(q.paths.LostForLong)
		q.paths.End(end)
	}
	q.slow.End()
	q.e.tracker.Follow(incident.Tick{
		Time: end, Seconds: q.facts.ShiftSeconds, Classes: classes(), Found: q.findings(end), Judged: q.judged, Metrics: q.also,
	})
	q.facts.Next()
}

// tick hands what components have shown since the last tick to the tracker: who
// is slow is told between windows, too.
func (q *components) tick(now int64) {
	seconds := q.slow.Tick(now)
	if seconds == 0 {
		return
	}
	q.e.tracker.Follow(incident.Tick{
		Time: now, Seconds: seconds, Classes: []finding.Class{finding.Slow}, Found: q.limps(), Judged: q.judged, Metrics: q.also,
	})
	if to, ok := q.e.listener.(Counter); ok {
		judged, odd := q.slow.Census()
		to.Count(&Census{Time: now, Judged: judged, Odd: odd})
	}
	q.slow.Next()
}

// findings are all of this window.
func (q *components) findings(end int64) []finding.Finding {
	open := q.e.tracker.Open()
	return finding.Join(slices.Concat(
		q.silence.Findings(), q.paths.Findings(open), q.stalls.Findings(), q.ownWork.Findings(end),
	))
}

// also names the other metrics in which members are suspect.
func (q *components) also(members []finding.Member) []string {
	var names []string
	for _, m := range q.beside.Of(members) {
		names = append(names, q.metrics[m].Name)
	}
	return names
}

func (q *components) finish() {
	if row, ok := q.coarse.Flush(); ok {
		q.judge(row)
	}
	q.lists.finish()
}

func (q *components) judged(class finding.Class, c int) bool {
	j := q.judges[class]
	return j != nil && j.Judged(c)
}

func (q *components) forget(class finding.Class, c int) {
	if j := q.judges[class]; j != nil {
		j.Forget(c)
	}
}

func (q *components) apply(verb command.Verb, components []int) {
	q.lists.ranks.Apply(verb, components)
}

func (q *components) sum(s *Summary) {
	q.lists.sum(s)
	list, by := q.e.tracker.Pending()
	for i := range list {
		s.Suspects = append(s.Suspects, Suspect{list[i], by[i]})
	}
}

func (q *components) state(c *state.Codec, axes *blame.Axes) {
	q.coarse.State(c, axes.Components, axes.Servers)
	if q.hearing != q.e.hearing {
		q.hearing.State(c, axes)
	}
	q.detector.State(c, axes)
	q.lists.state(c, axes)
	q.facts.State(c, axes)
	q.ownWork.State(c, axes)
	q.paths.State(c, axes)
	q.silence.State(c, axes)
	q.stalls.State(c, axes)
	q.slow.State(c, axes)
	q.beside.State(c, axes)
	q.tails.State(c, axes)
	q.loads.State(c, axes)
}
