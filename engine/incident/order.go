package incident

import (
	"cmp"
	"math"
	"slices"
)

// Order is how incidents are listed.
type Order string

// The orders of incidents. Combined grows with how many times slower a
// component is, and with the logarithm of how long: what stands still for two
// minutes comes before what lasts, and of two that are about as slow the one
// that lasts comes first.
const (
	ByPersistence Order = "persistence"
	BySeverity    Order = "severity"
	Combined      Order = "combined"
)

// Orders lists the orders.
func Orders() []Order { return []Order{Combined, ByPersistence, BySeverity} }

// Sort puts incidents in order: what lasts before what is over, and what is
// harmless last.
func (o Order) Sort(list []Incident) {
	slices.SortStableFunc(list, func(a, b Incident) int {
		return cmp.Or(
			cmp.Compare(a.rank(), b.rank()), cmp.Compare(o.weight(&b), o.weight(&a)),
			cmp.Compare(a.Confirmed, b.Confirmed), cmp.Compare(a.ID, b.ID),
		)
	})
}

// weight is what an incident is ordered by.
func (o Order) weight(in *Incident) float64 {
	switch o {
	case ByPersistence:
		return in.persistence()
	case BySeverity:
		return in.severity()
	}
	return in.severity() * math.Log1p(in.persistence())
}

// persistence is for how long an incident has been odd, in windows of components:
// those of servers are shorter.
func (in *Incident) persistence() float64 {
	return float64(in.Windows) * float64(in.WindowSeconds) / componentWindowSeconds
}

const componentWindowSeconds = 450

// severity is that of now, or the worst there was where it is over.
func (in *Incident) severity() float64 {
	if in.Phase == Active {
		return in.Severity
	}
	return in.Worst
}

func (in *Incident) rank() int {
	switch {
	case in.Muted:
		return 5
	case in.Phase == Cleared && in.Harmless():
		return 4
	case in.Harmless():
		return 3
	case in.Phase == Cleared:
		return 2
	case in.Phase == Recovering:
		return 1
	}
	return 0
}
