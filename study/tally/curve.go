package tally

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/limpet-storage/limpet/study/finding"
	"github.com/limpet-storage/limpet/study/ratio"
)

// CDF is a distribution from a ratio on, a point for every bin that is not
// empty: the share of what is below the bin's lower end.
func CDF(h *ratio.Histogram, from float64) []finding.Point {
	total := float64(h.Total())
	var out finding.Curve
	below, last := int64(0), 0.0
	for bin, n := range h {
		if x := ratio.Lower(bin); n > 0 && x >= from {
			out.Add(x, float64(below)/total)
			last = ratio.Lower(bin + 1)
		}
		below += n
	}
	if len(out.Points) > 0 {
		out.Add(last, 1)
	}
	return out.Points
}

// UpTo is the share of counts up to each hour but the last, where the longer
// ones are.
func UpTo(name string, counts []int64) finding.Curve {
	c := finding.Curve{Name: name}
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

// Short is a threshold in a name.
func Short(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Times is a threshold in a text.
func Times(x float64) string { return Short(x) + "×" }

// Outermost is where the last bin of a distribution begins, in a text.
func Outermost() string { return Times(math.Floor(ratio.Lower(ratio.Bins - 1))) }

// One is 1 of what is so, to be added to a count.
func One(so bool) int64 {
	if so {
		return 1
	}
	return 0
}

// Keys are those of a map in order.
func Keys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
