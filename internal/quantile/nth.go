package quantile

// Nth moves the k-th smallest value of x, counted from 0, to x[k], with none
// larger before it and none smaller after it. The pivot is the middle of
// three, so that the result and its cost depend on the values alone.
func Nth(x []float64, k int) float64 {
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

// partition splits x[lo:hi+1]: up to j nothing is larger than the pivot,
// from i on nothing smaller, and between them all equal it.
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
