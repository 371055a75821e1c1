package survey

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/limpet-storage/limpet/study"
)

// cdf is a distribution from a ratio on, a point for every bin that is not
// empty: the share of what is below the bin's lower end.
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

// upTo is the share of counts up to each hour but the last, where the longer
// ones are.
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

// short is a threshold in a name.
func short(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// times is a threshold in a text.
func times(x float64) string { return short(x) + "×" }

// outermost is where the last bin of a distribution begins, in a text.
func outermost() string { return times(math.Floor(study.BinLower(study.Bins - 1))) }

// onePoint is 1 of what is so, to be added to a count.
func onePoint(so bool) int64 {
	if so {
		return 1
	}
	return 0
}

// keys are those of a map in order.
func keys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
