package survey

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/limpet-storage/limpet/study"
)

// cdf returns the cumulative distribution of a histogram, with a point for every bin that is not
// empty and not below from: X is the lower end of the bin, Y the share of values below X.
func cdf(h *study.Histogram, from float64) []study.Point {
	total := float64(h.Total())
	var out study.Curve
	below, last := int64(0), 0.0
	for bin, n := range h {
		if x := study.BinLower(bin); n > 0 && x >= from {
			out.Add(x, float64(below)/total)
			last = study.BinLower(bin + 1)
		}
		below += n
	}
	if len(out.Points) > 0 {
		out.Add(last, 1)
	}
	return out.Points
}

// upTo returns the cumulative share of counts by hours. It has no point for the last count, which
// includes all longer times.
func upTo(name string, counts []int64) study.Curve {
	c := study.Curve{Name: name}
	var all, sum int64
	for _, n := range counts {
		all += n
	}
	for h := 1; h < len(counts)-1 && all > 0; h++ {
		sum += counts[h]
		c.Add(float64(h), float64(sum)/float64(all))
	}
	return c
}

// short writes a threshold for a name.
func short(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// times writes a threshold for a text.
func times(x float64) string { return short(x) + "×" }

// outermost writes the lower end of the last bin of a distribution for a text.
func outermost() string { return times(math.Floor(study.BinLower(study.Bins - 1))) }

// oneIf returns 1 if so is true, else 0, to be added to a count.
func oneIf(so bool) int64 {
	if so {
		return 1
	}
	return 0
}

// keys returns the sorted keys of a map.
func keys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
