package replay

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// A Result is what a trace came to under each policy.
type Result struct {
	Trace     string // what reports call it
	Options   Options
	Virtual   bool
	FaultFree *Run // normal, without slow drives
	Runs      []*Run
	Warnings  []string
}

// A Run is a trace replayed once.
type Run struct {
	Policy   policy.Options
	Counters policy.Counters
	Took     time.Duration

	latency []time.Duration // by record; -1 of writes, and of reads that failed
	sorted  []time.Duration // of the others
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

// Reads is how many reads were served.
func (r *Run) Reads() int { return len(r.sorted) }

// Latency is the least latency that a share of the reads does not exceed.
func (r *Run) Latency(share float64) time.Duration {
	if len(r.sorted) == 0 {
		return 0
	}
	return r.sorted[rank(share, len(r.sorted))]
}

// rank is the place of a quantile among n. A share is a decimal fraction and
// no more exact than its digits.
func rank(share float64, n int) int {
	place := int(math.Ceil(share*float64(n) - 1e-6))
	return min(max(place-1, 0), n-1)
}

// Extra is how many extra reads were made of members for each read that was
// needed.
func (r *Run) Extra() float64 {
	needed := r.Counters.Reads - r.Counters.Extra
	if needed == 0 {
		return 0
	}
	return float64(r.Counters.Extra) / float64(needed)
}

// Slowdowns are how many times longer than without slow drives each read
// took, in increasing order.
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

// Against is a quantile of a run's latencies as a multiple of the same one
// without slow drives.
func (r *Run) Against(faultFree *Run, share float64) float64 {
	return float64(r.Latency(share)) / float64(max(faultFree.Latency(share), 1))
}

// warn says what a reader of the result should know.
func (res *Result) warn(records []Record) {
	base := res.FaultFree
	if n := base.Reads(); n < 10_000 {
		res.Warnings = append(res.Warnings, fmt.Sprintf("with only %d reads, p99.99 is the latency of the slowest read: replay at least 10,000 reads", n))
	}
	if d := &res.Options.Distribution; d.Kind == KindPeriodic {
		if passed := time.Duration(float64(base.Took) * d.Compress); passed < d.Periodic.To {
			res.Warnings = append(res.Warnings, fmt.Sprintf("the trace lasts only %v for the drives, but a drive is slow only once in %v to %v: replay a longer trace, or raise the setting \"compress\"", passed.Round(time.Second), d.Periodic.From, d.Periodic.To))
		}
		if d.Compress != 1 {
			res.Warnings = append(res.Warnings, fmt.Sprintf("the slow periods of drives are %[1]g times shorter and %[1]g times more frequent than in reality (setting \"compress\")", d.Compress))
		}
	}
	if late := base.Took - res.Options.length(records); res.Options.Depth == 0 && late > lagging {
		res.Warnings = append(res.Warnings, fmt.Sprintf("even without slow drives, the last answer comes %v after the end of the trace, so the drives are too slow for this trace: reduce the speed (--speed)", late.Round(time.Millisecond)))
	}
}

// lagging is how long no drive that keeps up takes.
const lagging = 5 * time.Second

// length is how long a trace takes where nobody waits.
func (o *Options) length(records []Record) time.Duration {
	if len(records) == 0 {
		return 0
	}
	return time.Duration(float64(records[len(records)-1].At) / o.Speed)
}
