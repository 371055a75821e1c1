package api

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/heatmap"
	"github.com/limpet-storage/limpet/topology"
)

// LatenciesQuery asks how long the requests of a component and of its peers took.
type LatenciesQuery struct {
	Component string
	From, To  int64 // Unix times
	Points    int   // columns at most
}

// Latencies are how long requests took in the device. Bands of time lie between
// neighbouring bounds; the last has no upper one. All lists are empty where nobody
// heard requests.
type Latencies struct {
	Component   string        `json:"component"`
	Group       int           `json:"group"`
	Members     int           `json:"members"` // of the peer group
	Unit        string        `json:"unit"`
	From        document.Time `json:"from"`
	StepSeconds int64         `json:"step_seconds"` // of a column
	Bounds      Numbers       `json:"bounds"`       // the shortest time of each band
	Own         []Numbers     `json:"own"`          // by column: the share of its requests in each band; empty without any
	Others      []Numbers     `json:"others"`       // the same of all peers together
	Requests    int64         `json:"requests"`     // of the component
	OfOthers    int64         `json:"of_others"`    // requests of its peers
	Longer      Numbers       `json:"longer"`       // share of all of its requests that took as long as each bound, or longer
	Peers       []Band        `json:"peers"`        // the same of peers, by quantile, ascending
}

// NewLatencies puts an answer together of what is kept.
func NewLatencies(kept *heatmap.Kept, system *topology.System, component int, q LatenciesQuery) *Latencies {
	of := &system.Components[component]
	members := system.Groups[of.Group-1].Members
	out := &Latencies{Component: of.Name, Group: of.Group, Members: len(members), Unit: "ms", From: document.Time(q.From), StepSeconds: 1}
	if kept == nil {
		return out
	}
	peers := slices.DeleteFunc(slices.Clone(members), func(c int) bool { return c == component })
	own, others := kept.Of([]int{component}, q.From, q.To, q.Points), kept.Of(peers, q.From, q.To, q.Points)
	first, behind := heatmap.Extent(&own, &others)
	out.From, out.StepSeconds = document.Time(own.From), own.Seconds
	if first == behind {
		return out
	}
	for band := first; band < behind; band++ {
		out.Bounds = append(out.Bounds, document.Number(heatmap.LowerMs(band)))
	}
	out.Own, out.Requests = columns(&own, first, behind)
	out.Others, out.OfOthers = columns(&others, first, behind)
	out.Longer = numbers(own.Longer(), first, behind)
	out.Peers = spreadOf(kept, peers, q, first, behind)
	return out
}

// NewPercentiles puts a map of a percentile of all components together, of what is kept of the last
// minutes before a time.
func NewPercentiles(kept *heatmap.Kept, system *topology.System, what string, at int64) *Map {
	const minutes = 2
	out := &Map{Metric: "latency", What: what, Unit: "ms", At: document.Time(at), Bound: document.Number(math.NaN())}
	values := kept.Quantiles(len(system.Components), Percentiles[what], at-minutes*60, at)
	for i := range system.Components {
		out.Components, out.Values = append(out.Components, system.Components[i].Name), append(out.Values, document.Number(values[i]))
	}
	return out
}

func columns(m *heatmap.Map, first, behind int) (list []Numbers, requests int64) {
	for _, shares := range m.Shares() {
		list = append(list, numbers(shares, first, behind))
	}
	_, all := m.Requests()
	return list, int64(all)
}

func numbers(values []float64, first, behind int) Numbers {
	list := Numbers{}
	for band := first; values != nil && band < behind; band++ {
		list = append(list, document.Number(values[band]))
	}
	return list
}

// spreadOf is the least, the median and the most of the peers at each bound.
func spreadOf(kept *heatmap.Kept, peers []int, q LatenciesQuery, first, behind int) []Band {
	byBound := make([][]float64, behind-first)
	for _, c := range peers {
		m := kept.Of([]int{c}, q.From, q.To, q.Points)
		for band, share := range m.Longer() {
			if band >= first && band < behind {
				byBound[band-first] = append(byBound[band-first], share)
			}
		}
	}
	bands := []Band{{Quantile: 0}, {Quantile: 0.5}, {Quantile: 1}}
	for _, shares := range byBound {
		if len(shares) == 0 {
			return nil
		}
		slices.Sort(shares)
		for i := range bands {
			at := int(bands[i].Quantile * float64(len(shares)-1))
			bands[i].Values = append(bands[i].Values, document.Number(shares[at]))
		}
	}
	return bands
}
