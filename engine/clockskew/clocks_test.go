package clockskew

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/topology"
)

// TestClocksOfTestBench: faults are no skews, and skews are found beside faults.
func TestClocksOfTestBench(t *testing.T) {
	faults := append([]testbench.Fault{testbench.None}, testbench.Faults()...)
	var runs []*testbench.Experiment
	for _, c := range []testbench.Cluster{{FileSystem: testbench.PVFS, Clients: 10, Servers: 10}, {FileSystem: testbench.Lustre, Clients: 6, Servers: 12}} {
		for _, w := range testbench.Workloads() {
			runs = append(runs, testbench.New(c, w, faults[len(runs)%len(faults)], uint64(len(runs))))
		}
	}
	var all tally
	for i, e := range runs {
		if testing.Short() && i%2 == 1 {
			continue
		}
		t.Run(fmt.Sprintf("%s %s %s", e.Cluster, e.Workload, e.Fault), func(t *testing.T) {
			r := taped(t, e)
			for _, ahead := range []map[int]int{{}, {i: 3}, {(i + 3) % 10: 5}, {(i + 6) % 10: -10}, {(i + 1) % 10: 10, (i + 7) % 10: -3}} {
				all.judge(t, ahead, r.skews(ahead))
			}
		})
	}
	if 10*all.found < 9*all.skews {
		t.Errorf("%d of %d skews are found, want nine of ten", all.found, all.skews)
	}
}

// tally counts the skews that are found.
type tally struct{ skews, found int }

func (a *tally) judge(t *testing.T, ahead, found map[int]int) {
	t.Helper()
	a.skews += len(ahead)
	for server, seconds := range found {
		if want, is := ahead[server]; !is || seconds < want-1 || seconds > want+1 {
			t.Errorf("ahead %v, found %v", ahead, found)
			continue
		}
		a.found++
	}
}

// TestOddServersAreNoSkews: only a server whose load always comes later has a clock that
// is ahead.
func TestOddServersAreNoSkews(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const seconds = 1500
	work, other := bursts(rng, seconds), bursts(rng, seconds)
	within := func(t, n int) bool { return slices.Contains(work[max(0, t-n):t+1], true) }
	throughout := func(t, n int) bool { return !slices.Contains(work[max(0, t-n):t+1], false) }
	for _, c := range []struct {
		name string
		busy busy
		want map[int]int
	}{
		{"all in time", func(_, t int) bool { return work[t] }, nil},
		{"the first is ahead", func(s, t int) bool { return work[max(0, t-5)] && s == 0 || work[t] && s > 0 }, map[int]int{0: 5}},
		{"the first ends late", func(s, t int) bool { return work[t] || s == 0 && within(t, 5) }, nil},
		{"the first starts late", func(s, t int) bool { return work[t] && (s > 0 || throughout(t, 5)) }, nil},
		{"the others wait for the first", func(s, t int) bool { return work[t] || s > 0 && within(t, 3) }, nil},
		{"the first works for others", func(s, t int) bool { return work[t] && s > 0 || other[t] && s == 0 }, nil},
		{"one after the other", func(s, t int) bool { return (t+7*s)%70 < 30 }, nil},
		{"each at its own time", func(s, t int) bool { return work[(t+97*s)%seconds] }, nil},
		{"half are ahead", func(s, t int) bool { return work[max(0, t-5*(s%2))] }, map[int]int{-1: -5}},
		{"a rhythm", func(s, t int) bool { return (t+min(s, 1)*5)%20 < 8 }, nil},
		{"always busy", func(_, t int) bool { return true }, nil},
		{"always idle", func(_, t int) bool { return false }, nil},
	} {
		for _, servers := range []int{4, 10} {
			r := carry(rng, topology.Interface, traffic, servers, seconds, 1, c.busy)
			if got := r.skews(nil); fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%s, of %d: found %v, want %v", c.name, servers, got, c.want)
			}
		}
	}
}

// TestClocksNeed: the least data for a skew.
func TestClocksNeed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	work := bursts(rng, 3600)
	drives := func(m ...metric.Metric) []metric.Metric { return m }
	for _, c := range []struct {
		name           string
		kind           topology.Kind
		metrics        []metric.Metric
		servers, steps int
		step           int64
		ahead, want    int // steps, seconds
	}{
		{"interfaces", topology.Interface, traffic, 6, 600, 1, 4, 4},
		{"a clock behind", topology.Interface, traffic, 6, 600, 1, -30, -30},
		{"one second is nothing", topology.Interface, traffic, 6, 600, 1, 1, 0},
		{"too far", topology.Interface, traffic, 6, 600, 1, 40, 0},
		{"too short", topology.Interface, traffic, 6, 290, 1, 4, 0},
		{"three servers", topology.Interface, traffic, 3, 600, 1, 4, 4},
		{"two servers", topology.Interface, traffic, 2, 600, 1, 4, 0},
		{"steps of two seconds", topology.Interface, traffic, 6, 600, 2, 1, 2},
		{"steps of five seconds", topology.Interface, traffic, 6, 600, 5, -3, -15},
		{"steps too long", topology.Interface, traffic, 6, 600, 6, 3, 0},
		{"drives that read", topology.Attachment, drives(metric.Await, metric.RdSec), 6, 600, 1, 4, 4},
		{"drives that write", topology.Attachment, drives(metric.Await, metric.WrSec), 6, 600, 1, 4, 0},
	} {
		r := carry(rng, c.kind, c.metrics, c.servers, c.steps, c.step, func(_, t int) bool { return work[int64(t)*c.step%3600] })
		if got := r.skews(map[int]int{1: c.ahead})[1]; got != c.want {
			t.Errorf("%s: found %d s, want %d", c.name, got, c.want)
		}
	}
}

// TestClocksWithGaps: missing values are neither rises nor falls.
func TestClocksWithGaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	work := bursts(rng, 1500)
	r := carry(rng, topology.Interface, traffic, 5, len(work), 1, func(_, t int) bool { return work[t] })
	for i, row := range r.rows {
		if i%3 == 0 {
			row.Values[0][1], row.Values[1][1] = table.Missing, table.Missing
		}
	}
	for _, ahead := range []map[int]int{{}, {1: 6}} {
		if got := r.skews(ahead); fmt.Sprint(got) != fmt.Sprint(ahead) {
			t.Errorf("found %v, want %v", got, ahead)
		}
	}
}

// TestClocksAcrossLostRows: lost rows count as passed time.
func TestClocksAcrossLostRows(t *testing.T) {
	const cycle, lost = 200, 80
	r := carry(rand.New(rand.NewPCG(3, 4)), topology.Interface, traffic, 5, 10*cycle, 1, func(s, t int) bool {
		return s > 0 && t%cycle >= 10 && t%cycle < 15 || s == 0 && t%cycle >= lost+27 && t%cycle < lost+32
	})
	r.rows = slices.DeleteFunc(r.rows, func(row *table.Row) bool { return row.End%cycle > 20 && row.End%cycle <= 20+lost })
	if got := r.skews(nil); len(got) > 0 {
		t.Errorf("found %v, want none: the first is 97 s late, 17 rows", got)
	}
}

// TestClockSetRight: a wrong clock is reported until it has been right for some hours.
func TestClockSetRight(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	const wrong = 5 * 3600
	work := bursts(rng, 7*3600)
	r := carry(rng, topology.Interface, traffic, 5, len(work), 1, func(s, t int) bool {
		if s == 0 && t < wrong {
			return work[max(0, t-8)]
		}
		return work[t]
	})
	c := clocks(r.system, r.schema)
	var told []int
	for i, row := range r.rows {
		c.Push(row)
		if (i+1)%3600 == 0 {
			told = append(told, len(c.Skews()))
		}
	}
	if want := []int{1, 1, 1, 1, 1}; !slices.Equal(told[:5], want) || told[6] != 0 {
		t.Errorf("skews by hour are %v, want one until two hours after it was set right, at five", told)
	}
}

// TestLag: the lag of a server, from the products of its changes with those of the others
// at seven lags.
func TestLag(t *testing.T) {
	o := DefaultOptions()
	for _, c := range []struct {
		name          string
		rises, falls  []float64
		power, unison float64
		want          int64
	}{
		{"in time", []float64{0, 0, 0, 9, 0, 0, 0}, []float64{0, 0, 0, 9, 0, 0, 0}, 20, 1, 0},
		{"late", []float64{0, 0, 0, 0, 0, 9, 0}, []float64{0, 0, 0, 0, 0, 9, 0}, 20, 1, 2},
		{"early", []float64{9, 0, 0, 0, 0, 0, 0}, []float64{9, 2, 0, 0, 0, 0, 0}, 20, 1, -3},
		{"falls a little later", []float64{0, 0, 0, 0, 9, 0, 0}, []float64{0, 0, 0, 0, 4, 5, 0}, 20, 1, 1},
		{"rises in time", []float64{0, 0, 0, 4, 0, 0, 0}, []float64{0, 0, 0, 0, 9, 0, 0}, 20, 1, 0},
		{"falls in time", []float64{0, 0, 0, 0, 0, 9, 0}, []float64{0, 0, 0, 4, 0, 0, 0}, 20, 1, 0},
		{"rises too soon", []float64{0, 0, 4, 0, 0, 0, 0}, []float64{0, 0, 0, 0, 9, 0, 0}, 20, 1, 0},
		{"half in time", []float64{0, 0, 0, 4, 5, 0, 0}, []float64{0, 0, 0, 4, 5, 0, 0}, 20, 1, 0},
		{"at two lags", []float64{9, 0, 0, 0, 0, 7, 0}, []float64{9, 0, 0, 0, 0, 7, 0}, 40, 1, 0},
		{"little alike", []float64{0, 0, 0, 0, 0, 9, 0}, []float64{0, 0, 0, 0, 0, 9, 0}, 70, 1, 0},
		{"others not in unison", []float64{0, 0, 0, 0, 0, 9, 0}, []float64{0, 0, 0, 0, 0, 9, 0}, 20, 0.1, 0},
		{"nothing happens", make([]float64, 7), make([]float64, 7), 0, 0, 0},
	} {
		timing := timing{rises: c.rises, falls: c.falls, power: [2]float64{c.power, c.power}, unison: c.unison, parts: 1}
		if got := timing.lag(&o, 2); got != c.want {
			t.Errorf("%s: lag %d, want %d", c.name, got, c.want)
		}
	}
}

// BenchmarkClocks pushes rows of a thousand servers.
func BenchmarkClocks(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 6))
	r := carry(rng, topology.Interface, traffic, 1000, 100, 1, func(int, int) bool { return true })
	c := clocks(r.system, r.schema)
	for i := 0; b.Loop(); i++ {
		row := r.rows[i%len(r.rows)]
		row.End = int64(i + 1)
		c.Push(row)
	}
}
