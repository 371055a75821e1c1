package slow

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/state"
)

// OtherMetrics holds the metrics in which each component is anomalous, by their index in
// a row, ascending. These metrics decide nothing. They are shown beside a finding, so
// that a reader sees in which other metrics its members are odd.
type OtherMetrics struct {
	of [][]int
}

// NewOtherMetrics returns empty lists for a number of components.
func NewOtherMetrics(components int) *OtherMetrics { return &OtherMetrics{make([][]int, components)} }

// Window updates the lists from the comparisons of a peer group by one metric. A
// component whose comparison is inconclusive keeps its list.
func (m *OtherMetrics) Window(w *persistence.Window) {
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		list := &m.of[v.Component]
		at, known := slices.BinarySearch(*list, w.Metric)
		switch {
		case v.Suspect && !known:
			*list = slices.Insert(*list, at, w.Metric)
		case !v.Suspect && known && v.State != persistence.Unjudged:
			*list = slices.Delete(*list, at, at+1)
		}
	}
}

// Of returns the metrics in which any of the members is anomalous, each once. Members
// that took over do not count.
func (m *OtherMetrics) Of(members []finding.Member) []int {
	var list []int
	for i := range members {
		if members[i].Role != finding.TookOver {
			list = append(list, m.of[members[i].Component]...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// State writes or reads the lists.
func (m *OtherMetrics) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Components, m.of, state.Ints[int])
}
