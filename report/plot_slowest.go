package report

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// slowWindows is the number of windows in a row for which a component has to be slow before a map
// shows it: the windows that the filter of suspects looks at (L13 §4.2.3).
const slowWindows = 5

// ratio returns the value of a component divided by the value of its peers; missing if the peers
// have none.
func ratio(v *persistence.Verdict) float64 {
	if !(v.Peers > 0) {
		return table.Missing
	}
	return v.Median / v.Peers
}

// Slowest returns, for each component, the largest ratio to its peers that lasted for most of
// slowWindows windows in a row; missing if the component was never judged.
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

// lasting returns the largest median of slowWindows values in a row, of which more than half are
// present.
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
