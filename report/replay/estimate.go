package replay

import (
	"math"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/topology"
)

// measure keeps the latencies and loads of the last steps, and estimates the effect of an action.
type measure struct {
	system      *topology.System
	schema      table.Schema
	lead        int // metric that shows how slow a component is
	read, write int // metrics of sectors; -1: the rows do not have them
	unit        string
	unitSeconds float64 // length of a unit of the leading metric; 0: the metric is no time
	window      int64   // time that is kept, in seconds

	frames []frame // ring buffer
	next   int
	kept   int
}

// frame is one step. A component without a load or a latency has the weight Missing.
type frame struct {
	end             int64
	weight, latency []float64
}

// sum holds sum(weight) and wait = sum(weight × latency) of some components. A weight is the load
// of a component.
type sum struct{ wait, weight float64 }

func newMeasure(system *topology.System, schema table.Schema, judged []string, window int64) measure {
	m := measure{system: system, schema: schema, lead: schema.Leading(judged), window: window}
	m.read, m.write = metric.Index(schema.Metrics, metric.RdSec.Name), metric.Index(schema.Metrics, metric.WrSec.Name)
	m.unit, m.unitSeconds = schema.Metrics[m.lead].Unit, schema.Metrics[m.lead].Seconds()
	m.frames = make([]frame, window/max(schema.StepSeconds, 1)+1)
	for i := range m.frames {
		m.frames[i] = frame{weight: make([]float64, schema.Components), latency: make([]float64, schema.Components)}
	}
	return m
}

// perSecond is the unit of a load that counts requests.
const perSecond = "1/s"

// countsRequests reports whether the data have the number of requests and their latencies.
func (m *measure) countsRequests() bool {
	return m.schema.Load >= 0 && m.schema.Metrics[m.schema.Load].Unit == perSecond && m.unitSeconds > 0
}

// take keeps a row.
func (m *measure) take(row *table.Row) {
	f := &m.frames[m.next]
	m.next, m.kept = (m.next+1)%len(m.frames), min(m.kept+1, len(m.frames))
	f.end = row.End
	copy(f.latency, row.Values[m.lead])
	for c := range f.weight {
		switch {
		case math.IsNaN(f.latency[c]):
			f.weight[c] = table.Missing
		case m.schema.Load < 0:
			f.weight[c] = 1
		default:
			f.weight[c] = row.Values[m.schema.Load][c]
		}
	}
}

// last returns the last step.
func (m *measure) last() *frame { return &m.frames[(m.next+len(m.frames)-1)%len(m.frames)] }

// sum adds up the members, except those in without.
func (m *measure) sum(f *frame, members []int, without map[int]bool) (s sum) {
	for _, c := range members {
		if !math.IsNaN(f.weight[c]) && !without[c] {
			s.wait, s.weight = s.wait+f.weight[c]*f.latency[c], s.weight+f.weight[c]
		}
	}
	return s
}

func (m *measure) members(c int) []int {
	return m.system.Groups[m.system.Components[c].Group-1].Members
}

// before returns the samples of a component's group after a time. Parts that are already masked do
// not count.
func (m *measure) before(c int, after int64, masked map[int]bool) (list []action.Sample) {
	without := map[int]bool{c: true}
	for other := range masked {
		without[other] = true
	}
	for i := range m.kept {
		f := &m.frames[(m.next+len(m.frames)-m.kept+i)%len(m.frames)]
		s := m.sum(f, m.members(c), without)
		if f.end <= after || math.IsNaN(f.weight[c]) || s.weight+f.weight[c] <= 0 {
			continue
		}
		sample := action.Sample{End: f.end, Group: (s.wait + f.weight[c]*f.latency[c]) / (s.weight + f.weight[c]), Others: table.Missing, Load: s.weight + f.weight[c], OthersLoad: s.weight}
		if m.schema.Load < 0 {
			sample.Load, sample.OthersLoad = table.Missing, table.Missing
		}
		if s.weight > 0 {
			sample.Others = s.wait / s.weight
		}
		list = append(list, sample)
	}
	return list
}

// unknown is the reason why a step cannot be counted; empty: it can.
type unknown string

const (
	noData       unknown = "no data"       // the part or its peers have no data
	readsUnknown unknown = "reads unknown" // the data do not show which requests are reads
)

// moved holds the effect of an action in one step. Times are in units of the leading metric.
// Requests are per second, like the load.
type moved struct {
	compares      bool    // own and expected are known
	own, expected float64 // total time of the part's requests, and the time that they would take at its peers

	saves         bool    // the fields below are known
	requests      float64 // requests that the action keeps away from the part
	saved         float64 // time that these requests would save at the peers
	peersWeight   float64 // requests that the peers have without the action
	group, others float64 // estimated latencies of a request to the group, and to the peers
	load          float64 // requests of the group
}

// moved estimates the effect of an action on a component in the last step. Masked peers take over
// no requests.
func (m *measure) moved(row *table.Row, c int, e action.Effect, masked map[int]bool) (out moved, why unknown) {
	f := m.last()
	without := masked
	if !masked[c] {
		without = map[int]bool{c: true}
	}
	peers := m.sum(f, m.members(c), without)
	switch {
	case f.weight[c] == 0: // nothing to move
		out.saves, out.peersWeight, out.load = true, peers.weight, peers.weight
		out.group, out.others = mean(peers, 0), mean(peers, 0)
		return out, ""
	case math.IsNaN(f.weight[c]) || peers.weight <= 0:
		return out, noData
	}
	elsewhere := peers.wait / peers.weight
	n, own := f.weight[c], f.latency[c]
	out.compares, out.own, out.expected = true, n*own, n*elsewhere
	kept, less, ok := n, n*(own-elsewhere), true
	if e == action.Relieve {
		kept, less, ok = m.reads(row, c, without, n, own-elsewhere)
	}
	if !ok {
		return out, readsUnknown
	}
	out.saves, out.requests, out.saved, out.peersWeight, out.load = true, kept, less, peers.weight, peers.weight+n
	out.others, out.group = elsewhere, (peers.wait+n*own-less)/(peers.weight+n)
	return out, ""
}

// reads returns the number of reads of a component, and the time that they would save at its peers.
// It uses the latencies of reads if the row has them. Otherwise it assumes that share of reads =
// sectors read / (sectors read + sectors written), and that reads take as long as writes.
func (m *measure) reads(row *table.Row, c int, without map[int]bool, requests, longer float64) (kept, less float64, ok bool) {
	if own, n := readMean(row, c); n > 0 && m.unitSeconds > 0 {
		var wait, count float64
		for _, other := range m.members(c) {
			if mean, k := readMean(row, other); k > 0 && !without[other] {
				wait, count = wait+mean*k, count+k
			}
		}
		if count > 0 {
			kept = n / float64(m.schema.StepSeconds)
			return kept, kept * (own - wait/count) / m.unitSeconds, true
		}
	}
	if m.read < 0 || m.write < 0 {
		return 0, 0, false
	}
	read, written := row.Values[m.read][c], row.Values[m.write][c]
	if !(read+written > 0) {
		return 0, 0, false
	}
	share := read / (read + written)
	return requests * share, requests * share * longer, true
}

// readMean returns the mean latency of a component's reads in seconds, and their number.
func readMean(row *table.Row, c int) (seconds, n float64) {
	if row.Latency == nil || row.Latency[c] == nil {
		return 0, 0
	}
	reads := &row.Latency[c][blklat.Read]
	if n = float64(reads.Device.Requests()); n == 0 {
		return 0, 0
	}
	// The histogram of queue times has only the requests that were queued.
	queued := reads.Queue.MeanNs() * float64(reads.Queue.Requests()) / n
	return (reads.Device.MeanNs() + queued) / 1e9, n
}

// stretch compares a masked part with its peers over a longer time, because single steps are noisy.
type stretch struct {
	from, seconds int64
	own, expected float64
}

func (s *stretch) add(end, stepSeconds int64, own, expected float64) {
	if s.seconds == 0 {
		s.from = end - stepSeconds
	}
	s.seconds, s.own, s.expected = s.seconds+stepSeconds, s.own+own, s.expected+expected
}

// close ends a stretch when it has the wanted length. It returns the seconds of the stretch if the
// part was as fast as its peers, and otherwise 0. A part without requests does not count as fast.
func (s *stretch) close(end, wanted int64, times float64) (fast int64) {
	if s.seconds == 0 || end-s.from < wanted {
		return 0
	}
	if s.expected > 0 && s.own < times*s.expected {
		fast = s.seconds
	}
	*s = stretch{}
	return fast
}
