package engine

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/detect/capacity"
	"github.com/limpet-storage/limpet/engine/detect/pause"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// limits finds servers that pause, and components that have reached a limit. Pauses and limits show
// in the data of one server, without a comparison with peers. So limits runs with every method,
// except the methods of the papers. Only the files of limpet-record have these data.
type limits struct {
	e        *Engine
	pauses   *pause.Detector
	capacity *capacity.Detector
	seconds  int64 // length of a tick
	last     int64 // Unix time of the last tick
	known    bool  // at least one row had data of a recorder that measures pauses and limits
}

func newLimits(e *Engine) *limits {
	step := e.schema.StepSeconds
	return &limits{
		e: e, pauses: pause.New(e.opts.Pause, e.opts.Criteria, e.places, e.schema), capacity: capacity.New(e.opts.Capacity, e.opts.Criteria, e.places, e.schema),
		seconds: (pause.TickSeconds + step - 1) / step * step,
	}
}

// limitClasses are the classes of findings about pauses and limits.
var limitClasses = []finding.Class{finding.Pause, finding.Capacity}

func (q *limits) begin(int64) {}

func (q *limits) row(row *table.Row) {
	q.known = q.known || row.HasGauges()
	if !q.known {
		return
	}
	q.pauses.Row(row)
	q.capacity.Row(row)
	if row.End/q.seconds == q.last/q.seconds {
		return
	}
	seconds := q.seconds
	if q.last > 0 {
		seconds = row.End - q.last
	}
	q.last = row.End
	q.e.tracker.AddTick(incident.Tick{
		Time: row.End, Seconds: seconds, Classes: limitClasses, Judged: q.judged, Metrics: noOtherMetrics,
		Found: finding.MergeFindings(slices.Concat(q.pauses.Tick(row.End, seconds), q.capacity.Tick(row.End, seconds))),
	})
}

func (q *limits) finish() {}

func (q *limits) judged(class finding.Class, c int) bool {
	if class == finding.Capacity {
		return q.capacity.Judged(c)
	}
	s := q.e.places.ServerOf[c]
	return s >= 0 && q.pauses.Judged(s)
}

func (q *limits) forget(class finding.Class, c int) {
	switch s := q.e.places.ServerOf[c]; {
	case class == finding.Capacity:
		q.capacity.Forget(c)
	case class == finding.Pause && s >= 0:
		q.pauses.Forget(s)
	}
}

func (q *limits) apply(command.Verb, []int) {}

func (q *limits) addToSummary(*Summary) {}

func (q *limits) state(c *state.Codec, axes *blame.Axes) {
	c.Bool(&q.known)
	state.Int(c, &q.last)
	q.pauses.State(c, axes)
	q.capacity.State(c, axes)
}
