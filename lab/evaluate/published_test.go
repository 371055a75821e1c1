package evaluate

import (
	"math"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
)

func published(t testing.TB) *Published {
	t.Helper()
	p, err := ReadPublished()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPublishedAggregates: what the paper aggregates comes out of its rows.
func TestPublishedAggregates(t *testing.T) {
	for _, c := range published(t).Testbench {
		got := aggregateRates(c.Faults)
		for rate := range numRates {
			if math.Abs(got[rate]-c.Aggregate[rate]) > 0.05 {
				t.Errorf("%s: aggregate %s is %.2f by its rows, printed %.1f", c.Source, rate, got[rate], c.Aggregate[rate])
			}
		}
	}
}

// TestPublishedObservable: the paper's rates of what can be observed come out
// of its rows, where every packet loss that was found is taken to be one that
// could be. Two rows say otherwise: of the 21 receive-pktlosses found on PVFS
// 10/10 one must have been elsewhere, since only 20 runs were observable; and
// the rates of PVFS 6/12 are those of 250 runs, a third workload for
// receive-pktloss, with all of its 27.
func TestPublishedObservable(t *testing.T) {
	const runs = 50 // of a fault
	observable := map[string]int{"receive-pktloss": 20, "send-pktloss": 20}
	for _, c := range published(t).Testbench {
		of := func(fault string) int {
			n, ok := observable[fault]
			switch {
			case !ok:
				return runs
			case c.Cluster == "pvfs-6/12" && fault == "receive-pktloss":
				return 30
			}
			return n
		}
		for _, want := range []struct {
			rate    Rate
			rate100 float64
		}{{itp, c.Observable.ITP}, {dtp, c.Observable.DTP}} {
			found, total := 0.0, 0
			for fault, row := range c.Faults {
				if fault == None {
					continue
				}
				total += of(fault)
				found += min(row[want.rate]*runs/100, float64(of(fault)))
			}
			if got := 100 * found / float64(total); math.Abs(got-want.rate100) > 0.0501 {
				t.Errorf("%s: observable %s is %.2f of %d runs, printed %.1f", c.Source, want.rate, got, total, want.rate100)
			}
		}
	}
}

// TestPublishedIsWhole: every cluster and fault of the test bench has its
// figures, and every event its latency.
func TestPublishedIsWhole(t *testing.T) {
	p := published(t)
	for _, c := range testbench.Clusters() {
		paper := p.cluster(c.String())
		if paper == nil {
			t.Errorf("there are no figures of %s", c)
			continue
		}
		for _, fault := range append(testbench.Faults(), None) {
			if math.IsNaN(paper.rates(string(fault))[itp]) {
				t.Errorf("%s has no row %s", paper.Source, fault)
			}
		}
	}
	events := map[string]int{}
	for i, l := range p.Latencies {
		events[l.Category]++
		if l.Hours <= 0 || l.At.IsZero() || l.Device == "" || l.Source == "" {
			t.Errorf("latency %d lacks something: %+v", i, l)
		}
	}
	for _, row := range p.Intrepid {
		if row.Observed["cdf"] != events[row.Category] {
			t.Errorf("%s: %d events, %d latencies", row.Category, row.Observed["cdf"], events[row.Category])
		}
		for _, m := range []string{"median", "thresh"} {
			if len(row.Later[m]) != row.Observed[m] {
				t.Errorf("%s: %s saw %d events and differs from cdf in %d", row.Category, m, row.Observed[m], len(row.Later[m]))
			}
		}
	}
	if len(p.Latencies) != 23 {
		t.Errorf("%d events, want 23", len(p.Latencies))
	}
}

// TestPublishedDifferences: L13 §5.3.3 states means and medians of Table 9.
func TestPublishedDifferences(t *testing.T) {
	want := map[string][2]float64{"median": {1.6, 0.5}, "thresh": {0.2, 0}}
	for measure, w := range want {
		var all []float64
		for _, row := range published(t).Intrepid {
			all = append(all, row.Later[measure]...)
		}
		if m := mean(all); math.Abs(m-w[0]) > 0.05 {
			t.Errorf("%s is later by %.2f h on average, the paper says %.1f", measure, m, w[0])
		}
		if m := medianOf(all); m != w[1] {
			t.Errorf("%s is later by a median of %g h, the paper says %g", measure, m, w[1])
		}
	}
}

// TestPublishedLatencies: the events that are simulated are those of the paper.
func TestPublishedLatencies(t *testing.T) {
	p := published(t)
	for _, i := range arrays.IntrepidEvents() {
		hours, source := p.latency(i.At)
		if math.Abs(hours-i.Latency.Hours()) > 0.01 || source == "" {
			t.Errorf("%s: seen after %g h, simulated as after %v", i.Name(), hours, i.Latency)
		}
		if !slices.ContainsFunc(p.Latencies, func(l PublishedLatency) bool { return l.At.Equal(i.At) && l.Category == string(i.Category) }) {
			t.Errorf("%s is no %s in the tables", i.Name(), i.Category)
		}
	}
}
