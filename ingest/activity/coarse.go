package activity

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
)

// gaps are the intervals between the last records of a machine, in seconds.
type gaps struct {
	list [enoughIntervals]int64
	n    int // number of all intervals so far
}

// add adds the interval between the last two records. If the clock was set back, the interval is
// negative and does not count.
func (g *gaps) add(seconds int64) {
	if seconds > 0 {
		g.list[g.n%len(g.list)] = seconds
		g.n++
	}
}

// usual returns the median of the intervals, and their sum. Both are 0 if there are fewer than
// leastIntervals intervals.
func (g *gaps) usual() (median, sum int64) {
	if g.n < leastIntervals {
		return 0, 0
	}
	known := slices.Clone(g.list[:min(g.n, len(g.list))])
	slices.Sort(known)
	for _, seconds := range known {
		sum += seconds
	}
	return known[len(known)/2], sum
}

// Coarse returns the interval between the last records of a machine, in seconds, if no step has data
// because this interval is so long (table.MaxStretch). Otherwise it returns 0.
func (m *machine) Coarse() int64 {
	interval, span := m.gaps.usual()
	if interval <= table.MaxStretch*m.StepSeconds() || m.Grow.Used > m.Ends-span {
		return 0
	}
	return interval
}

// tooCoarse warns of machines whose records are so far apart that no step has data of them. All
// machines share one warning.
func (a *plan) tooCoarse() []ingest.Warning {
	var names, servers []string
	longest := int64(0)
	for _, m := range a.Machines {
		if seconds := m.Coarse(); seconds > 0 {
			longest = max(longest, seconds)
			names = append(names, m.Name)
			if m.Number >= 0 {
				servers = append(servers, m.Name)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []ingest.Warning{{Text: tooCoarseText(names, longest, a.Schema.StepSeconds), Servers: servers}}
}

// tooCoarseText returns the sentence about servers whose records are too far apart. The parameter
// `longest` is the longest interval between the records of one of the servers.
func tooCoarseText(names []string, longest, step int64) string {
	return fmt.Sprintf("the interval between records of %s is up to %d s, longer than the time step of %d s, so limpet does not judge %s; record a sample at least every %[3]d s, or choose a time step of %[2]d s (--step %[2]d; for limpet serve the setting \"step\")",
		topology.FoldFew(names), longest, step, english.Verb(len(names), "this server", "these servers"))
}
