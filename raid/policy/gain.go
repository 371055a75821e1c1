package policy

// savings[b] is the time that an extra read is expected to save, in medians, if a member has
// already taken edges[b] and has not answered.
type savings [numBins]float64

// saved computes the savings from the distributions of the latencies of the member and of an extra
// read.
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

// below[e][b] is the number of bins whose middles are less than middles[b] − edges[e].
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

// shortfall computes E[max(0, bound − L)] for a latency L.
type shortfall struct{ share, sum [numBins + 1]float64 } // sums over the bins before

func newShortfall(p *[numBins]float64) *shortfall {
	s := &shortfall{}
	for b := range p {
		s.share[b+1] = s.share[b] + p[b]
		s.sum[b+1] = s.sum[b] + p[b]*middles[b]
	}
	return s
}

// below returns the shortfall of a bound that is above the middles of exactly n bins.
func (s *shortfall) below(bound float64, n uint8) float64 {
	return bound*s.share[n] - s.sum[n]
}

// worth returns how many of the members that have not answered the request should do without: the
// number with the largest saving minus price of the reads; 0: no number is better than the reads
// made so far.
//   - gains: savings of the members that have not answered, the greatest first
//   - have: number of members that were asked and have not failed
//   - data: number of answers that the request needs
//   - most: largest number of members to do without
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

// gain returns the saving of a request that does without some members: it waits for the slowest of
// the others.
func gain(gains []float64, without int) float64 {
	switch {
	case len(gains) == 0:
		return 0
	case without < len(gains):
		return gains[0] - gains[without]
	}
	return gains[0]
}
