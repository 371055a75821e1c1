package fleet

import (
	"math"
	"math/rand/v2"
)

// A Kind is a kind of drive.
type Kind string

// The kinds of drive.
const (
	Disk Kind = "disk"
	SSD  Kind = "ssd"
)

// A behaviour has the parameters of the model for one kind of drive. Shares are between 0 and 1.
type behaviour struct {
	Kind      Kind        `yaml:"-"`
	Tail      tail        `yaml:"tail"`
	Memory    persistence `yaml:"memory"`
	Chain     chain       `yaml:"chain"`
	Rare      float64     `yaml:"rare"` // share of the hours of any drive that are slow by faults that occur once
	Standing  []weak      `yaml:"standing"`
	Spread    spread      `yaml:"spread"`
	Plug      plugging    `yaml:"plug"`
	Warned    float64     `yaml:"warned"` // share of slow runs with an event
	Load      load        `yaml:"load"`
	Imbalance imbalance   `yaml:"imbalance"`
	Latency   latency     `yaml:"latency"`

	Widths [Widest + 1]float64 `yaml:"widths,flow"` // relative frequency of groups, by number of data drives
	Ages   []age               `yaml:"ages"`
	Models []model             `yaml:"models"`
}

// weak are drives with a permanent fault: they are slow again and again, to the end.
type weak struct {
	Drives float64 `yaml:"drives"` // share of all drives
	Hours  float64 `yaml:"hours"`  // share of their hours that are slow
}

// An age is the drives in one year of their life.
type age struct {
	Share     float64 `yaml:"share"`     // share of the groups
	Slowdowns float64 `yaml:"slowdowns"` // frequency of slowdowns, relative to a young drive
}

// latency has the latencies of stable drives.
type latency struct {
	Lowest  float64 `yaml:"lowest_us"` // lowest latency of a group at its usual load
	Highest float64 `yaml:"highest_us"`
	Own     float64 `yaml:"own"`   // permanent spread between the drives of a group
	Noise   float64 `yaml:"noise"` // spread from hour to hour
	Load    float64 `yaml:"load"`  // exponent of the load: latency ~ load^Load
}

// expectedSlow returns the share of hours in which drives of average age and model are slow.
func (b *behaviour) expectedSlow() float64 {
	share := b.Rare
	for _, w := range b.Standing {
		share += w.Drives * w.Hours
	}
	return share
}

// usualAge returns the mean over the fleet of the factor by which age changes slowdowns.
func (b *behaviour) usualAge() float64 {
	var sum, weight float64
	for _, a := range b.Ages {
		sum += a.Share * a.Slowdowns
		weight += a.Share
	}
	return sum / weight
}

// choose draws an index, with a probability in proportion to its weight.
func choose(rng *rand.Rand, n int, weight func(int) float64) int {
	sum := 0.0
	for i := range n {
		sum += weight(i)
	}
	at := rng.Float64() * sum
	for i := range n {
		if at -= weight(i); at < 0 {
			return i
		}
	}
	return n - 1
}

// poisson draws the number of independent events with the given mean, which must be small.
func poisson(rng *rand.Rand, mean float64) int {
	n, limit := 0, math.Exp(-mean)
	for p := rng.Float64(); p > limit; p *= rng.Float64() {
		n++
	}
	return n
}
