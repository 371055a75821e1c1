package policy

import "math"

// Bins of latencies relative to a median, on a logarithmic scale because ratios matter: eight bins
// an octave, 9 % wide, from 1/4 to 64 medians. Slower answers count as 64 medians.
const (
	binsPerOctave = 8
	lowestOctave  = -2
	octaves       = 8
	numBins       = binsPerOctave * octaves
)

// binOf returns the bin of a relative latency.
func binOf(x float64) int {
	switch {
	case x <= edges[0]:
		return 0
	case x >= edges[numBins-1]:
		return numBins - 1
	}
	return int((math.Log2(x) - lowestOctave) * binsPerOctave)
}

// edges[b] is the lower bound of bin b, middles[b] the latency that stands for bin b.
var edges, middles = func() (edges [numBins + 1]float64, middles [numBins]float64) {
	for b := range edges {
		edges[b] = math.Exp2(float64(b)/binsPerOctave + lowestOctave)
	}
	for b := range middles {
		middles[b] = math.Sqrt(edges[b] * edges[b+1])
	}
	return edges, middles
}()

// memory is the number of answers after which the weight of an answer is halved. Slowdowns of one
// in 10,000 reads matter, and the recent answers of one member hold few of them. So the
// distribution of a member also uses the answers of all members.
const memory = 4096

// histogram is a recent distribution: newer answers have more weight.
type histogram struct {
	count  [numBins]float64
	total  float64
	weight float64 // weight of the next answer; if it becomes too large, all counts are divided by it
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

// size returns the number of recent answers, each with its weight.
func (h *histogram) size() float64 {
	if h.weight == 0 {
		return 0
	}
	return h.total / h.weight
}

// shares returns the share of each bin in all answers. The answers of all members are mixed in with
// the weight of pull answers.
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

// doubt adds a small share of latencies that were never observed. Of the latencies above x, half
// are above 2x. So if a member is later than all its earlier answers, an extra read still saves
// time.
func doubt(p *[numBins]float64, share float64) {
	from := binOf(doubtFrom)
	for b := from; b < numBins; b++ {
		p[b] += share * (edges[from]/edges[b] - edges[from]/edges[b+1])
	}
}

// doubtFrom is the slowdown from which T16 calls a drive slow.
const doubtFrom = 2
