package table

// Average holds the sums of a weighted mean. The zero value is a mean of no values.
type Average struct {
	Sum, Weight float64
}

// Add adds a value with a weight.
func (a *Average) Add(v, weight float64) {
	a.Sum += v * weight
	a.Weight += weight
}

// Merge adds all values of another average.
func (a *Average) Merge(b Average) {
	a.Sum += b.Sum
	a.Weight += b.Weight
}

// Value returns the mean; [Missing] if there are no values.
func (a Average) Value() float64 {
	if a.Weight == 0 {
		return Missing
	}
	return a.Sum / a.Weight
}
