package quantile

// Nth sorts the values if there are at most `few`. Sorting so few values is faster than selecting one
// of them (BenchmarkMedian).
const few = 24

// sortFew sorts a few values by insertion.
func sortFew(x []float64) {
	for i := 1; i < len(x); i++ {
		v, j := x[i], i
		for ; j > 0 && x[j-1] > v; j-- {
			x[j] = x[j-1]
		}
		x[j] = v
	}
}

// Nth moves the k-th smallest value of x, counted from 0, to x[k], and returns it. Then x[i] ≤ x[k]
// if i < k, and x[i] ≥ x[k] if i > k. The pivot is the median of three values and not random, so
// that the order and the time depend only on the values.
func Nth(x []float64, k int) float64 {
	if len(x) <= few {
		sortFew(x)
		return x[k]
	}
	lo, hi := 0, len(x)-1
	for lo < hi {
		i, j := partition(x, lo, hi)
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return x[k]
		}
	}
	return x[k]
}

// partition splits x[lo:hi+1] and returns i > j. Then x[n] ≤ pivot if n ≤ j, x[n] ≥ pivot if n ≥ i,
// and x[n] = pivot if j < n < i.
func partition(x []float64, lo, hi int) (i, j int) {
	a, b, c := x[lo], x[lo+(hi-lo)/2], x[hi]
	pivot := max(min(a, b), min(max(a, b), c))
	i, j = lo, hi
	for i <= j {
		for x[i] < pivot {
			i++
		}
		for x[j] > pivot {
			j--
		}
		if i <= j {
			x[i], x[j] = x[j], x[i]
			i++
			j--
		}
	}
	return i, j
}
