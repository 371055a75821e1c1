package fleet

import (
	"math"
	"math/rand/v2"
)

// load is what a RAID group gets to do, hour by hour.
type load struct {
	Lowest    float64 `yaml:"lowest_ios"` // a drive and hour, of groups
	Highest   float64 `yaml:"highest_ios"`
	Spread    float64 `yaml:"spread"`     // standard deviation of its logarithm
	Step      float64 `yaml:"step"`       // of its change in an hour
	Dependent float64 `yaml:"dependent"`  // share of I/Os that wait for others
	Idle      float64 `yaml:"idle"`       // share of hours without any
	IdleHours float64 `yaml:"idle_hours"` // at a stretch
}

// A workload is the load of one group.
type workload struct {
	*load
	usual float64 // I/Os a drive and hour
	size  float64 // bytes an I/O
	level float64 // logarithm of the load over the usual one
	idle  bool
}

// Sizes of I/Os that drives see (T16 §3.1). Group means stay where twice as
// much is possible too.
const (
	smallestMean, largestMean = 8 << 10, 64 << 10
	largestIO                 = 256 << 10
)

func newWorkload(rng *rand.Rand, l *load) workload {
	return workload{
		load:  l,
		usual: evenly(rng, l.Lowest, l.Highest),
		size:  evenly(rng, smallestMean, largestMean),
		level: l.Spread * rng.NormFloat64(),
		idle:  rng.Float64() < l.Idle,
	}
}

// evenly draws from low to high, evenly by ratio.
func evenly(rng *rand.Rand, low, high float64) float64 {
	return low * math.Pow(high/low, rng.Float64())
}

// step takes the load to the next hour. It forgets as fast as its hourly steps
// and its spread ask for.
func (w *workload) step(rng *rand.Rand) {
	leave := 1 / w.IdleHours
	if w.idle {
		w.idle = rng.Float64() >= leave
	} else {
		w.idle = rng.Float64() < leave*w.Idle/(1-w.Idle)
	}
	forget := w.Step * w.Step / (2 * w.Spread * w.Spread)
	w.level += -forget*w.level + w.Step*math.Sqrt(1-forget/2)*rng.NormFloat64()
}

// ios is the mean I/O count of a drive in an hour whose slowest drive is
// slowest times slower: work that waits for the last drive of a stripe comes
// as much later (T16 Finding 13).
func (w *workload) ios(slowest float64) float64 {
	return w.usual * math.Exp(w.level) / (1 + w.Dependent*(slowest-1))
}

// imbalance is how often a drive gets at least twice the I/Os of its peers, or
// twice as large ones.
type imbalance struct {
	Rate     float64 `yaml:"rate"`      // of stable hours
	RateSlow float64 `yaml:"rate_slow"` // of slow hours
	Size     float64 `yaml:"size"`
	SizeSlow float64 `yaml:"size_slow"`
}

// Imbalance lasts for a few hours, at 2.1 times and more so that noise does
// not hide it (ours).
const (
	imbalanceHours  = 6
	imbalanceLeast  = 2.1
	imbalanceBeyond = 0.5
)

// A spell of imbalance of one drive.
type spell struct {
	until  int
	factor float64
}

func (s *spell) begin(rng *rand.Rand, hour int) {
	s.until = hour + 1 + int(rng.ExpFloat64()*imbalanceHours)
	s.factor = imbalanced(rng)
}

func (s *spell) at(hour int) float64 {
	if hour < s.until {
		return s.factor
	}
	return 1
}

func imbalanced(rng *rand.Rand) float64 { return imbalanceLeast + imbalanceBeyond*rng.ExpFloat64() }

// sometimes is imbalanced with the chance p, and 1 otherwise.
func sometimes(rng *rand.Rand, p float64) float64 {
	if rng.Float64() < p {
		return imbalanced(rng)
	}
	return 1
}

// unbalance draws whether one of the drives gets more than its peers for a
// while.
func (g *group) unbalance(hour int) {
	if g.rng.Float64() < g.often(g.Imbalance.Rate) {
		g.places[g.rng.IntN(g.data)].rate.begin(g.rng, hour)
	}
	if g.rng.Float64() < g.often(g.Imbalance.Size) {
		g.places[g.rng.IntN(g.data)].size.begin(g.rng, hour)
	}
}

// often is the chance that one of the group's drives begins a spell in an
// hour, for each to be in one for the given share of the time.
func (g *group) often(share float64) float64 {
	return float64(g.data) * share / imbalanceHours
}
