package fleet

import (
	"math"
	"math/rand/v2"
)

// load has the parameters of the load of RAID groups, hour by hour.
type load struct {
	Lowest    float64 `yaml:"lowest_ios"` // lowest usual load of a group: I/Os per drive and hour
	Highest   float64 `yaml:"highest_ios"`
	Spread    float64 `yaml:"spread"`     // standard deviation of the logarithm of the load
	Step      float64 `yaml:"step"`       // standard deviation of its change in an hour
	Dependent float64 `yaml:"dependent"`  // share of I/Os that wait for other I/Os
	Idle      float64 `yaml:"idle"`       // share of hours without I/O
	IdleHours float64 `yaml:"idle_hours"` // mean length of an idle period
}

// A workload is the load of one group.
type workload struct {
	*load
	usual float64 // I/Os per drive and hour
	size  float64 // bytes per I/O
	level float64 // logarithm of load / usual load
	idle  bool
}

// Sizes of I/Os to drives (T16 §3.1). The mean of a group is at most a quarter of the largest I/O,
// so a drive can have twice the mean.
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

// evenly draws a number between low and high. Its logarithm is uniformly distributed.
func evenly(rng *rand.Rand, low, high float64) float64 {
	return low * math.Pow(high/low, rng.Float64())
}

// step moves the load to the next hour. The load returns to its mean at the speed that follows from
// Step and Spread.
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

// ios returns the mean I/O count of a drive in an hour. The slowest drive of the group has the
// slowdown slowest: I/Os that wait for the last drive of a stripe are delayed by this factor (T16
// Finding 13).
func (w *workload) ios(slowest float64) float64 {
	return w.usual * math.Exp(w.level) / (1 + w.Dependent*(slowest-1))
}

// imbalance has the shares of hours in which a drive gets at least twice the I/Os of its peers, or
// I/Os of twice the size.
type imbalance struct {
	Rate     float64 `yaml:"rate"`      // share of stable hours
	RateSlow float64 `yaml:"rate_slow"` // share of slow hours
	Size     float64 `yaml:"size"`
	SizeSlow float64 `yaml:"size_slow"`
}

// A period of imbalance lasts for a few hours. Its factor is 2.1 and more, so that noise does not
// hide it. The values are our assumption.
const (
	imbalanceHours  = 6
	imbalanceLeast  = 2.1
	imbalanceBeyond = 0.5
)

// An imbalancePeriod is a period of imbalance of one drive.
type imbalancePeriod struct {
	until  int
	factor float64
}

func (s *imbalancePeriod) begin(rng *rand.Rand, hour int) {
	s.until = hour + 1 + int(rng.ExpFloat64()*imbalanceHours)
	s.factor = imbalanced(rng)
}

func (s *imbalancePeriod) at(hour int) float64 {
	if hour < s.until {
		return s.factor
	}
	return 1
}

func imbalanced(rng *rand.Rand) float64 { return imbalanceLeast + imbalanceBeyond*rng.ExpFloat64() }

// maybeImbalanced returns the factor of an imbalance with the probability p, otherwise 1.
func maybeImbalanced(rng *rand.Rand, p float64) float64 {
	if rng.Float64() < p {
		return imbalanced(rng)
	}
	return 1
}

// unbalance draws whether a drive begins a period of imbalance.
func (g *group) unbalance(hour int) {
	if g.rng.Float64() < g.often(g.Imbalance.Rate) {
		g.places[g.rng.IntN(g.data)].rate.begin(g.rng, hour)
	}
	if g.rng.Float64() < g.often(g.Imbalance.Size) {
		g.places[g.rng.IntN(g.data)].size.begin(g.rng, hour)
	}
}

// often returns the probability that one of the group's drives begins a period of imbalance in an
// hour, so that each drive is imbalanced for the given share of the time.
func (g *group) often(share float64) float64 {
	return float64(g.data) * share / imbalanceHours
}
