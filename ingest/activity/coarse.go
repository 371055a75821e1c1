package activity

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// gaps are the intervals between the last records of a machine, in seconds.
type gaps struct {
	list   [enoughIntervals]int64
	n      int   // number of all intervals so far
	steady int64 // median of the intervals; it changes only by more than a tenth, so that texts do not change with each record; 0 if unknown
	worst  int64 // largest value of steady so far
}

// add adds the interval between the last two records. If the clock was set back, the interval is
// negative and does not count.
func (g *gaps) add(seconds int64) {
	if seconds > 0 {
		g.list[g.n%len(g.list)] = seconds
		g.n++
		if median := medianGap(g.known()); isLonger(median, g.steady) || isLonger(g.steady, median) {
			g.steady = median
		}
		g.worst = max(g.worst, g.steady)
	}
}

// known returns the last intervals.
func (g *gaps) known() []int64 { return g.list[:min(g.n, len(g.list))] }

// span returns the time that the last intervals cover, in seconds.
func (g *gaps) span() (sum int64) {
	for _, seconds := range g.known() {
		sum += seconds
	}
	return sum
}

// The usual interval between records is the median of the differences between the times of
// successive records. At most enoughIntervals differences are used. With fewer than leastIntervals
// differences the interval is unknown.
const (
	enoughIntervals = 9
	leastIntervals  = 3
)

// medianGap returns the median of the intervals in seconds; 0 if there are fewer than leastIntervals
// intervals. Timers and whole seconds make intervals a little longer or shorter than the user has
// set them: 61 s in place of 60 s. So medianGap rounds the median to the nearest multiple of 5 s if
// this changes the median by at most a twentieth.
func medianGap(intervals []int64) int64 {
	if len(intervals) < leastIntervals {
		return 0
	}
	sorted := slices.Sorted(slices.Values(intervals))
	median := sorted[len(sorted)/2]
	if rounded := (median + 2) / 5 * 5; 20*max(rounded-median, median-rounded) <= median {
		return rounded
	}
	return median
}

// isLonger reports whether an interval is longer than another one by more than a tenth. A smaller
// difference may be jitter of timers.
func isLonger(interval, other int64) bool { return 10*interval > 11*other }

// Coarse returns the interval between the last records of a machine, in seconds, if no step has data
// because this interval is so long (table.MaxStretch). Otherwise it returns 0.
func (m *machine) Coarse() int64 {
	if m.gaps.steady <= table.MaxStretch*m.StepSeconds() || m.Grow.Used > m.Ends-m.gaps.span() {
		return 0
	}
	return m.gaps.steady
}

// tooCoarse returns a warning about the machines whose records are so far apart that no step has
// data of them. It returns nil if there are no such machines.
func (a *plan) tooCoarse() *ingest.Warning {
	var coarse []*machine
	var servers []string
	for _, m := range a.Machines {
		if m.Coarse() > 0 {
			coarse = append(coarse, m)
			if m.Number >= 0 {
				servers = append(servers, m.Name)
			}
		}
	}
	if len(coarse) == 0 {
		return nil
	}
	return &ingest.Warning{Text: tooCoarseText(coarse, a.Schema.StepSeconds), Servers: servers}
}

// tooCoarseText returns the sentence about machines whose records are too far apart. If some of them
// gave rows before, the sentence has the end of their last row.
func tooCoarseText(coarse []*machine, step int64) string {
	var names, before []string
	longest, until := int64(0), int64(0)
	for _, m := range coarse {
		names = append(names, m.Name)
		longest = max(longest, m.Coarse())
		if m.Grow.Used > 0 {
			before = append(before, m.Name)
			until = max(until, m.Grow.Used)
		}
	}
	judged := ""
	if len(before) > 0 {
		judged = fmt.Sprintf("; it judged %s until %s", topology.FoldFew(before), utc(until))
	}
	return fmt.Sprintf("the interval between records of %s is up to %d s, longer than the time step of %d s, so limpet does not judge %s%s; record a sample at least every %[3]d s, or choose a time step of %[2]d s (--step %[2]d; for limpet serve the setting \"step\")",
		topology.FoldFew(names), longest, step, english.Verb(len(names), "this server", "these servers"), judged)
}

// coarseWarnings returns the warnings about intervals between records that are longer than a step:
// the warning of tooCoarse, and a warning about the machines that have long intervals at some times
// only. Steps at these times have no data.
func (a *plan) coarseWarnings() (warnings []ingest.Warning) {
	if w := a.tooCoarse(); w != nil {
		warnings = append(warnings, *w)
	}
	var mixed []string
	longest := int64(0)
	for _, m := range a.Machines {
		seconds := int64(0)
		for host, coarsest := range a.mixed {
			if sysstat.SameHost(host, m.Name) {
				seconds = max(seconds, coarsest)
			}
		}
		if m.gaps.worst > table.MaxStretch*m.StepSeconds() {
			seconds = max(seconds, m.gaps.worst)
		}
		if seconds > 0 && m.Grow.Used > 0 && m.Coarse() == 0 {
			mixed = append(mixed, m.Name)
			longest = max(longest, seconds)
		}
	}
	if len(mixed) > 0 {
		warnings = append(warnings, ingest.Warning{Text: fmt.Sprintf("the interval between some records of %s is up to %d s, longer than the time step of %d s: limpet cannot judge periods that have only such records; to judge these periods too, use --step %[2]d", topology.FoldFew(mixed), longest, a.Schema.StepSeconds)})
	}
	return warnings
}
