package window

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Facts holds what is known about components, LUNs and peer groups. All times are Unix times. A
// path is an attachment of a LUN. The first path of a LUN is the path with the highest priority,
// which normally serves all requests of the LUN.
type Facts struct {
	*blame.Map
	*DataTimes
	StepSeconds  int64
	ShiftSeconds int64 // time from the start of one window to the start of the next
	Sparse       bool  // the source may have lost values, so a missing value does not show that a path is lost
	Lead         int   // index of the metric that measures slowness, among the metrics of a row
	LeadMetric   metric.Metric

	// The following field comes from the last row:
	Upkeep []table.Work // by component: rebuild or check of its array or pool

	// The following fields come from all rows so far:
	LastSeen   []int64 // by component: end of the last step in which it was present
	LastLoaded []int64 // by component: end of the last step in which it had requests
	Moved      []int64 // by LUN: end of the step in which other paths took over from the first path; 0 while the first path serves the LUN

	// The following fields come from the window that ended last:
	Window     sums
	Conditions []Condition // by component: how it was used in this window
	Busy       []bool      // by peer group: more than half of its members have load
	Groups     []Group     // by peer group: its latencies and its load

	asideShare float64 // if the other paths of a LUN have at least this share of the first path's requests, they change the mean latency of the LUN noticeably (FewShare)
	growth     float64 // factor that makes old latencies count less (ForgetTimes): in each window, Group.Light is multiplied by it, or Group.Heavy is divided by it
	columns    columns
	shifts     []sums
	shiftIndex int // index in shifts of the shift that is being filled
	scratch    []float64

	countsRequests bool
}

// columns has the indexes of some metrics in Row.Values; -1 if rows do not have the metric.
type columns struct{ load, read, written, lead int }

// New returns empty facts. A window consists of several shifts. A shift is the time from the start
// of one window to the start of the next. For each row, call [DataTimes.Row] before [Facts.Row].
func New(c criteria.Options, m *blame.Map, h *DataTimes, s table.Schema, lead int, shiftSeconds int64, shifts int) *Facts {
	n := len(m.System.Components)
	f := &Facts{
		Map: m, DataTimes: h, StepSeconds: s.StepSeconds, ShiftSeconds: shiftSeconds, Sparse: s.Sparse, Lead: lead, LeadMetric: s.Metrics[lead],
		Upkeep: make([]table.Work, n), LastSeen: make([]int64, n), LastLoaded: make([]int64, n), Moved: make([]int64, len(m.Paths)),
		Window: newSums(m), Conditions: make([]Condition, n), Busy: make([]bool, len(m.System.Groups)), Groups: make([]Group, len(m.System.Groups)),
		asideShare: c.FewShare,
		growth:     c.ForgetTimes,
		columns:    columns{s.Load, metric.Index(s.Metrics, metric.RdSec.Name), metric.Index(s.Metrics, metric.WrSec.Name), lead},
	}
	f.countsRequests = s.Load >= 0 && s.Metrics[s.Load] == metric.TPS
	for range shifts {
		f.shifts = append(f.shifts, newSums(m))
	}
	for g := range f.Groups {
		f.Groups[g] = Group{Usual: table.Missing}
	}
	return f
}

// Row adds the next row to the facts.
func (f *Facts) Row(row *table.Row) {
	s := &f.shifts[f.shiftIndex]
	s.Steps++
	clear(f.Upkeep)
	copy(f.Upkeep, row.Upkeep)
	for i, heard := range f.HasData {
		if heard {
			s.heard[i]++
		}
	}
	for _, c := range f.Attachments {
		if f.HasNoValues(row, c) {
			continue
		}
		s.Samples[c]++
		f.LastSeen[c] = row.End
		if requests := f.Requests(row, c, f.StepSeconds); requests > 0 {
			s.Requests[c] += requests
			s.Loaded[c]++
			f.LastLoaded[c] = row.End
		}
		s.sectors[c] += float64(f.StepSeconds) * f.Work(row, c)
	}
	if !f.Sparse {
		f.paths(row, s)
	}
}

// MeasuresLoad reports whether rows have a metric of load: requests, sectors, or the load metric of
// the schema. Some sources have only latencies, such as `ceph osd perf`.
func (f *Facts) MeasuresLoad() bool {
	return f.columns.load >= 0 || f.columns.read >= 0 || f.columns.written >= 0
}

// HasNoValues reports whether the given row has no values of a component.
func (f *Facts) HasNoValues(row *table.Row, c int) bool {
	if f.columns.load >= 0 {
		return table.IsMissing(row.Values[f.columns.load][c])
	}
	return table.IsMissing(row.Values[f.columns.lead][c])
}

// Requests returns the number of requests of a component in a row. The parameter `seconds` is the
// length of the row's step. If rows have no load metric, the number is unknown. The result is then
// 1 for a latency above 0, and 0 otherwise.
func (f *Facts) Requests(row *table.Row, c int, seconds int64) float64 {
	if f.columns.load >= 0 {
		return float64(seconds) * row.Values[f.columns.load][c]
	}
	if row.Values[f.columns.lead][c] > 0 {
		return 1
	}
	return 0
}

// Work returns the throughput of a component in the given row, in sectors per second. If rows have
// no sectors, it returns the value of the load metric of the schema.
func (f *Facts) Work(row *table.Row, c int) float64 {
	if f.columns.read < 0 && f.columns.written < 0 {
		return present(row, f.columns.load, c)
	}
	return present(row, f.columns.read, c) + present(row, f.columns.written, c)
}

// KnowsReads reports whether rows distinguish reads from writes.
func (f *Facts) KnowsReads() bool { return f.columns.read >= 0 && f.columns.written >= 0 }

// Read returns the sectors per second that a component read in the given row; 0 if unknown.
func (f *Facts) Read(row *table.Row, c int) float64 { return present(row, f.columns.read, c) }

func present(row *table.Row, column, c int) float64 {
	if column < 0 || table.IsMissing(row.Values[column][c]) {
		return 0
	}
	return row.Values[column][c]
}

// paths updates three facts of each LUN:
//
//   - the time at which other paths took over from its first path
//   - the number of steps in which its other paths had at least asideShare of the first path's
//     requests
//   - the waiting time of the requests on all its paths
func (f *Facts) paths(row *table.Row, s *sums) {
	for lun, list := range f.Paths {
		first, others := f.requestsOf(row, list[0]), 0.0
		for _, c := range list {
			n := f.requestsOf(row, c)
			if c != list[0] {
				others += n
			}
			if took := n * row.Values[f.columns.lead][c]; took > 0 {
				s.lunRequests[lun], s.lunLatency[lun] = s.lunRequests[lun]+n, s.lunLatency[lun]+took
			}
		}
		if others > 0 && others >= f.asideShare*first {
			s.Aside[lun]++
		}
		switch {
		case first > 0:
			f.Moved[lun] = 0
		case f.Moved[lun] == 0 && others > 0:
			f.Moved[lun] = row.End
		}
	}
}

// requestsOf returns the number of requests of a path in a row; 0 if the path is missing.
func (f *Facts) requestsOf(row *table.Row, c int) float64 {
	if f.HasNoValues(row, c) {
		return 0
	}
	return f.Requests(row, c, f.StepSeconds)
}

// CountsRequests reports whether the load metric of the rows is the number of requests per second.
func (f *Facts) CountsRequests() bool { return f.countsRequests }

// LeadSeconds returns the length, in seconds, of one unit of the leading metric (the metric that
// measures slowness).
func (f *Facts) LeadSeconds() float64 { return f.LeadMetric.Seconds() }

// Comparable returns for every peer group whether it consists of drives or paths and has at
// least topology.MinPeers members.
func (f *Facts) Comparable() []bool {
	list := make([]bool, len(f.System.Groups))
	for g := range list {
		members := f.System.Groups[g].Members
		list[g] = len(members) >= topology.MinPeers && slices.Contains(f.Attachments, members[0])
	}
	return list
}
