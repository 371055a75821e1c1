package replay

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// A Result is the result of a trace under each policy.
type Result struct {
	Trace     string // name of the trace in reports
	Options   Options
	Virtual   bool
	FaultFree *Run // normal, without slow drives
	Runs      []*Run
	Warnings  []string
}

// A Run is one replay of a trace.
type Run struct {
	Policy   policy.Options
	Counters policy.Counters
	Took     time.Duration

	latency []time.Duration // by record; -1: a write, or a read that failed
	sorted  []time.Duration // latencies of the other reads, in order
}

func newRun(p policy.Options, records int) *Run {
	return &Run{Policy: p, latency: slices.Repeat([]time.Duration{-1}, records)}
}

func (r *Run) note(index int, latency time.Duration) { r.latency[index] = latency }

func (r *Run) finish(c policy.Counters, took time.Duration) {
	r.Counters, r.Took = c, took
	for _, l := range r.latency {
		if l >= 0 {
			r.sorted = append(r.sorted, l)
		}
	}
	slices.Sort(r.sorted)
}

// Reads returns the number of reads that were served.
func (r *Run) Reads() int { return len(r.sorted) }

// Latency returns the smallest latency that a share of the reads does not exceed.
func (r *Run) Latency(share float64) time.Duration {
	if len(r.sorted) == 0 {
		return 0
	}
	return r.sorted[rank(share, len(r.sorted))]
}

// rank returns the index of a quantile among n sorted values. It allows for the rounding of a share
// such as 0.999.
func rank(share float64, n int) int {
	place := int(math.Ceil(share*float64(n) - 1e-6))
	return min(max(place-1, 0), n-1)
}

// Extra returns the number of extra reads for each needed read.
func (r *Run) Extra() float64 {
	needed := r.Counters.Reads - r.Counters.Extra
	if needed == 0 {
		return 0
	}
	return float64(r.Counters.Extra) / float64(needed)
}

// Slowdowns returns the ratio of each read's latency to the latency of the same read without slow
// drives, in increasing order.
func (r *Run) Slowdowns(faultFree *Run) []float64 {
	var s []float64
	for i, l := range r.latency {
		if base := faultFree.latency[i]; l >= 0 && base > 0 {
			s = append(s, float64(l)/float64(base))
		}
	}
	slices.Sort(s)
	return s
}

// Against returns the ratio of a quantile of the latencies to the same quantile without slow
// drives.
func (r *Run) Against(faultFree *Run, share float64) float64 {
	return float64(r.Latency(share)) / float64(max(faultFree.Latency(share), 1))
}

// warn adds warnings about the result.
func (res *Result) warn(records []Record) {
	base := res.FaultFree
	if n := base.Reads(); n < 10_000 {
		res.Warnings = append(res.Warnings, fmt.Sprintf("with only %d reads, p99.99 is the latency of the slowest read: replay at least 10,000 reads", n))
	}
	if d := &res.Options.Distribution; d.Kind == KindPeriodic {
		if passed := time.Duration(float64(base.Took) * d.Compress); passed < d.Periodic.To {
			res.Warnings = append(res.Warnings, fmt.Sprintf("the trace lasts only %v for the drives, but a drive becomes slow only once in %v to %v, so perhaps no request meets a slow drive: replay a longer trace, or raise the setting \"compress\"", passed.Round(time.Second), d.Periodic.From, d.Periodic.To))
		}
		if d.Compress != 1 {
			res.Warnings = append(res.Warnings, fmt.Sprintf("the slow periods of drives are %[1]g times shorter and %[1]g times more frequent than in reality (setting \"compress\")", d.Compress))
		}
	}
	if late := base.Took - res.Options.length(records); res.Options.Depth == 0 && late > lagging {
		res.Warnings = append(res.Warnings, fmt.Sprintf("even without slow drives, the last answer comes %v after the end of the trace, so the drives are too slow for this trace: reduce the speed (--speed)", late.Round(time.Millisecond)))
	}
}

// lagging is the longest time by which the last answer may come after the end of the trace. If it
// comes later, the drives are too slow for the trace.
const lagging = 5 * time.Second

// length returns how long a trace takes if no request waits.
func (o *Options) length(records []Record) time.Duration {
	if len(records) == 0 {
		return 0
	}
	return time.Duration(float64(records[len(records)-1].At) / o.Speed)
}
