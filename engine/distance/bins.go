package distance

import (
	"math"
)

// Bins are the bins of the histograms of one window: bin i covers [Min+i·Width,
// Min+(i+1)·Width), and the last bin also contains its upper end.
type Bins struct {
	Min   float64
	Width float64
	Count int
}

// binOf returns the bin of v. Values outside the range belong to the first or the last bin.
func (b Bins) binOf(v float64) int {
	at := (v - b.Min) / b.Width
	switch {
	case b.Width == 0 || !(at > 0):
		return 0
	case at < float64(b.Count):
		return int(at)
	}
	return b.Count - 1
}

// freedmanDiaconis returns bins for the values of all components together. These values are x and,
// in addition, the given number of zeros. The width of a bin follows from the interquartile range
// of all values, which a few outliers do not change. No bin is narrower than `noise`, because
// smaller differences of the metric do not matter. There are at most maxBins bins. The function
// reorders x (L13 §4.2).
func freedmanDiaconis(x []float64, zeros, winSize, maxBins int, noise float64) Bins {
	if len(x) == 0 {
		return Bins{Count: 1}
	}
	least, most := bounds(x)
	if zeros > 0 && least < 0 {
		return freedmanDiaconis(append(x, make([]float64, zeros)...), 0, winSize, maxBins, noise)
	}
	if zeros > 0 {
		least = 0
	}
	if least == most {
		return Bins{Min: least, Count: 1}
	}
	span := most - least
	width := 2 * interquartile(x, zeros) / math.Cbrt(float64(winSize))
	width = max(width, noise)
	if !(span+width <= math.MaxFloat64) {
		return Bins{Min: least, Count: 1} // the range of the values is not finite, so there is only one bin
	}
	if width == 0 || math.Ceil(span/width) > float64(maxBins) {
		return Bins{Min: least, Width: span / float64(maxBins), Count: maxBins}
	}
	return Bins{Min: least, Width: width, Count: int(math.Ceil(span / width))}
}

// sturges returns bins of equal width that cover the values x. The number of bins depends only on
// the size of the window (F10 §10.1).
func sturges(x []float64, winSize int) Bins {
	count := int(math.Ceil(math.Log2(float64(winSize)) + 1))
	if len(x) == 0 {
		return Bins{Count: count}
	}
	least, most := bounds(x)
	return Bins{Min: least, Width: (most - least) / float64(count), Count: count}
}
