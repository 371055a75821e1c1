package top

import (
	"cmp"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
)

// Evidence holds the data for the view of one component: its values, the values of its peers, and
// what the engine has found about it.
type Evidence struct {
	Line      Line
	Group     Group
	Known     bool     // true if the system has the component
	Sentences []string // sentences about its suspect or incident; empty if it has neither

	// The following slices have one element for each step, the oldest step first. A value is NaN if it
	// is unknown.
	Ends              []int64
	Own               []float64 // latency in ms
	Low, Median, High []float64 // 5th, 50th and 95th percentile of the peers

	Histograms []Histogram
}

// A Histogram has the latencies of one component and of its peers, in classes (ranges of latency).
// The lower bound of each class is twice the lower bound of the class before it.
type Histogram struct {
	Title  string
	Bounds []float64 // the shortest time of each class, in ms
	Own    []float64 // share of the component's requests in each class
	Peers  []float64 // share of the requests of all peers together that is in each class
	Counts [2]uint64 // number of requests of the component, and number of requests of its peers; if the data have no single requests, numbers of time steps
}

// A strip chart or a histogram of a large group uses only a part of the peers. In a group with n
// members it uses every k-th member. The number k is n/mostPeers, rounded down, but at least 1. So
// fewer than 2·mostPeers peers are used. With more peers, the percentiles would look the same.
const mostPeers = 1000

// Evidence returns the Evidence of a component for a Unix time. If the time is 0, it returns the
// Evidence for the last step. The parameter `steps` is the largest number of steps of the strip
// chart.
func (m *Model) Evidence(name string, end int64, steps int) *Evidence {
	f := m.Frame(end)
	m.mu.Lock()
	defer m.mu.Unlock()
	e := &Evidence{}
	at := slices.IndexFunc(f.Lines, func(l Line) bool { return l.Name == name })
	if at < 0 || m.system == nil {
		return e
	}
	e.Line, e.Known = f.Lines[at], true
	e.Group = f.Groups[e.Line.Group]
	own := e.Line.component
	if !f.Past {
		e.Sentences = m.verdicts.sentencesAbout(own)
	}
	peers := m.peers(own)
	last := m.stepAt(f.End)
	for k := max(last-steps+1, 0); k <= last; k++ {
		e.Ends = append(e.Ends, m.history.ends[k])
		e.Own = append(e.Own, orNaN(m.history.latency[k][own]))
		var values []float64
		for _, p := range peers {
			if v := float64(m.history.latency[k][p]); v > 0 {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		e.Low, e.Median, e.High = append(e.Low, quantileAt(values, 0.05)), append(e.Median, quantileAt(values, 0.5)), append(e.High, quantileAt(values, 0.95))
	}
	if m.requests != nil && !f.Past {
		e.Histograms = m.histograms(own, peers)
	}
	if len(e.Histograms) == 0 {
		e.Histograms = m.stepHistogram(own, peers, last)
	}
	return e
}

// peers returns the other members of a component's group. If the group is too large, it returns members
// at equal distances in the list of members.
func (m *Model) peers(own int) (list []int) {
	members := m.system.Groups[m.system.Components[own].Group-1].Members
	every := max(1, len(members)/mostPeers)
	for i, c := range members {
		if c != own && i%every == 0 {
			list = append(list, c)
		}
	}
	return list
}

func orNaN(v float32) float64 {
	if v > 0 {
		return float64(v)
	}
	return math.NaN()
}

// quantileAt returns a quantile of sorted values: the value at the given share of the list. It
// returns NaN if there are no values.
func quantileAt(sorted []float64, share float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return sorted[int(math.Round(share*float64(len(sorted)-1)))]
}

// histograms returns the histograms of the requests of the last minute: the times of reads and of
// writes, in the device and in the queue.
func (m *Model) histograms(own int, peers []int) (list []Histogram) {
	var mine, others table.Latency
	m.requests[own].sum(&mine)
	for _, p := range peers {
		m.requests[p].sum(&others)
	}
	for op, name := range []string{"reads", "writes"} {
		list = append(list,
			newHistogram(name+", time in the device", table.Doublings(mine[op].Device), table.Doublings(others[op].Device)),
			newHistogram(name+", time in the queue", table.Doublings(mine[op].Queue), table.Doublings(others[op].Queue)))
	}
	return slices.DeleteFunc(list, func(h Histogram) bool { return h.Counts[0] == 0 })
}

// newHistogram returns a histogram from the numbers of requests in each class, for the component and
// for its peers. It leaves out empty classes at both ends.
func newHistogram(title string, own, peers []uint64) Histogram {
	h := Histogram{Title: title}
	n := max(len(own), len(peers))
	own, peers = append(own, make([]uint64, n-len(own))...), append(peers, make([]uint64, n-len(peers))...)
	for i := range n {
		h.Counts[0] += own[i]
		h.Counts[1] += peers[i]
	}
	first := 0
	for first < n && own[first]+peers[first] == 0 {
		first++
	}
	for i := first; i < n; i++ {
		h.Bounds = append(h.Bounds, float64(table.DoublingNs(i))/1e6)
		h.Own = append(h.Own, float64(own[i])/float64(cmp.Or(h.Counts[0], 1)))
		h.Peers = append(h.Peers, float64(peers[i])/float64(cmp.Or(h.Counts[1], 1)))
	}
	return h
}

// stepHistogram returns a histogram of the mean latencies of steps. It is used if the source does not
// have the latencies of single requests.
func (m *Model) stepHistogram(own int, peers []int, last int) []Histogram {
	count := func(counts []uint64, ms float32) []uint64 {
		if !(ms > 0) {
			return counts
		}
		at := 0
		for float64(table.DoublingNs(at+1))/1e6 <= float64(ms) {
			at++
		}
		for len(counts) <= at {
			counts = append(counts, 0)
		}
		counts[at]++
		return counts
	}
	var mine, others []uint64
	for k := max(last-requestSeconds+1, 0); k <= last; k++ {
		mine = count(mine, m.history.latency[k][own])
		for _, p := range peers {
			others = count(others, m.history.latency[k][p])
		}
	}
	if mine == nil {
		return nil
	}
	return []Histogram{newHistogram("mean latency of each time step", mine, others)}
}
