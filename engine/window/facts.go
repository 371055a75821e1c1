package window

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/topology"
)

// Options are the bounds between doing something and doing nothing.
type Options struct {
	// LightSectorsPerSecond is the throughput of a path below which the work on
	// it is a server's own (L13 §5.3.2).
	LightSectorsPerSecond float64 `json:"light_sectors_per_second" above:"0"`
	// AsideShare is the share of a LUN's requests, against those of its first
	// path, from which work on other paths changes how the LUN looks.
	AsideShare float64 `json:"aside_share" above:"0" most:"1"`
	// LightGrowth is the factor by which the least latency of a group is
	// forgotten from one window to the next.
	LightGrowth float64 `json:"light_growth" least:"1"`
	// SilentSeconds is how long a server may send nothing while others do.
	SilentSeconds int64 `json:"silent_seconds" least:"1"`
	// SilentSteps is for how many rows it may, at the least.
	SilentSteps int `json:"silent_steps" least:"1"`
}

// DefaultOptions take 10 kB/s for light work, as L13 §5.3.2 does. A twentieth of
// the requests moves a mean by less than what counts as slow. The least latency
// of a group grows by a thousandth in a window and so is forgotten within weeks.
// Five minutes are longer than a recorder takes to restart, and files of one day
// do not all end in the same second.
func DefaultOptions() Options {
	return Options{
		LightSectorsPerSecond: metric.RdSec.Noise, AsideShare: 0.05, LightGrowth: 1.001,
		SilentSeconds: 300, SilentSteps: 4,
	}
}

// Validate reports the first setting that cannot work.
func (o *Options) Validate() error { return bounds.Check(*o) }

// Facts are what rows say of each part of a system.
type Facts struct {
	*blame.Map
	*Hearing
	StepSeconds  int64
	ShiftSeconds int64 // from one window to the next
	Sparse       bool  // a missing value proves nothing, so that nothing is known of paths
	Lead         int   // the metric that tells how slow a component is, by its place in a row
	LeadMetric   metric.Metric

	// Of the last row:
	Upkeep []table.Work // by component: what its array or pool is known to do to itself

	// Of the rows so far:
	LastSeen   []int64 // by component: end of the last step that it was there in
	LastLoaded []int64 // by component: end of the last step that it had requests in
	Moved      []int64 // by LUN: end of the step in which another path than the first was first used, 0 while the first is

	// Of the window that ended last:
	Window sums
	Now    []Condition // by component
	Busy   []bool      // by peer group: more than half of it has something to do
	Groups []Group     // by peer group

	opts    Options
	columns columns
	shifts  []sums
	at      int // of the shift that is being filled
	scratch []float64

	countsRequests bool
}

// columns are places of metrics in a row, -1 where it has none.
type columns struct{ load, read, written, lead int }

// New returns facts of nothing yet, for windows of so many shifts. Call the
// hearing's Row before the facts' Row.
func New(o Options, m *blame.Map, h *Hearing, s table.Schema, lead int, shiftSeconds int64, shifts int) *Facts {
	n := len(m.System.Components)
	f := &Facts{
		Map: m, Hearing: h, StepSeconds: s.StepSeconds, ShiftSeconds: shiftSeconds, Sparse: s.Sparse, Lead: lead, LeadMetric: s.Metrics[lead],
		Upkeep: make([]table.Work, n), LastSeen: make([]int64, n), LastLoaded: make([]int64, n), Moved: make([]int64, len(m.Paths)),
		Window: newSums(m), Now: make([]Condition, n), Busy: make([]bool, len(m.System.Groups)), Groups: make([]Group, len(m.System.Groups)),
		opts:    o,
		columns: columns{s.Load, metric.Index(s.Metrics, metric.RdSec.Name), metric.Index(s.Metrics, metric.WrSec.Name), lead},
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

// Row takes the next row.
func (f *Facts) Row(row *table.Row) {
	s := &f.shifts[f.at]
	s.Steps++
	clear(f.Upkeep)
	copy(f.Upkeep, row.Upkeep)
	for i, heard := range f.Heard {
		if heard {
			s.heard[i]++
		}
	}
	for _, c := range f.Watched {
		if f.Missing(row, c) {
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

// Missing says whether a row knows nothing of a component.
func (f *Facts) Missing(row *table.Row, c int) bool {
	if f.columns.load >= 0 {
		return table.IsMissing(row.Values[f.columns.load][c])
	}
	return table.IsMissing(row.Values[f.columns.lead][c])
}

// Requests are what a component did in a row of so many seconds; where only its
// latency is known, one if it has any.
func (f *Facts) Requests(row *table.Row, c int, seconds int64) float64 {
	if f.columns.load >= 0 {
		return float64(seconds) * row.Values[f.columns.load][c]
	}
	if row.Values[f.columns.lead][c] > 0 {
		return 1
	}
	return 0
}

// Work is the throughput of a component in a step: in sectors, or in whatever
// tells a busy component from an idle one where they are not known.
func (f *Facts) Work(row *table.Row, c int) float64 {
	if f.columns.read < 0 && f.columns.written < 0 {
		return present(row, f.columns.load, c)
	}
	return present(row, f.columns.read, c) + present(row, f.columns.written, c)
}

func present(row *table.Row, column, c int) float64 {
	if column < 0 || table.IsMissing(row.Values[column][c]) {
		return 0
	}
	return row.Values[column][c]
}

// paths notes since when LUNs are served by another path than their first, how
// often other paths have a share of the work, and what all of it took.
func (f *Facts) paths(row *table.Row, s *sums) {
	for lun, list := range f.Paths {
		first, others := f.asked(row, list[0]), 0.0
		for _, c := range list {
			n := f.asked(row, c)
			if c != list[0] {
				others += n
			}
			if took := n * row.Values[f.columns.lead][c]; took > 0 {
				s.asked[lun], s.waited[lun] = s.asked[lun]+n, s.waited[lun]+took
			}
		}
		if others > 0 && others >= f.opts.AsideShare*first {
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

// asked are the requests of a path in a step, none where it is not there.
func (f *Facts) asked(row *table.Row, c int) float64 {
	if f.Missing(row, c) {
		return 0
	}
	return f.Requests(row, c, f.StepSeconds)
}

// CountsRequests says whether it is known how many requests components have.
func (f *Facts) CountsRequests() bool { return f.countsRequests }

// LeadSeconds is how many seconds one unit of the leading metric is.
func (f *Facts) LeadSeconds() float64 { return f.LeadMetric.Seconds() }

// Comparable says of every peer group whether it holds drives or paths, and
// enough of them.
func (f *Facts) Comparable() []bool {
	list := make([]bool, len(f.System.Groups))
	for g := range list {
		members := f.System.Groups[g].Members
		list[g] = len(members) >= topology.MinPeers && slices.Contains(f.Watched, members[0])
	}
	return list
}
