package policy

import "math"

const (
	// priceFloor is the least that an extra read must save, in medians. It
	// keeps a parity member busy for about one, which nobody else may want; a
	// twentieth of that is what a reader hardly sees.
	priceFloor = 0.05

	// priceTop is the most: no read saves more than is measured.
	priceTop = 64

	// burst is how many extra reads may be saved up: enough for some dozens of
	// slow requests in a row, little beside the reads of a minute.
	burst = 256
)

// hedgeBudget makes a budget of extra reads last. The emptier it is, the more a read
// must save: so small savings are left when they are many, and something is
// left for great ones.
type hedgeBudget struct {
	budget float64 // extra reads for each read needed
	tokens float64 // extra reads that may be made
	price  float64 // what one must save, in medians
}

func newHedgeBudget(budget float64) hedgeBudget {
	p := hedgeBudget{budget: budget, tokens: burst}
	p.set()
	return p
}

func (p *hedgeBudget) allows(reads int) bool { return float64(reads) <= p.tokens }

func (p *hedgeBudget) pay(reads int) {
	if reads == 0 {
		return
	}
	p.tokens -= float64(reads)
	p.set()
}

// earn is told how many reads were needed.
func (p *hedgeBudget) earn(needed int) {
	p.tokens = min(p.tokens+p.budget*float64(needed), burst)
	p.set()
}

// set goes from the floor to the top in equal ratios.
func (p *hedgeBudget) set() {
	full := max(p.tokens, 0) / burst
	p.price = priceTop * math.Pow(priceFloor/priceTop, full)
}
