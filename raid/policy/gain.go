package policy

// savings[b] is what an extra read is expected to save who waits for a member
// that has taken as long as where bin b begins, in medians.
type savings [numBins]float64

// saved computes them from the distributions of the member's latency and of an
// extra read's.
func saved(member, extra *[numBins]float64) (s savings) {
	short := newShortfall(extra)
	for e := range s {
		sum, alive := 0.0, 0.0
		for b := e; b < numBins; b++ {
			alive += member[b]
			sum += member[b] * short.below(middles[b]-edges[e], below[e][b])
		}
		if alive > 0 {
			s[e] = sum / alive
		}
	}
	return s
}

// below[e][b] is how many bins have their middles below what is left of bin b
// where bin e begins.
var below = func() (n [numBins][numBins]uint8) {
	for e := range n {
		for b := e; b < numBins; b++ {
			for n[e][b] < numBins && middles[n[e][b]] < middles[b]-edges[e] {
				n[e][b]++
			}
		}
	}
	return n
}()

// shortfall answers by how much a latency is expected to fall short of a
// bound, counting 0 where it does not.
type shortfall struct{ share, sum [numBins + 1]float64 } // of the bins before

func newShortfall(p *[numBins]float64) *shortfall {
	s := &shortfall{}
	for b := range p {
		s.share[b+1] = s.share[b] + p[b]
		s.sum[b+1] = s.sum[b] + p[b]*middles[b]
	}
	return s
}

// below is the answer for a bound above the middles of n bins.
func (s *shortfall) below(bound float64, n uint8) float64 {
	return bound*s.share[n] - s.sum[n]
}

// worth is how many of those that are out to do without: as many as bring the
// greatest surplus, which is what is saved less the price of the reads; 0 where
// none is better than what was asked already. gains are those of the members
// that are out, the greatest first; have are those that were asked and have not
// failed, of which data are needed; most can be done without.
func worth(gains []float64, price float64, have, data, most int) (without int) {
	already := max(0, have-data)
	best := gain(gains, already)
	for j := already + 1; j <= min(most, len(gains)); j++ {
		if v := gain(gains, j) - price*float64(data+j-have); v > best {
			best, without = v, j
		}
	}
	return without
}

// gain is what is saved by doing without some: the reader waits for the next.
func gain(gains []float64, without int) float64 {
	switch {
	case len(gains) == 0:
		return 0
	case without < len(gains):
		return gains[0] - gains[without]
	}
	return gains[0]
}
