package window

import "github.com/limpet-storage/limpet/engine/blame"

// sums holds sums over the rows of one window, or of one shift (the time from the start of one
// window to the start of the next).
type sums struct {
	Steps       int       // number of rows
	Samples     []int32   // by component: number of rows with a value
	Loaded      []int32   // by component: number of rows with requests
	Requests    []float64 // by component: number of requests
	Aside       []int32   // by LUN: number of rows in which the other paths had at least Facts.asideShare of the first path's requests
	sectors     []float64 // by component: sectors read and written
	heard       []int32   // by server: number of rows with its data
	lunRequests []float64 // by LUN: number of requests over all paths
	lunLatency  []float64 // by LUN: total latency of these requests, in the unit of the lead metric
}

func newSums(m *blame.Map) sums {
	n, luns := len(m.System.Components), len(m.Paths)
	return sums{
		Samples: make([]int32, n), Loaded: make([]int32, n), Requests: make([]float64, n), sectors: make([]float64, n),
		heard: make([]int32, len(m.System.Servers)), Aside: make([]int32, luns), lunRequests: make([]float64, luns), lunLatency: make([]float64, luns),
	}
}

func (s *sums) clear() {
	s.Steps = 0
	clear(s.Samples)
	clear(s.Loaded)
	clear(s.Requests)
	clear(s.sectors)
	clear(s.heard)
	clear(s.Aside)
	clear(s.lunRequests)
	clear(s.lunLatency)
}

// add adds the sums o to s.
func (s *sums) add(o *sums) {
	s.Steps += o.Steps
	addEach(s.Samples, o.Samples)
	addEach(s.Loaded, o.Loaded)
	addEach(s.Requests, o.Requests)
	addEach(s.sectors, o.sectors)
	addEach(s.heard, o.heard)
	addEach(s.Aside, o.Aside)
	addEach(s.lunRequests, o.lunRequests)
	addEach(s.lunLatency, o.lunLatency)
}

func addEach[N int32 | float64](to, from []N) {
	for i, v := range from {
		to[i] += v
	}
}
