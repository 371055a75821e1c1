package policy

import "math"

// Latencies relative to a median are binned by their logarithm, since it is
// ratios that matter: eight bins an octave, 9 % wide, from a quarter of the
// median to 64 times it, which what is slower counts as.
const (
	binsPerOctave = 8
	lowestOctave  = -2
	octaves       = 8
	numBins       = binsPerOctave * octaves
)

// binOf is the bin of a relative latency.
func binOf(x float64) int {
	switch {
	case x <= edges[0]:
		return 0
	case x >= edges[numBins-1]:
		return numBins - 1
	}
	return int((math.Log2(x) - lowestOctave) * binsPerOctave)
}

// edges[b] is where bin b begins, middles[b] stands for what is in it.
var edges, middles = func() (edges [numBins + 1]float64, middles [numBins]float64) {
	for b := range edges {
		edges[b] = math.Exp2(float64(b)/binsPerOctave + lowestOctave)
	}
	for b := range middles {
		middles[b] = math.Sqrt(edges[b] * edges[b+1])
	}
	return edges, middles
}()

// memory is after how many answers one counts half. Four nines of slowdowns
// are of interest and a member's own memory cannot hold many of those: the
// memory of all members does, and stands in.
const memory = 4096

// histogram is a recent distribution: what is new counts more.
type histogram struct {
	count  [numBins]float64
	total  float64
	weight float64 // of the next; all are divided by it when it is too great
}

var growth = math.Exp2(1.0 / memory)

func (h *histogram) add(x float64) {
	if h.weight == 0 {
		h.weight = 1
	}
	h.count[binOf(x)] += h.weight
	h.total += h.weight
	if h.weight *= growth; h.weight > 1e12 {
		h.scale(1 / h.weight)
		h.weight = 1
	}
}

func (h *histogram) scale(by float64) {
	for b := range h.count {
		h.count[b] *= by
	}
	h.total *= by
}

// size is how many recent answers the histogram holds.
func (h *histogram) size() float64 {
	if h.weight == 0 {
		return 0
	}
	return h.total / h.weight
}

// shares are the parts of all that are in each bin, those of a member drawn
// towards those of all members, as if the member had given pull such answers.
func (h *histogram) shares(all *histogram, pull float64) (p [numBins]float64) {
	own, n := h.size(), h.size()+pull
	for b := range p {
		if own > 0 {
			p[b] = h.count[b] / h.total * own / n
		}
		if all.total > 0 {
			p[b] += all.count[b] / all.total * pull / n
		}
	}
	return p
}

// doubt adds a share that no answer has told of, since what has not happened
// may: of those that take longer than x, half take longer than twice that.
// So whatever is later than anything before it is worth a read.
func doubt(p *[numBins]float64, share float64) {
	from := binOf(doubtFrom)
	for b := from; b < numBins; b++ {
		p[b] += share * (edges[from]/edges[b] - edges[from]/edges[b+1])
	}
}

// doubtFrom is what T16 calls slow.
const doubtFrom = 2
