package api

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/heatmap"
	"github.com/limpet-storage/limpet/topology"
)

// LatenciesQuery is a request for the latencies of a component and of its peers.
type LatenciesQuery struct {
	Component string
	From, To  int64 // Unix times
	Points    int   // largest number of columns
}

// Latencies holds how long requests took in the device. A band is the range of latencies between
// two neighbouring bounds; the last band has no upper bound. All lists are empty if no requests
// were recorded.
type Latencies struct {
	Component   string        `json:"component"`
	Group       int           `json:"group"`
	Members     int           `json:"members"` // number of members of the peer group
	Unit        string        `json:"unit"`
	From        document.Time `json:"from"`
	StepSeconds int64         `json:"step_seconds"` // length of a column
	Bounds      Numbers       `json:"bounds"`       // shortest latency of each band
	// Own holds, for each column, the share of the component's requests in each band. It is empty
	// for a column without requests.
	Own      []Numbers `json:"own"`
	Others   []Numbers `json:"others"`    // the same for all peers together
	Requests int64     `json:"requests"`  // number of requests of the component
	OfOthers int64     `json:"of_others"` // number of requests of its peers
	Longer   Numbers   `json:"longer"`    // for each bound, the share of the component's requests that took at least that long
	Peers    []Band    `json:"peers"`     // the same shares over the peers: minimum, median and maximum
}

// NewLatencies returns the answer to a query, from the recorded latencies. If kept is nil, none
// were recorded.
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

// NewPercentiles returns a map of one percentile of each component, from the requests of the last
// two minutes before at.
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

// spreadOf returns, for each bound, the minimum, the median and the maximum over the peers.
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
