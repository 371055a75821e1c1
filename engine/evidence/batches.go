package evidence

import "github.com/limpet-storage/limpet/internal/state"

// batches computes means of the effects (Value.Effect) in batches of batchSteps steps each. The noise
// of neighbouring steps is often correlated, but the noise of neighbouring batches is hardly
// correlated. So the error of the mean over all steps follows from the variance between the batches.
type batches struct {
	steps int     // number of steps in the present batch
	sum   float64 // sum of the present batch
	n     float64 // number of full batches
	mean  float64 // mean of the full batches
	dev   float64 // sum of the squared differences between the full batches and their mean
}

// batchSteps is the length of a batch in steps: five minutes if a step is 15 s.
const batchSteps = 20

// add adds the value of the next time step.
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

// variance estimates the variance of the mean of a batch. The parameter `ofStep` is the variance of
// the value of a single step. While few batches are known, the estimate is mostly a prior
// assumption: the standard deviation of the mean of a batch is half of the standard deviation of a
// step. This assumption has the weight of priorBatches batches.
func (b *batches) variance(ofStep float64) float64 {
	return (b.dev + priorBatches*ofStep/4) / (max(b.n-1, 0) + priorBatches)
}

const (
	// priorBatches is the weight of the prior assumption, in batches. The weight of n measured
	// batches is n−1, so they outweigh the assumption from n = 6 on.
	priorBatches = 4
	// intervalDeviations is half the width of the 95 % interval of a mean effect, in standard
	// deviations of this mean. It is more than 1.96, because the standard deviation of few batches
	// is not exact, and because the noise of neighbouring batches is still correlated a little.
	intervalDeviations = 2.4
)

func (b *batches) state(c *state.Codec) {
	state.Int(c, &b.steps)
	for _, f := range []*float64{&b.sum, &b.n, &b.mean, &b.dev} {
		c.Float(f)
	}
}
