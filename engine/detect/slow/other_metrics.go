package slow

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/state"
)

// OtherMetrics holds, for each component, the metrics in which it is suspect. A metric is given by
// its index among the metrics of a row. The indexes are ascending. These metrics do not decide
// whether there is a finding. Reports show them with a finding, so that a reader sees in which
// other metrics the members of the finding are anomalous.
type OtherMetrics struct {
	suspectIn [][]int
}

// NewOtherMetrics returns empty lists of metrics, one for each component. The parameter is the
// number of components.
func NewOtherMetrics(components int) *OtherMetrics { return &OtherMetrics{make([][]int, components)} }

// Window updates the lists from the verdicts about a peer group in one metric. A component that
// could not be judged keeps its list.
func (m *OtherMetrics) Window(w *persistence.Window) {
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		list := &m.suspectIn[v.Component]
		at, known := slices.BinarySearch(*list, w.Metric)
		switch {
		case v.Suspect && !known:
			*list = slices.Insert(*list, at, w.Metric)
		case !v.Suspect && known && v.State != persistence.Unjudged:
			*list = slices.Delete(*list, at, at+1)
		}
	}
}

// MetricsOf returns the metrics in which at least one of the members is suspect, without
// duplicates. Members that took over the load of a lost path do not count.
func (m *OtherMetrics) MetricsOf(members []finding.Member) []int {
	var list []int
	for i := range members {
		if members[i].Role != finding.TookOver {
			list = append(list, m.suspectIn[members[i].Component]...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// State writes or reads the list of suspect metrics of every component.
func (m *OtherMetrics) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Components, m.suspectIn, state.Ints[int])
}
