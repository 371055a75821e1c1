package evaluate

import (
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
)

// moment is what the windows that end at one time say of every component, all
// metrics together.
type moment struct {
	start, end int64
	judged     []bool // in some metric
	suspect    []bool
	silent     []bool // its server sent nothing
	value      []int  // the largest of its accumulators
}

// moments gathers windows into moments. Metrics come one after the other, and
// behind a gap each brings several windows at once: so moments are handed on
// when an hour is listed, in order of time.
type moments struct {
	components int
	values     map[[2]int]int // accumulators by metric and component (L13 §4.3)
	open       map[int64]*moment
	take       func(*moment)
}

func newMoments(components int, take func(*moment)) *moments {
	return &moments{components: components, values: map[[2]int]int{}, open: map[int64]*moment{}, take: take}
}

// Window counts what a window says.
func (m *moments) Window(w *persistence.Window) {
	at := m.open[w.End]
	if at == nil {
		at = newMoment(w, m.components)
		m.open[w.End] = at
	}
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		c := v.Component
		at.judged[c] = at.judged[c] || v.State != persistence.Unjudged
		at.suspect[c] = at.suspect[c] || v.Suspect
		at.silent[c] = at.silent[c] || v.Reason == persistence.ServerSilent
		at.value[c] = max(at.value[c], m.count(w.Metric, v))
	}
}

func newMoment(w *persistence.Window, n int) *moment {
	return &moment{
		start: w.Start, end: w.End,
		judged: make([]bool, n), suspect: make([]bool, n), silent: make([]bool, n), value: make([]int, n),
	}
}

// count moves the accumulator of a verdict and returns where it stands.
func (m *moments) count(metric int, v *persistence.Verdict) int {
	key := [2]int{metric, v.Component}
	value := m.values[key]
	switch {
	case v.State == persistence.Unjudged:
	case v.Suspect:
		value++
		m.values[key] = value
	case value > 0:
		value--
		m.values[key] = value
	}
	return value
}

// Event says nothing of components.
func (*moments) Event(*incident.Event) {}

// List hands on the moments of the hour.
func (m *moments) List(*engine.List) {
	for _, end := range slices.Sorted(maps.Keys(m.open)) {
		m.take(m.open[end])
	}
	clear(m.open)
}
