package engine

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/state"
)

// hour is the time between two hourly lists, in seconds (L13 §5.1).
const hour = 3600

// lists makes the hourly lists of the components with the largest accumulators.
type lists struct {
	ranks    *persistence.Accumulators
	top      int
	hourEnd  int64 // Unix time at which the current hour ends; 0 if no row has come since the last list
	listener Listener
	apply    func(now int64) // applies the planned commands up to a Unix time
	metrics  []state.Named
}

func newLists(e *Engine) lists {
	l := lists{ranks: persistence.NewAccumulators(), top: e.opts.Top, listener: e.listener, apply: e.applyUntil}
	for _, m := range e.schema.Metrics {
		l.metrics = append(l.metrics, state.Named{Name: m.Name})
	}
	return l
}

// begin is called with each row, before the windows of the row are judged. The parameter `end` is
// the Unix time at which the row ends. If the row is the first row of a new hour, begin makes the
// list of the previous hour.
func (l *lists) begin(end int64) {
	l.closeHour(end - 1)
	if l.hourEnd == 0 {
		l.hourEnd = (end-1)/hour*hour + hour
	}
}

// addWindow adds the verdicts of a window to the accumulators. A verdict has the result for one
// component and metric: for example, whether the component is a suspect.
func (l *lists) addWindow(w *persistence.Window) {
	l.apply(w.End - 1)
	l.ranks.Push(w)
	l.listener.Window(w)
}

// closeHour makes the list of the current hour if this hour ends at or before the Unix time `now`.
// An hour without data has no list.
func (l *lists) closeHour(now int64) {
	if l.hourEnd == 0 || now < l.hourEnd {
		return
	}
	l.apply(l.hourEnd - 1)
	l.listener.List(&List{Hour: l.hourEnd - hour, Entries: l.ranks.Top(l.top)})
	l.hourEnd = 0
}

// finish makes the list of the last, unfinished hour.
func (l *lists) finish() {
	if l.hourEnd != 0 {
		l.closeHour(l.hourEnd)
	}
}

func (l *lists) addToSummary(s *Summary) {
	if s.unranked {
		return
	}
	s.Accumulators = l.ranks.Top(math.MaxInt)
	s.Top = slices.Clone(s.Accumulators[:min(l.top, len(s.Accumulators))])
}

func (l *lists) state(c *state.Codec, axes *blame.Axes) {
	l.ranks.State(c, axes, c.Axis(l.metrics))
	state.Int(c, &l.hourEnd)
}
