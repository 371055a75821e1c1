package fleet

import "math/rand/v2"

// A state is a state of a chain. T16 Figure 3 has two states, stable and slow. Here slow has two
// states, because the time spent there is not geometric (T16 Finding 4). Stable also has two
// states, because slowdowns come in clusters, which are called bouts here (Finding 5).
type state uint8

const (
	stable  state = iota
	brief         // slow, for a short time
	lasting       // slow, for hours
	lull          // stable, between two slow runs of a bout
)

func (s state) slow() bool { return s == brief || s == lasting }

// A chain has the probabilities of the changes of state at the end of an hour. The probability of
// leaving the stable state belongs to the fault.
type chain struct {
	Lasting     float64 `yaml:"lasting"`      // probability that a slow run is a lasting one
	StayBrief   float64 `yaml:"stay_brief"`   // probability that a brief run continues for another hour
	StayLasting float64 `yaml:"stay_lasting"` // probability that a lasting run continues for another hour
	Again       float64 `yaml:"again"`        // probability that another run of the same bout follows
	Lull        float64 `yaml:"lull_hours"`   // mean time between these two runs
}

// next draws the state of the next hour.
func (c *chain) next(rng *rand.Rand, now state, onset float64) state {
	u := rng.Float64()
	switch {
	case now == brief && u < c.StayBrief, now == lasting && u < c.StayLasting:
		return now
	case now.slow():
		return c.rest(rng)
	case now == lull && u >= 1/c.Lull, now == stable && u >= onset:
		return now
	}
	return c.run(rng)
}

// run draws the kind of a new run.
func (c *chain) run(rng *rand.Rand) state {
	if rng.Float64() < c.Lasting {
		return lasting
	}
	return brief
}

// rest draws the state after a run.
func (c *chain) rest(rng *rand.Rand) state {
	if rng.Float64() < c.Again {
		return lull
	}
	return stable
}

// meanRun returns the mean number of hours in a run.
func (c *chain) meanRun() float64 {
	return c.Lasting/(1-c.StayLasting) + (1-c.Lasting)/(1-c.StayBrief)
}

// meanBout returns the mean number of slow hours in a bout.
func (c *chain) meanBout() float64 { return c.meanRun() / (1 - c.Again) }

// onset returns the probability of leaving the stable state with which the chain is slow for the
// given share of the hours.
func (c *chain) onset(share float64) float64 {
	lulls := c.Lull * c.Again / (1 - c.Again)
	return 1 / (c.meanBout()/share - c.meanBout() - lulls)
}
