package report

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// slowWindows is how many windows in a row a component has to be slow in for a map to
// show it: those that the filter of suspects looks at (L13 §4.2.3).
const slowWindows = 5

// ratio is how many times what its peers have a component has, missing where they have
// nothing.
func ratio(v *persistence.Verdict) float64 {
	if !(v.Peers > 0) {
		return table.Missing
	}
	return v.Median / v.Peers
}

// Slowest is how many times slower than its peers each component was at the worst, for
// most of some windows in a row; missing where it was never judged.
func (k *kept) Slowest() []float64 {
	list := slices.Repeat([]float64{table.Missing}, len(k.system.Components))
	lead := metric.Index(k.schema.Metrics, k.lead)
	for key, b := range k.boards {
		if key.metric != lead {
			continue
		}
		for i, c := range b.members {
			list[c] = lasting(b.ratios.Series(i))
		}
	}
	return list
}

// lasting is the largest median of so many values in a row, more than half of them there.
func lasting(values []float64) float64 {
	worst := table.Missing
	for end := 1; end <= len(values); end++ {
		some := slices.DeleteFunc(slices.Clone(values[max(0, end-slowWindows):end]), table.IsMissing)
		if len(some) <= min(slowWindows, len(values))/2 {
			continue
		}
		if m := quantile.Median(some); table.IsMissing(worst) || m > worst {
			worst = m
		}
	}
	return worst
}
