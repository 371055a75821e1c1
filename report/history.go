package report

import (
	"slices"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// history keeps values of many components over time for plots. Its memory is
// bounded: when it is full, neighbouring rows are averaged and it goes on at
// half the resolution.
type history struct {
	limit int       // rows
	span  int64     // seconds that a row covers
	ends  []int64   // of the rows
	cells []float32 // row by row
	width int       // components
}

// trackRows is enough for any screen.
const trackRows = 8192

// historyCells bounds a history to 64 MB.
const historyCells = 16 << 20

// newHistory keeps no more than so many rows, or fewer of many components.
func newHistory(width int, stepSeconds int64, rows int) *history {
	return &history{limit: max(256, min(rows, historyCells/max(1, width))), span: stepSeconds, width: width}
}

// push adds a row. After a silence it first adds a missing one, so that a line
// is not drawn across.
func (h *history) push(end int64, value func(i int) float64) {
	if n := len(h.ends); n > 0 && end-h.ends[n-1] > 2*h.span {
		h.add(h.ends[n-1]+h.span, func(int) float64 { return table.Missing })
	}
	h.add(end, value)
	if len(h.ends) >= h.limit {
		h.halve()
	}
}

func (h *history) add(end int64, value func(i int) float64) {
	h.ends = append(h.ends, end)
	for i := range h.width {
		h.cells = append(h.cells, float32(value(i)))
	}
}

// halve averages pairs of rows.
func (h *history) halve() {
	pairs := len(h.ends) / 2
	for p := range pairs {
		a, b, out := h.row(2*p), h.row(2*p+1), h.row(p)
		for i := range out {
			out[i] = meanPresent(a[i], b[i])
		}
		h.ends[p] = h.ends[2*p+1]
	}
	h.ends, h.cells, h.span = h.ends[:pairs], h.cells[:pairs*h.width], 2*h.span
}

func meanPresent(a, b float32) float32 {
	switch {
	case a != a:
		return b
	case b != b:
		return a
	}
	return (a + b) / 2
}

func (h *history) row(i int) []float32 { return h.cells[i*h.width:][:h.width] }

// at is the time axis.
func (h *history) at() []float64 {
	at := make([]float64, len(h.ends))
	for i, end := range h.ends {
		at[i] = float64(end)
	}
	return at
}

// series are the values of one component.
func (h *history) series(i int) []float64 {
	values := make([]float64, len(h.ends))
	for r := range values {
		values[r] = float64(h.row(r)[i])
	}
	return values
}

// track keeps one metric of the components that it is measured on.
type track struct {
	*history
	metric  int   // of the schema
	members []int // components, by place in a row
	place   []int // by component, -1 where the metric is not measured
}

func newTrack(s *Subject, m int) *track {
	t := &track{metric: m, place: make([]int, len(s.System.Components))}
	for c := range s.System.Components {
		t.place[c] = -1
		if subject(s.System.Components[c].Kind) == s.Schema.Metrics[m].Subject {
			t.place[c] = len(t.members)
			t.members = append(t.members, c)
		}
	}
	t.history = newHistory(len(t.members), s.Schema.StepSeconds, trackRows)
	return t
}

// subject is what a kind of component is to a metric.
func subject(k topology.Kind) metric.Subject {
	switch k {
	case topology.Interface:
		return metric.OfInterface
	case topology.Host:
		return metric.OfHost
	}
	return metric.OfDevice
}

func (t *track) pushRow(row *table.Row) {
	values := row.Values[t.metric]
	t.push(row.End, func(i int) float64 { return values[t.members[i]] })
}

// of are the values of one component, missing where it has none.
func (t *track) of(component int) []float64 {
	if i := t.place[component]; i >= 0 {
		return t.series(i)
	}
	return slices.Repeat([]float64{table.Missing}, len(t.ends))
}

// most is the value that one in a thousand exceeds, so that a single spike
// does not flatten the plot.
func most(series ...[]float64) float64 {
	var all []float64
	for _, s := range series {
		for _, v := range s {
			if !table.IsMissing(v) {
				all = append(all, v)
			}
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)*999/1000]
}
