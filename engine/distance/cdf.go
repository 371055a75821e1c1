package distance

import (
	"encoding/binary"
	"slices"

	"github.com/limpet-storage/limpet/engine/distance/internal/sad"
)

// cdf is the distance between cumulative histograms (L13 §4.2).
//
// A histogram counts the values of one member in a window. Each count is stored in one byte. A
// distance is a sum of differences of counts, so it is an exact integer. At the end, it is divided
// by the size of the window, and not by the number of values.
//
// A component with missing values has smaller counts, and a component without values has the count
// 0 everywhere. So an absent component is far from its peers (L13 §5.3.1).
type cdf struct {
	winSize, maxBins int
	pool             []float64
	isZero           []bool   // by member: whether its values are zero in all steps
	rows             []byte   // one row for every member: its cumulative histogram, padded to the same length (stride)
	areas            []uint32 // by member: area below its histogram
	kinds            kinds
	compared         []byte // rows to compare with: one for each kind (a kind is a set of equal rows), or one for each peer of the random sample
	distances        []uint32
	fromOne          []uint32   // distances of one member from all members of its domain (the members that are compared with each other)
	scores           []float64  // one score for each kind; the members of a kind have this score
	limit            int        // largest number of kinds for which the matrix of distances is kept; 0 means maxMatrix
	sample           peerSample // random sample of peers, for a domain with too many kinds
}

func (m *cdf) Largest() float64 { return float64(m.maxBins) }

func (m *cdf) Score(x *Sample, score []float64) Bins {
	m.pool, m.isZero = m.pool[:0], resize(m.isZero, len(x.Values))
	zeros := 0
	for i, values := range x.Values {
		if m.isZero[i] = x.isZero(i); m.isZero[i] {
			zeros += len(values)
		} else {
			m.pool = AppendPresent(m.pool, values)
		}
	}
	bins := freedmanDiaconis(m.pool, zeros, m.winSize, m.maxBins, x.Noise)
	stride := sad.Stride(bins.Count)
	m.fill(x, bins, stride)
	for _, domain := range x.Domains {
		m.scoreDomain(domain, stride, score)
	}
	return bins
}

// fill sets the rows of all members: their cumulative histograms. All members whose values are zero
// have equal rows, so fill computes this row only once.
func (m *cdf) fill(x *Sample, bins Bins, stride int) {
	m.rows, m.areas = resize(m.rows, stride*len(x.Values)), resize(m.areas, len(x.Values))
	resting := -1
	for i, values := range x.Values {
		row := m.rows[i*stride:][:stride]
		if m.isZero[i] && resting >= 0 {
			copy(row, m.rows[resting*stride:])
			m.areas[i] = m.areas[resting]
			continue
		}
		clear(row)
		m.areas[i] = cumulate(row[:bins.Count], values, bins)
		if m.isZero[i] {
			resting = i
		}
	}
}

// cumulate sets a row of zeros to the cumulative histogram of the given values. It returns the area
// below the histogram, which is the sum of all its counts.
func cumulate(row []byte, values []float64, bins Bins) (area uint32) {
	for _, v := range values {
		if v == v {
			bin := bins.binOf(v)
			row[bin]++
			area += uint32(len(row) - bin)
		}
	}
	prefixSums(row)
	return area
}

// eachByte has a 1 in every byte. If a word of eight bytes is multiplied by eachByte, each byte of
// the product is a prefix sum: the sum of the bytes of the word from the lowest byte up to this
// byte.
const eachByte = 0x0101_0101_0101_0101

// prefixSums adds to every byte all bytes before it. The caller makes sure that the sum is at most
// 255.
func prefixSums(row []byte) {
	sum := uint64(0)
	for ; len(row) >= 8; row = row[8:] {
		word := (binary.LittleEndian.Uint64(row) + sum) * eachByte
		binary.LittleEndian.PutUint64(row, word)
		sum = word >> 56
	}
	for i, n := range row {
		sum += uint64(n)
		row[i] = byte(sum)
	}
}

// scoreDomain sets the scores of the members of a domain: members that are compared only with each
// other. It compares kinds (sets of equal rows) instead of members. A kind with several members
// counts once for each of its members. So every score is the same as if all pairs of members had
// been compared.
func (m *cdf) scoreDomain(domain []int, stride int, score []float64) {
	m.kinds.sort(domain, m.rows, stride, m.areas, m.isZero)
	m.compared = m.compared[:0]
	for _, i := range m.kinds.first {
		m.compared = append(m.compared, m.rows[i*stride:][:stride]...)
	}
	n := len(m.kinds.first)
	if n > m.sample.size() {
		m.scoreSampled(domain, stride, score)
		return
	}
	matrix := n <= m.matrixLimit()
	if matrix {
		m.distances = resize(m.distances, n*n)
		sad.Pairs(m.distances, m.compared, stride)
	}
	m.scores = resize(m.scores, n)
	for kind := range n {
		m.scores[kind] = float64(m.score(kind, stride, matrix)) / float64(m.winSize)
	}
	for at, i := range domain {
		score[i] = m.scores[m.kinds.kindOf[at]]
	}
}

// score returns the score of the members of a kind: the largest distance d such that more than half
// of the other members are at least d away. The parameter `matrix` is true if m.distances has the
// distances between all kinds.
func (m *cdf) score(kind, stride int, matrix bool) uint32 {
	n, most := len(m.kinds.first), majorityRank(len(m.kinds.kindOf))
	if matrix && n <= fewKinds {
		return weightedNth(m.distances[kind*n:][:n], m.kinds.sizes, most)
	}
	return sad.Select(m.distancesFrom(kind, stride, matrix), most)
}

// fewKinds is a number of kinds (sets of equal rows). With at most fewKinds kinds, the distance to
// each kind is read once, and counts once for each member of the kind. With more kinds, it is
// faster to read the distance to every member.
const fewKinds = 32

// weightedNth returns the m-th largest distance. Each distance distances[i] counts many[i] times.
func weightedNth(distances []uint32, many []int, m int) (nth uint32) {
	for _, d := range distances {
		reach := 0
		for j, other := range distances {
			if other >= d {
				reach += many[j]
			}
		}
		if reach >= m {
			nth = max(nth, d)
		}
	}
	return nth
}

// maxMatrix is the largest number of kinds (sets of equal rows) for which the distances between all
// kinds are kept. This matrix takes at most 64 MB. With the matrix the work is halved, because the
// distance of each pair is computed only once.
const maxMatrix = 4096

func (m *cdf) matrixLimit() int {
	if m.limit > 0 {
		return m.limit
	}
	return maxMatrix
}

// distancesFrom returns the distances of a kind from all members of the domain. The list begins
// with one distance for each kind. Then some distances are repeated: a kind with several members
// has one more entry for each member after its first.
func (m *cdf) distancesFrom(kind, stride int, matrix bool) []uint32 {
	n := len(m.kinds.first)
	switch own := m.compared[kind*stride:][:stride]; {
	case matrix && n == len(m.kinds.kindOf):
		return m.distances[kind*n:][:n]
	case matrix:
		m.fromOne = append(m.fromOne[:0], m.distances[kind*n:][:n]...)
	default:
		m.fromOne = m.fromOne[:0]
		for j := range n {
			m.fromOne = append(m.fromOne, sad.Sum(own, m.compared[j*stride:][:stride]))
		}
	}
	m.fromOne = slices.Grow(m.fromOne, len(m.kinds.repeats))[:len(m.kinds.kindOf)]
	again := m.fromOne[n:]
	for i, kind := range m.kinds.repeats {
		again[i] = m.fromOne[kind]
	}
	return m.fromOne
}
