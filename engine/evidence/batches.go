package evidence

import "github.com/limpet-storage/limpet/internal/state"

// batches are means of some steps each. Noise that lasts from step to step
// hardly lasts from batch to batch, so that batches tell how well the mean of
// all is known.
type batches struct {
	steps int     // of the batch at hand
	sum   float64 // of the batch at hand
	n     float64 // batches that are full
	mean  float64 // of them
	dev   float64 // sum of squares of their deviations
}

// batchSteps are five minutes of steps of 15 s.
const batchSteps = 20

// add takes the next step.
func (b *batches) add(x float64) {
	b.sum += x
	if b.steps++; b.steps < batchSteps {
		return
	}
	x = b.sum / batchSteps
	b.n++
	off := x - b.mean
	b.mean += off / b.n
	b.dev += off * (x - b.mean)
	b.steps, b.sum = 0, 0
}

// variance of the mean of a batch. Before there are batches to tell, noise is taken
// to be such that a batch has half of the deviation of a step.
func (b *batches) variance(ofStep float64) float64 {
	return (b.dev + priorBatches*ofStep/4) / (max(b.n-1, 0) + priorBatches)
}

const (
	// priorBatches is how many batches the prior counts for: after an hour or so the
	// batches themselves tell.
	priorBatches = 4
	// intervalDeviations is more than the 1.96 of nineteen in twenty where the deviation is
	// known, since few batches tell it, and since noise of a minute lasts a little from batch
	// to batch.
	intervalDeviations = 2.4
)

// state writes or reads the batches.
func (b *batches) state(c *state.Codec) {
	state.Int(c, &b.steps)
	for _, f := range []*float64{&b.sum, &b.n, &b.mean, &b.dev} {
		c.Float(f)
	}
}
