package incident

import (
	"cmp"
	"math"
	"slices"
)

// Order is the criterion by which a list of incidents is sorted.
type Order string

// The orders of incidents. ByPersistence sorts by how long an incident lasted. BySeverity sorts by
// how severe it was. Combined sorts by severity times the logarithm of persistence: a stall of two
// minutes comes before mild slowness that lasts for days. If two incidents are about equally
// severe, the more persistent incident comes first.
const (
	ByPersistence Order = "persistence"
	BySeverity    Order = "severity"
	Combined      Order = "combined"
)

// Orders returns all orders.
func Orders() []Order { return []Order{Combined, ByPersistence, BySeverity} }

// Sort sorts incidents: active incidents first, then recovering, cleared, harmless and
// muted incidents. Within each of these groups it sorts by the order o.
func (o Order) Sort(list []Incident) {
	slices.SortStableFunc(list, func(a, b Incident) int {
		return cmp.Or(
			cmp.Compare(a.rank(), b.rank()), cmp.Compare(o.weight(&b), o.weight(&a)),
			cmp.Compare(a.Confirmed, b.Confirmed), cmp.Compare(a.ID, b.ID),
		)
	})
}

// weight returns the number by which the order o sorts incidents, the largest first.
func (o Order) weight(in *Incident) float64 {
	switch o {
	case ByPersistence:
		return in.persistence()
	case BySeverity:
		return in.severity()
	}
	return in.severity() * math.Log1p(in.persistence())
}

// persistence returns for how long the most persistent member of an incident has been anomalous, in
// units of componentWindowSeconds. So a window of a server, which is shorter than a window of
// components, adds less.
func (in *Incident) persistence() float64 {
	return float64(in.Windows) * float64(in.WindowSeconds) / componentWindowSeconds
}

// componentWindowSeconds is the time between two windows in which components are judged:
// 30 steps of 15 s.
const componentWindowSeconds = 450

// severity returns the number by which the order BySeverity sorts incidents. If the severity of an
// incident is a ratio of times (HasTimeRatio), the number is its effect. Lists show this effect, so
// they are sorted by a number that the reader sees. For other incidents, the number is the present
// severity of an active incident, and the worst severity of an incident that is no longer active.
func (in *Incident) severity() float64 {
	if e := in.Effect(); e.Times > 0 {
		return e.Times
	}
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
