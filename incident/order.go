package incident

import (
	"cmp"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/finding"
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
		return float64(in.Windows)
	case BySeverity:
		return in.severity()
	}
	return in.severity() * math.Log1p(float64(in.Windows))
}

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

// due is when a pending incident is confirmed if it goes on as it does: its
// nat-hours grow with every window by how slow its members are.
func (t *Tracker) due(in *entry, shiftSeconds int64) int64 {
	perWindow := 0.0
	for i := range in.Members {
		if m := &in.Members[i]; m.Odd && m.Role != finding.TookOver && m.Ratio > 1 {
			perWindow += finding.NatHours(1, shiftSeconds, math.Log(cmp.Or(m.Mean, m.Ratio)))
		}
	}
	windows := (float64(t.opts.PersistentSeconds) - float64(int64(in.Windows)*shiftSeconds)) / float64(shiftSeconds)
	if left := t.opts.ConfirmNatHours - in.NatHours; perWindow > 0 {
		windows = min(windows, left/perWindow)
	}
	return in.Last + int64(math.Ceil(max(windows, 1)))*shiftSeconds
}
