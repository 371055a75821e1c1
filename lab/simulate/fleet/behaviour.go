package fleet

import (
	"math"
	"math/rand/v2"
)

// A Kind of drive.
type Kind string

// The kinds of drive.
const (
	Disk Kind = "disk"
	SSD  Kind = "ssd"
)

// A behaviour is what is known of one kind of drive: the parameters of the
// model. Shares are of 1.
type behaviour struct {
	Kind      Kind        `yaml:"-"`
	Tail      tail        `yaml:"tail"`
	Memory    persistence `yaml:"memory"`
	Chain     chain       `yaml:"chain"`
	Rare      float64     `yaml:"rare"` // of any drive's hours: slow by faults that come once
	Standing  []weak      `yaml:"standing"`
	Spread    spread      `yaml:"spread"`
	Plug      plugging    `yaml:"plug"`
	Warned    float64     `yaml:"warned"` // of slow runs: by an event
	Load      load        `yaml:"load"`
	Imbalance imbalance   `yaml:"imbalance"`
	Latency   latency     `yaml:"latency"`

	Widths [Widest + 1]float64 `yaml:"widths,flow"` // relative frequency by data drives
	Ages   []age               `yaml:"ages"`
	Models []model             `yaml:"models"`
}

// weak are drives with a standing fault: they are slow now and then, for good.
type weak struct {
	Drives float64 `yaml:"drives"` // share of all drives
	Hours  float64 `yaml:"hours"`  // share of their hours that are slow
}

// An age of drives, in years begun.
type age struct {
	Share     float64 `yaml:"share"`     // of the groups
	Slowdowns float64 `yaml:"slowdowns"` // against a young drive's
}

// latency is that of stable drives.
type latency struct {
	Lowest  float64 `yaml:"lowest_us"` // of groups, at their usual load
	Highest float64 `yaml:"highest_us"`
	Own     float64 `yaml:"own"`   // spread of drives of a group, for good
	Noise   float64 `yaml:"noise"` // and from hour to hour
	Load    float64 `yaml:"load"`  // its exponent: how latency follows load
}

// expectedSlow is the share of hours that drives of average age and model are
// slow.
func (b *behaviour) expectedSlow() float64 {
	share := b.Rare
	for _, w := range b.Standing {
		share += w.Drives * w.Hours
	}
	return share
}

// usualAge is the mean over the fleet of what age does to slowdowns.
func (b *behaviour) usualAge() float64 {
	var sum, weight float64
	for _, a := range b.Ages {
		sum += a.Share * a.Slowdowns
		weight += a.Share
	}
	return sum / weight
}

// choose draws an index by its weight.
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

// poisson draws how many of independent things happen where mean do on
// average; few do.
func poisson(rng *rand.Rand, mean float64) int {
	n, limit := 0, math.Exp(-mean)
	for p := rng.Float64(); p > limit; p *= rng.Float64() {
		n++
	}
	return n
}
