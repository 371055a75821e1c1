package heatmap

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/record/blklat"
)

// A Map holds the numbers of requests by latency, in columns of equal time.
type Map struct {
	From    int64 // begin of the first column, Unix time
	Seconds int64 // length of a column
	// Columns has the number of requests of each band, by column; nil: no requests.
	Columns [][]float64
}

// Of adds up the requests of some components in a time span. The map has at most max(columns, 2) +
// 1 columns. A column is at least as long as the longest slot of the time span. A slot that lies
// partly outside of the time span counts as a whole.
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

// Quantiles returns a quantile of the latency of each component in ms, rounded up to the end of a
// band; NaN: no requests. It counts all slots that overlap the time span. A nil Kept has no
// requests.
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

// lengthOf returns the length of the longest slot in a time span.
func (k *Kept) lengthOf(from, to int64) int64 {
	length := k.seconds
	for level, list := range k.levels {
		if slices.ContainsFunc(list, func(s slot) bool { return s.end > from && s.end-k.seconds<<level < to }) {
			length = k.seconds << level
		}
	}
	return length
}

// add adds the requests of a slot to the column of the slot.
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

// Requests returns the sum over all columns: the number of requests of each band, and of all bands.
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

// Longer returns, for each band, the share of requests that took at least the band's lower bound: 1
// - CDF. It returns nil without requests.
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

// Shares returns the share of each band in the requests of a column, by column; nil: the column has
// no requests.
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

// Extent returns the first band in which one of the maps has requests, and the band after the last
// such band. Both are 0 without requests.
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
