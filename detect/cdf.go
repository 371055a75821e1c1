package detect

import "github.com/limpet-storage/limpet/detect/internal/sad"

// cdf is the distance between cumulative histograms (L13 §4.2).
//
// The histograms count samples and are divided by the size of the window, not
// by the number present: a component with missing samples ends below 1, one
// without any is 0 everywhere, and so absence shows as distance (L13 §5.3.1).
// Counts of a window fit a byte, so a distance is an exact integer until it
// is divided.
type cdf struct {
	winSize, maxBins int
	pool             []float64
	rows             []byte // a cumulative histogram for every member, padded
	domain           []byte // the rows of one domain
	distances        []uint32
	limit            int // of a group whose distances are kept at once; 0: maxMatrix
}

func (m *cdf) Largest() float64 { return float64(m.maxBins) }

func (m *cdf) Score(x *Sample, score []float64) Bins {
	m.pool = m.pool[:0]
	for _, values := range x.Values {
		m.pool = present(m.pool, values)
	}
	bins := freedmanDiaconis(m.pool, m.winSize, m.maxBins, x.Noise)
	stride := sad.Stride(bins.Count)
	m.rows = grow(m.rows, stride*len(x.Values))
	for i, values := range x.Values {
		cumulate(m.rows[i*stride:][:bins.Count], values, bins)
	}
	for _, domain := range x.Domains {
		m.scoreDomain(domain, stride, score)
	}
	return bins
}

// cumulate fills row with the cumulative histogram of values.
func cumulate(row []byte, values []float64, bins Bins) {
	for _, v := range values {
		if v == v {
			row[bins.of(v)]++
		}
	}
	sum := byte(0)
	for i, n := range row {
		sum += n
		row[i] = sum
	}
}

func (m *cdf) scoreDomain(domain []int, stride int, score []float64) {
	n := len(domain)
	rows := m.rows
	if n*stride != len(rows) {
		m.domain = m.domain[:0]
		for _, i := range domain {
			m.domain = append(m.domain, m.rows[i*stride:][:stride]...)
		}
		rows = m.domain
	}
	if n > m.matrixLimit() {
		m.scoreByRow(domain, rows, stride, score)
		return
	}
	m.distances = grow(m.distances, n*n)
	sad.Pairs(m.distances, rows, stride)
	for at, i := range domain {
		d := sad.Select(m.distances[at*n:][:n], majority(n))
		score[i] = float64(d) / float64(m.winSize)
	}
}

// maxMatrix is the largest group whose distances are kept all at once, which
// takes 64 MB and half the work.
const maxMatrix = 4096

func (m *cdf) matrixLimit() int {
	if m.limit > 0 {
		return m.limit
	}
	return maxMatrix
}

// scoreByRow keeps the distances of one component at a time.
func (m *cdf) scoreByRow(domain []int, rows []byte, stride int, score []float64) {
	n := len(domain)
	m.distances = grow(m.distances, n)
	for at, i := range domain {
		own := rows[at*stride:][:stride]
		for j := range n {
			m.distances[j] = sad.Sum(own, rows[j*stride:][:stride])
		}
		score[i] = float64(sad.Select(m.distances, majority(n))) / float64(m.winSize)
	}
}

// grow returns a cleared slice of n elements, reusing s where it can.
func grow[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	s = s[:n]
	clear(s)
	return s
}
