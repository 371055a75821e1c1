package testbench

import (
	"io"
	"math"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
)

// What F10 §12 learned, and §11 of which faults show where.

// Buried ACKs: a hog's acknowledgments are lost in the data that go the same
// way; in packets they show.
func TestBuriedACKs(t *testing.T) {
	o := view(t, with(pvfs10, DDR, WriteNetworkHog))
	between(t, "rxbyt against the others'", o.during["rxbyt"][faultyServer]/others(o.during["rxbyt"], faultyServer), 10, 1e6)
	between(t, "txbyt against the others'", o.during["txbyt"][faultyServer]/others(o.during["txbyt"], faultyServer), 1, 1.15)
	between(t, "txpck against the others'", o.during["txpck"][faultyServer]/others(o.during["txpck"], faultyServer), 1.5, 100)
}

// Delayed ACKs: with holes in what arrives every packet is acknowledged, so
// the faulty server sends about twice the acknowledgments of the others,
// though its data come as slowly as theirs.
func TestDelayedACKs(t *testing.T) {
	o := view(t, with(pvfs10, DDW, ReceiveLoss))
	between(t, "rxbyt against the others'", o.during["rxbyt"][faultyServer]/others(o.during["rxbyt"], faultyServer), 0.95, 1.15)
	between(t, "txbyt against the others'", o.during["txbyt"][faultyServer]/others(o.during["txbyt"], faultyServer), 1.5, 2.5)
}

// Cross-resource influence: without read-ahead a busy disk lets its server
// send alone, without congestion: its window is larger than the others'.
func TestBusyDiskOpensWindow(t *testing.T) {
	o := view(t, with(pvfs10, DDR, DiskBusy))
	between(t, "cwnd_out against the others'", o.during["cwnd_out"][faultyServer]/others(o.during["cwnd_out"], faultyServer), 1.2, 100)
}

// Metadata heterogeneity: the server of "/" takes part in every lookup, those
// of the clients' directories in many. On Lustre no file server does.
func TestMetadataImbalance(t *testing.T) {
	for _, c := range []Cluster{pvfs10, pvfs6} {
		o := view(t, short(with(c, PostMark, None)))
		between(t, c.String()+": rxpck of the root's server against the others'", o.during["rxpck"][0]/others(o.during["rxpck"], 0), 1.8, 20)
	}
	o := view(t, short(with(pvfs6, PostMark, None)))
	rx := slices.Sorted(slices.Values(o.during["rxpck"][1:]))
	between(t, "rxpck of servers with a directory against those without", rx[9]/rx[1], 1.2, 5)
	o = view(t, short(with(lustre6, PostMark, None)))
	between(t, "spread of rxpck on Lustre", spread(o.during["rxpck"], -1), 0, 0.2)
}

// Multiple clients: one writer's windows are steady, those of many are not.
func TestManyClientsAreChaotic(t *testing.T) {
	one, many := unrest(t, Cluster{PVFS, 1, 10}), unrest(t, pvfs10)
	if one > 0.8*many {
		t.Errorf("the windows of one client vary by %.2f, those of ten by %.2f", one, many)
	}
}

// unrest is how much the logarithm of a client's window varies from second to
// second.
func unrest(t *testing.T, c Cluster) float64 {
	e := short(with(c, DDW, None))
	e.Watched = 1
	r, err := e.Run()
	if err != nil {
		t.Fatal(err)
	}
	window := metric.Index(r.schema.Metrics, metric.CwndIn.Name)
	last, sum, n := 0.0, 0.0, 0.0
	for r.sim.seconds() < lead+200 {
		row, err := r.Next()
		if err == io.EOF {
			break
		}
		now := math.Log(row.Values[window][r.servers[0].host])
		if r.sim.seconds() > lead+30 {
			sum, n = sum+math.Abs(now-last), n+1
		}
		last = now
	}
	return sum / n
}

// Faults cost time where the workload meets them: lost packets only where
// data flow the way they are lost (F10 §11).
func TestFaultsSlowTheRun(t *testing.T) {
	tests := []struct {
		fault     Fault
		workload  Workload
		low, high float64
	}{
		{ReadNetworkHog, DDR, 1.01, 2},
		{WriteNetworkHog, DDW, 0.98, 2},
		{DiskHog, DDR, 1.05, 2},
		{DiskHog, PostMark, 1.1, 2},
		{DiskBusy, DDW, 1.1, 2},
		{DiskBusy, PostMark, 1.1, 2},
		{ReceiveLoss, DDW, 1.1, 2},
		{ReceiveLoss, DDR, 0.95, 1.08},
		{SendLoss, DDR, 1.1, 2},
		{SendLoss, DDW, 0.95, 1.08},
	}
	for i, tt := range tests {
		if testing.Short() && i%2 == 1 {
			continue
		}
		t.Run(string(tt.fault)+" "+string(tt.workload), func(t *testing.T) {
			t.Parallel()
			free, faulty := runSeconds(t, with(pvfs10, tt.workload, None)), runSeconds(t, with(pvfs10, tt.workload, tt.fault))
			between(t, "run time without a fault", free, 540, 680)
			between(t, "run time against that", faulty/free, tt.low, tt.high)
		})
	}
}

// Until the fault strikes, a run is that without one.
func TestTwinsAreAlikeUntilTheFault(t *testing.T) {
	for _, f := range Faults() {
		a, b := view(t, short(with(pvfs6, DDW, None))), view(t, short(with(pvfs6, DDW, f)))
		for name, values := range a.before {
			if !slices.Equal(values, b.before[name]) {
				t.Errorf("%s: %s differs before the fault", f, name)
			}
		}
	}
}
