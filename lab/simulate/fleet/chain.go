package fleet

import "math/rand/v2"

// A state of a chain. T16 Figure 3 has stable and slow; slow is two states
// here, as the time spent there is not geometric (T16 Finding 4), and so is
// stable, as slowdowns crowd together (Finding 5).
type state uint8

const (
	stable  state = iota
	brief         // slow, soon over
	lasting       // slow, for hours
	lull          // stable between the slow runs of a bout
)

func (s state) slow() bool { return s == brief || s == lasting }

// A chain has the chances of going from state to state at an hour's end; that
// of leaving the stable state is the fault's own.
type chain struct {
	Lasting     float64 `yaml:"lasting"`      // a run is of the lasting kind
	StayBrief   float64 `yaml:"stay_brief"`   // another hour
	StayLasting float64 `yaml:"stay_lasting"` // another hour
	Again       float64 `yaml:"again"`        // a run is followed by another one of its bout
	Lull        float64 `yaml:"lull_hours"`   // mean time between the two
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

// rest draws what follows a run.
func (c *chain) rest(rng *rand.Rand) state {
	if rng.Float64() < c.Again {
		return lull
	}
	return stable
}

// meanRun is the mean number of hours in a run.
func (c *chain) meanRun() float64 {
	return c.Lasting/(1-c.StayLasting) + (1-c.Lasting)/(1-c.StayBrief)
}

// meanBout is the mean number of slow hours in a bout.
func (c *chain) meanBout() float64 { return c.meanRun() / (1 - c.Again) }

// onset is the chance of leaving the stable state with which the chain is slow
// for the given share of the hours.
func (c *chain) onset(share float64) float64 {
	lulls := c.Lull * c.Again / (1 - c.Again)
	return 1 / (c.meanBout()/share - c.meanBout() - lulls)
}
