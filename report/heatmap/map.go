package heatmap

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/record/blklat"
)

// A Map is how long requests took, column by column of equal length.
type Map struct {
	From    int64 // when the first column begins
	Seconds int64 // of a column
	// Columns have the requests of each band; nil where there were none.
	Columns [][]float64
}

// Of adds up the requests of some components from one time to another, in no more
// than so many columns. Columns are as long as the coarsest slot of that time; what
// lies in a slot at an end is part of it as a whole.
func (k *Kept) Of(components []int, from, to int64, columns int) Map {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if to <= from {
		return Map{From: from, Seconds: k.seconds}
	}
	length := k.lengthOf(from, to)
	for (to-from)/length >= int64(max(columns, 2)) {
		length *= 2
	}
	m := Map{From: from / length * length, Seconds: length}
	m.Columns = make([][]float64, (endOf(to, length)-m.From)/length)
	for level := range k.levels {
		for i := range k.levels[level] {
			if s := &k.levels[level][i]; s.end > from && s.end-k.seconds<<level < to {
				m.add(s, components)
			}
		}
	}
	return m
}

// Quantiles returns, for each of so many components, a time in ms that a share of its requests does not
// exceed: the upper bound of a band. The requests are those of the slots between two times, and a
// component without requests has NaN. A Kept that is nil has no requests.
func (k *Kept) Quantiles(components int, share float64, from, to int64) []float64 {
	values := make([]float64, components)
	for c := range values {
		values[c] = math.NaN()
	}
	if k == nil {
		return values
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	sums := make([]blklat.Histogram, components)
	for level := range k.levels {
		for i := range k.levels[level] {
			s := &k.levels[level][i]
			if s.end <= from || s.end-k.seconds<<level >= to {
				continue
			}
			for c := range min(components, len(s.requests)) {
				sums[c].Add(s.requests[c])
			}
		}
	}
	for c, h := range sums {
		rank, below := share*float64(h.Requests()), 0.0
		for _, band := range h {
			if below += float64(band.Requests); below >= rank {
				values[c] = LowerMs(int(band.Bucket) + 1)
				break
			}
		}
	}
	return values
}

// lengthOf is the length of the coarsest slot between two times.
func (k *Kept) lengthOf(from, to int64) int64 {
	length := k.seconds
	for level, list := range k.levels {
		if slices.ContainsFunc(list, func(s slot) bool { return s.end > from && s.end-k.seconds<<level < to }) {
			length = k.seconds << level
		}
	}
	return length
}

// add adds the requests of a slot to the column that it lies in.
func (m *Map) add(s *slot, components []int) {
	at := (s.end - 1 - m.From) / m.Seconds
	if at < 0 || at >= int64(len(m.Columns)) {
		return
	}
	for _, c := range components {
		if c >= len(s.requests) || len(s.requests[c]) == 0 {
			continue
		}
		if m.Columns[at] == nil {
			m.Columns[at] = make([]float64, Bands)
		}
		addTo(m.Columns[at], s.requests[c])
	}
}

func addTo(bands []float64, h blklat.Histogram) {
	for _, c := range h {
		bands[c.Bucket] += float64(c.Requests)
	}
}

// Requests are those of all columns, by band, and how many there are.
func (m *Map) Requests() (bands []float64, all float64) {
	bands = make([]float64, Bands)
	for _, column := range m.Columns {
		for b, n := range column {
			bands[b] += n
			all += n
		}
	}
	return bands, all
}

// Longer is the share of requests that take at least as long as each band's
// shortest time: one minus their CDF. It is nil without requests.
func (m *Map) Longer() []float64 {
	bands, all := m.Requests()
	if all == 0 {
		return nil
	}
	left := 0.0
	for b := len(bands) - 1; b >= 0; b-- {
		left += bands[b]
		bands[b] = left / all
	}
	return bands
}

// Shares are what part of a column's requests each band has, by column; nil where
// there were none.
func (m *Map) Shares() [][]float64 {
	out := make([][]float64, len(m.Columns))
	for i, column := range m.Columns {
		if column == nil {
			continue
		}
		all := 0.0
		for _, n := range column {
			all += n
		}
		out[i] = make([]float64, Bands)
		for b, n := range column {
			out[i][b] = n / all
		}
	}
	return out
}

// Extent is from the first band that some maps have requests in to behind the last;
// both are 0 where there are none.
func Extent(maps ...*Map) (first, behind int) {
	first = Bands
	for _, m := range maps {
		bands, _ := m.Requests()
		for b, n := range bands {
			if n > 0 {
				first, behind = min(first, b), max(behind, b+1)
			}
		}
	}
	return min(first, behind), behind
}
