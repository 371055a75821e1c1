package evidence

import "github.com/limpet-storage/limpet/internal/state"

// batches computes means of batchSteps steps each. Noise that lasts from step to step
// hardly lasts from batch to batch. The variance of the batch means therefore gives the
// error of the mean over all steps.
type batches struct {
	steps int     // steps of the present batch
	sum   float64 // sum of the present batch
	n     float64 // number of full batches
	mean  float64 // mean of the full batches
	dev   float64 // sum of the squared deviations of the full batches from the mean
}

// batchSteps is the length of a batch: five minutes of steps of 15 s.
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

// variance returns the variance of the mean of a batch. The prior, which counts as
// priorBatches batches, is that a batch has half of the standard deviation of a step.
func (b *batches) variance(ofStep float64) float64 {
	return (b.dev + priorBatches*ofStep/4) / (max(b.n-1, 0) + priorBatches)
}

const (
	// priorBatches is the weight of the prior. After about an hour the measured batches
	// outweigh it.
	priorBatches = 4
	// intervalDeviations is the half-width of the 95 % interval, in standard deviations.
	// It is more than 1.96, because few batches give only a rough standard deviation, and
	// because noise of a minute lasts a little from batch to batch.
	intervalDeviations = 2.4
)

// state writes or reads the batches.
func (b *batches) state(c *state.Codec) {
	state.Int(c, &b.steps)
	for _, f := range []*float64{&b.sum, &b.n, &b.mean, &b.dev} {
		c.Float(f)
	}
}
