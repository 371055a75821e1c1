package report

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/report/heatmap"
	"github.com/limpet-storage/limpet/report/page"
)

// The bounds of latency heat maps.
const (
	heatColumns = 240
	// leastShare is the smallest share of a column's requests that differs from zero in the map, so
	// that a tail of one request in ten thousand is visible.
	leastShare = 1e-4
	// aroundSeconds is the time before and after an incident that the map shows.
	aroundSeconds = 3600
)

// Requests draws two heat maps of request times, of the worst member and of its peers, and the two
// distributions. It draws nothing if no request times were recorded.
func (k *kept) Requests(in *incident.Incident) ([]page.Block, error) {
	groups := byGroup(k.system, in)
	if len(groups) == 0 {
		return nil, nil
	}
	suspect := groups[0][0]
	peers := slices.Clone(k.system.Groups[k.system.Components[suspect].Group-1].Members)
	peers = slices.DeleteFunc(peers, func(c int) bool { return slices.Contains(groups[0], c) })
	begin, last := k.Span()
	from, to := max(begin, in.Onset.At-aroundSeconds), min(last, in.Last+aroundSeconds)
	own, others := k.heat.Of([]int{suspect}, from, to, heatColumns), k.heat.Of(peers, from, to, heatColumns)
	first, behind := heatmap.Extent(&own, &others)
	if first == behind || own.Longer() == nil {
		return nil, nil
	}
	name := k.system.Components[suspect].Name
	blocks := []page.Block{
		heatOf(&own, "How long each request of "+name+" took in the device", first, behind),
		heatOf(&others, fmt.Sprintf("How long each request of its %d peers took in the device", len(peers)), first, behind),
	}
	for _, tail := range []bool{false, true} {
		crowd, err := k.distributions(suspect, peers, max(from, min(in.Onset.At, to-1)), to, tail)
		if err != nil {
			return nil, err
		}
		if crowd != nil {
			blocks = append(blocks, crowd)
		}
	}
	return blocks, nil
}

// heatOf returns the plot of a map. The row of the longest times is at the top.
func heatOf(m *heatmap.Map, title string, first, behind int) page.Heat {
	h := page.Heat{
		Title: title, X: page.Axis{Scale: page.Time}, Gap: "no requests",
		Value: page.Axis{Label: "share of the requests of this time step", Unit: "%", Scale: page.Log, Min: 100 * leastShare, Max: 100},
	}
	for i := range m.Columns {
		h.At = append(h.At, float64(m.From+int64(i)*m.Seconds))
	}
	shares := m.Shares()
	for band := behind - 1; band >= first; band-- {
		row := make([]float64, len(shares))
		for i, column := range shares {
			if row[i] = table.Missing; column != nil {
				row[i] = 100 * column[band]
			}
		}
		h.Rows, h.Values = append(h.Rows, millis(heatmap.LowerMs(band))), append(h.Values, row)
	}
	return h
}

// millis formats a time in ms with two digits.
func millis(ms float64) string { return strconv.FormatFloat(ms, 'g', 2, 64) + " ms" }

// distributions draws the CDF of a suspect over the CDFs of its peers. With tail, it draws 1 - CDF
// on a logarithmic axis. It returns nil if the suspect or its peers have no requests, or if all
// requests lie in one band.
func (k *kept) distributions(suspect int, peers []int, from, to int64, tail bool) (*page.Crowd, error) {
	own := k.heat.Of([]int{suspect}, from, to, 2)
	all := k.heat.Of(peers, from, to, 2)
	first, behind := heatmap.Extent(&own, &all)
	if behind-first < 2 || own.Longer() == nil || all.Longer() == nil {
		return nil, nil
	}
	first = max(first, 1) // the first band has no place on a logarithmic axis
	chart := page.Chart{
		Title: "Share of requests that took at most the time on the axis, since the start of the problem",
		X:     page.Axis{Label: "time in the device", Unit: "ms", Scale: page.Log},
		Y:     page.Axis{Label: "share of all requests", Unit: "%", Min: 0, Max: 100},
	}
	if tail {
		chart.Title = "Share of requests that took longer than the time on the axis, since the start of the problem"
		chart.Y = page.Axis{Label: "share of all requests", Unit: "%", Scale: page.Log, Min: 100 * leastShare, Max: 100}
	}
	for band := first; band <= min(behind, heatmap.Bands-1); band++ {
		chart.At = append(chart.At, heatmap.LowerMs(band))
	}
	chart.Series = []page.Series{{Name: k.system.Components[suspect].Name, Role: page.Suspect, Values: cdf(&own, first, len(chart.At), tail)}}
	crowd, err := page.NewCrowd(chart)
	if err != nil {
		return nil, err
	}
	for _, c := range peers {
		one := k.heat.Of([]int{c}, from, to, 2)
		if one.Longer() == nil {
			continue
		}
		if err := crowd.Add(cdf(&one, first, len(chart.At), tail)); err != nil {
			return nil, err
		}
	}
	return crowd, nil
}

// cdf returns, for each of n bands, the percentage of requests that took less than the lower bound
// of the band; with tail, the percentage of the other requests.
func cdf(m *heatmap.Map, first, n int, tail bool) []float64 {
	values := m.Longer()[first:][:n]
	for i, share := range values {
		if values[i] = 100 * share; !tail {
			values[i] = 100 * (1 - share)
		}
	}
	return values
}
