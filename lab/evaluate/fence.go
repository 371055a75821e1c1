package evaluate

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/lab/testbed"
)

// A Fence is the rule of a simple alert, with which the diagnosis is compared: a component is slow
// if its latency is above a limit that its peers set at the same time.
type Fence struct {
	Name string
	// limit returns the largest latency that a component with these peers may have.
	limit func(peers []float64) float64
}

// fenceSeconds is how long a latency must be above the limit before the fence accuses the
// component. The alerts of monitoring systems wait as long ("for: 1m").
const fenceSeconds = 60

// leastPeers is the smallest number of peers of a fence: the deviation of fewer peers is too
// uncertain.
const leastPeers = 3

// madScale is the ratio of the standard deviation to the median absolute deviation of a normal
// distribution.
const madScale = 1.4826

// Fences are the rules that can be chosen.
var Fences = []Fence{
	// The component itself is left out: one of six components is never three deviations from a mean that
	// includes its own value.
	{"three-deviations", func(peers []float64) float64 {
		mean, squares := 0.0, 0.0
		for _, v := range peers {
			mean += v / float64(len(peers))
		}
		for _, v := range peers {
			squares += (v - mean) * (v - mean) / float64(len(peers)-1)
		}
		return mean + 3*math.Sqrt(squares)
	}},
	// HDFS reports slow data nodes by this rule (OutlierDetector): three times the median, and three
	// deviations above the median.
	{"median", func(peers []float64) float64 {
		median := quantile.Median(peers)
		off := make([]float64, len(peers))
		for i, v := range peers {
			off[i] = math.Abs(v - median)
		}
		return max(3*median, median+3*madScale*quantile.Median(off))
	}},
}

// ParseFence returns the fence of a name.
func ParseFence(name string) (*Fence, error) {
	var names []string
	for i := range Fences {
		if Fences[i].Name == name {
			return &Fences[i], nil
		}
		names = append(names, Fences[i].Name)
	}
	return nil, fmt.Errorf("the rule %q is unknown: use %s", name, strings.Join(names, " or "))
}

// evaluate compares the accusations of the fence in a run with the truth. A fence finds no cause:
// it reports that a service is slow.
func (f *Fence) evaluate(ctx context.Context, t *testbed.Truth, open Open) (*ExperimentsOutcome, error) {
	d, err := open(ctx, t.Run)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	o := newExperimentsOutcome(t)
	schema := d.Stream.Schema()
	latency := schema.Leading(d.Options.Metrics)
	watch := newFenceWatch(f, schema.Components)
	err = each(ctx, d.Stream, func(row *table.Row) {
		for _, c := range watch.row(row.End, row.Values[latency]) {
			o.accuseAt(t, d.System.Components[c].Server, row.End)
		}
	})
	return o, err
}

// accuseAt counts the accusation of a server by a fence.
func (o *ExperimentsOutcome) accuseAt(t *testbed.Truth, server string, at int64) {
	b := Blame{Server: server, Cause: slowService}
	switch {
	case server != t.Server:
	case at < t.Begin.Unix():
		b.Server += " (before the fault)"
	case t.Fault.Harmless():
		return
	default:
		if rightName(t.Fault, slowService) {
			b.Cause = string(t.Fault)
		}
		late := float64(at - t.Begin.Unix())
		o.SuspectSeconds, o.IncidentSeconds = earlier(o.SuspectSeconds, late), earlier(o.IncidentSeconds, late)
	}
	o.Indicted = append(o.Indicted, b)
}

// fenceWatch records how long each component is above its limit.
type fenceWatch struct {
	fence   *Fence
	since   []int64 // time at which the latency of the component rose above its limit; 0: it is below
	accused []bool
}

func newFenceWatch(f *Fence, components int) *fenceWatch {
	return &fenceWatch{fence: f, since: make([]int64, components), accused: make([]bool, components)}
}

// row adds the latencies of one moment, and returns the components that are accused now. A
// component is accused once. A moment without a latency changes nothing.
func (w *fenceWatch) row(end int64, latencies []float64) (accused []int) {
	for c, v := range latencies {
		if table.IsMissing(v) {
			continue
		}
		var peers []float64
		for i, p := range latencies {
			if i != c && !table.IsMissing(p) {
				peers = append(peers, p)
			}
		}
		switch {
		case len(peers) < leastPeers:
			continue
		case v <= w.fence.limit(peers):
			w.since[c] = 0
			continue
		case w.since[c] == 0:
			w.since[c] = end
		}
		if end-w.since[c] >= fenceSeconds && !w.accused[c] {
			w.accused[c] = true
			accused = append(accused, c)
		}
	}
	return accused
}
