// This file remembers in which other metrics than latency components are
// suspect.
//
// It accuses nobody: these metrics stand beside a finding, so that a reader sees
// what else is odd about its members.

package slow

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/state"
)

// OtherMetrics are those of every component, by their places in a row, ascending.
type OtherMetrics struct {
	of [][]int
}

// NewOtherMetrics remembers nothing yet of some components.
func NewOtherMetrics(components int) *OtherMetrics { return &OtherMetrics{make([][]int, components)} }

// Window takes what detection says of a peer group and metric. Who could not be judged
// stays as it was.
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

// Of lists those in which any of some members is suspect, each once. Who took over
// does not count.
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

// State writes or reads what is remembered.
func (m *OtherMetrics) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Components, m.of, state.Ints[int])
}
