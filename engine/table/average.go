package table

// Average is a mean in the making. The zero value has nothing in it yet.
type Average struct {
	Sum, Weight float64
}

// Add takes a value that counts weight times.
func (a *Average) Add(v, weight float64) {
	a.Sum += v * weight
	a.Weight += weight
}

// Merge takes all that another average has taken.
func (a *Average) Merge(b Average) {
	a.Sum += b.Sum
	a.Weight += b.Weight
}

// Value is the mean, [Missing] where nothing was taken.
func (a Average) Value() float64 {
	if a.Weight == 0 {
		return Missing
	}
	return a.Sum / a.Weight
}
