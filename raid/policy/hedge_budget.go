package policy

import "math"

const (
	// priceFloor is the price of an extra read with a full budget, in median latencies.
	// An extra read keeps a parity member busy for about one median; a twentieth of
	// that is hardly noticed by a reader.
	priceFloor = 0.05

	// priceTop is the price with an empty budget: latencies are measured up to it, so
	// that no read is expected to save more.
	priceTop = 64

	// burst is the number of extra reads in a full budget: enough for some dozens of
	// slow requests in a row, few compared with the reads of a minute.
	burst = 256
)

// hedgeBudget is the budget of extra reads of the policy hedge, a token bucket with a
// price. The fewer tokens are left, the more time an extra read has to save. So a
// large number of small savings does not use up the tokens that a great saving needs.
type hedgeBudget struct {
	perNeeded float64 // tokens that a needed read adds (Options.Budget)
	tokens    float64 // extra reads that are left, up to burst
	price     float64 // time that an extra read has to save, in median latencies
}

// newHedgeBudget returns a full budget.
func newHedgeBudget(perNeeded float64) hedgeBudget {
	p := hedgeBudget{perNeeded: perNeeded, tokens: burst}
	p.setPrice()
	return p
}

// allows reports whether this number of extra reads is left.
func (p *hedgeBudget) allows(reads int) bool { return float64(reads) <= p.tokens }

// pay takes extra reads from the budget.
func (p *hedgeBudget) pay(reads int) {
	if reads == 0 {
		return
	}
	p.tokens -= float64(reads)
	p.setPrice()
}

// earn adds the tokens of reads that were needed.
func (p *hedgeBudget) earn(needed int) {
	p.tokens = min(p.tokens+p.perNeeded*float64(needed), burst)
	p.setPrice()
}

// setPrice sets the price: priceFloor with a full budget, priceTop with an empty budget, and
// geometric in between.
func (p *hedgeBudget) setPrice() {
	full := max(p.tokens, 0) / burst
	p.price = priceTop * math.Pow(priceFloor/priceTop, full)
}
