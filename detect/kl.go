package detect

import "math"

// kl is the symmetric Kullback–Leibler divergence between histograms of the
// samples present (F10 §10.1).
type kl struct {
	winSize   int
	pool      []float64
	p, logp   []float64 // by member and bin
	distances []float64
}

// pseudo is added to every bin's count, so that an empty bin stays finite.
const pseudo = 0.5

// Largest is the divergence of two components that fill one bin each.
func (m *kl) Largest() float64 {
	bins := float64(sturges(nil, m.winSize).Count)
	full, empty := float64(m.winSize)+pseudo, pseudo
	return (full - empty) / (full + (bins-1)*empty) * math.Log(full/empty)
}

func (m *kl) Score(x *Sample, score []float64) Bins {
	m.pool = m.pool[:0]
	for _, values := range x.Values {
		m.pool = present(m.pool, values)
	}
	bins := sturges(m.pool, m.winSize)
	m.p = grow(m.p, bins.Count*len(x.Values))
	m.logp = grow(m.logp, bins.Count*len(x.Values))
	for i, values := range x.Values {
		m.density(i, values, bins)
	}
	for _, domain := range x.Domains {
		m.distances = scoreDomain(m.distances, domain, score, func(i, j int) float64 { return m.divergence(i, j, bins.Count) })
	}
	return bins
}

// density sets the distribution of member i.
func (m *kl) density(i int, values []float64, bins Bins) {
	p, logp := m.p[i*bins.Count:][:bins.Count], m.logp[i*bins.Count:][:bins.Count]
	total := pseudo * float64(bins.Count)
	for b := range p {
		p[b] = pseudo
	}
	for _, v := range values {
		if v == v {
			p[bins.of(v)]++
			total++
		}
	}
	for b := range p {
		p[b] /= total
		logp[b] = math.Log(p[b])
	}
}

// divergence is ½(D(P‖Q)+D(Q‖P)) = ½Σ(p−q)(ln p − ln q).
func (m *kl) divergence(i, j, bins int) float64 {
	p, q := m.p[i*bins:][:bins], m.p[j*bins:][:bins]
	logp, logq := m.logp[i*bins:][:bins], m.logp[j*bins:][:bins]
	sum := 0.0
	for b := range p {
		sum += (p[b] - q[b]) * (logp[b] - logq[b])
	}
	return sum / 2
}

// scoreDomain sets the scores of a domain's members from a distance between
// pairs. It returns its scratch space for the next call.
func scoreDomain(scratch []float64, domain []int, score []float64, distance func(i, j int) float64) []float64 {
	for _, i := range domain {
		scratch = scratch[:0]
		for _, j := range domain {
			if j != i {
				scratch = append(scratch, distance(min(i, j), max(i, j)))
			}
		}
		score[i] = nth(scratch, len(scratch)-majority(len(domain)))
	}
	return scratch
}
