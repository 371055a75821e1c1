package testbench

import (
	"testing"
)

// What F10 §6.1 observed of PVFS and Lustre. None of it is written down in
// the model.

// Observation 1: fault-free servers track each other in throughput and
// latency.
func TestServersTrackEachOther(t *testing.T) {
	each(t, Clusters(), large, func(t *testing.T, c Cluster, w Workload) {
		o := view(t, short(with(c, w, None)))
		if c.FileSystem == PVFS {
			between(t, "spread of throughput", spread(o.during[throughput(w)], -1), 0, 0.03)
			between(t, "spread of await", spread(o.during["await"], -1), 0, 1)
			return
		}
		// Lustre keeps its disks saturated, where small differences show (F10
		// §12): the queues are where the slowest is.
		between(t, "spread of throughput", spread(o.during[throughput(w)], -1), 0, 0.1)
		between(t, "spread of await", spread(o.during["await"], -1), 0, 2)
	})
}

// Observation 2: when one server has a fault, the others' throughput drops
// alike, since clients wait for the slowest.
func TestOthersDropAlike(t *testing.T) {
	each(t, Clusters(), []Workload{DDR, DDW}, func(t *testing.T, c Cluster, w Workload) {
		o := view(t, with(c, w, DiskBusy))
		now, before := others(o.during[throughput(w)], faultyServer), others(o.before[throughput(w)], faultyServer)
		between(t, "throughput of the others against before", now/before, 0, 0.7)
		between(t, "spread among the others", spread(o.during[throughput(w)], faultyServer), 0, 0.05)
	})
}

// Observation 3: the others need no longer for a request than before.
func TestOthersServeAsQuickly(t *testing.T) {
	each(t, Clusters(), []Workload{DDR, DDW}, func(t *testing.T, c Cluster, w Workload) {
		o := view(t, with(c, w, DiskBusy))
		for _, m := range []string{"await", "avgqu-sz"} {
			between(t, m+" of the others against before", others(o.during[m], faultyServer)/others(o.before[m], faultyServer), 0, 1.1)
		}
	})
}

// Observation 4: a hog raises throughput at its server and lowers it at the
// others.
func TestHogsRaiseThroughput(t *testing.T) {
	each(t, Clusters(), []Workload{DDR}, func(t *testing.T, c Cluster, w Workload) {
		o := view(t, with(c, w, DiskHog))
		before := others(o.before["rd_sec"], faultyServer)
		between(t, "rd_sec of the others against before", others(o.during["rd_sec"], faultyServer)/before, 0, 0.97)
		between(t, "rd_sec of the hog's server against the others'", o.during["rd_sec"][faultyServer]/others(o.during["rd_sec"], faultyServer), 1.1, 20)
	})
	each(t, []Cluster{pvfs10, lustre6}, []Workload{DDW}, func(t *testing.T, c Cluster, w Workload) {
		o := view(t, with(c, w, WriteNetworkHog))
		between(t, "rxbyt of the hog's server against the others'", o.during["rxbyt"][faultyServer]/others(o.during["rxbyt"], faultyServer), 1.3, 20)
		between(t, "cwnd_in of the hog's server against the others'", o.during["cwnd_in"][faultyServer]/others(o.during["cwnd_in"], faultyServer), 0, 0.9) // observation 7, of hogs
		between(t, "rxbyt of the others against before", others(o.during["rxbyt"], faultyServer)/others(o.before["rxbyt"], faultyServer), 0, 0.99)
	})
	each(t, []Cluster{pvfs10, lustre6}, []Workload{DDR}, func(t *testing.T, c Cluster, w Workload) {
		o := view(t, with(c, w, ReadNetworkHog))
		between(t, "txbyt of the hog's server against the others'", o.during["txbyt"][faultyServer]/others(o.during["txbyt"], faultyServer), 1.3, 20)
		between(t, "txbyt of the others against before", others(o.during["txbyt"], faultyServer)/others(o.before["txbyt"], faultyServer), 0, 0.99)
	})
}

// Observation 5: a busy disk and lost packets lower throughput on all servers
// alike: there is no asymmetry to see.
func TestBusyAndLossKeepThroughputEven(t *testing.T) {
	faults := map[Workload][]Fault{DDR: {DiskBusy, SendLoss}, DDW: {DiskBusy, ReceiveLoss}}
	each(t, []Cluster{pvfs10, lustre6}, []Workload{DDR, DDW}, func(t *testing.T, c Cluster, w Workload) {
		for _, f := range faults[w] {
			o := view(t, with(c, w, f))
			m := o.during[throughput(w)]
			between(t, string(f)+": throughput of the others against before", others(m, faultyServer)/others(o.before[throughput(w)], faultyServer), 0, 0.9)
			between(t, string(f)+": throughput of the faulty against the others'", m[faultyServer]/others(m, faultyServer), 0.95, 1.05)
		}
	})
}

// Observation 6: hogged and busy disks show in await, avgqu-sz and %util of
// their server, which fall at the others.
func TestDiskFaultsRaiseLatency(t *testing.T) {
	for _, f := range []Fault{DiskHog, DiskBusy} {
		each(t, Clusters(), []Workload{DDR, PostMark}, func(t *testing.T, c Cluster, w Workload) {
			o := view(t, with(c, w, f))
			for _, m := range []string{"await", "avgqu-sz"} {
				now := o.during[m]
				between(t, string(f)+": "+m+" of the faulty against the others'", now[faultyServer]/others(now, faultyServer), 1.5, 1e6)
			}
			// A disk that is saturated anyhow shows it in %util the least.
			between(t, string(f)+": %util of the faulty against the others'", o.during["%util"][faultyServer]/others(o.during["%util"], faultyServer), 1.01, 1e6)
			for m, most := range fallen(f, c, w) {
				between(t, string(f)+": "+m+" of the others against before", others(o.during[m], faultyServer)/others(o.before[m], faultyServer), 0, most)
			}
		})
	}
}

// fallen is what of before the others have at most. PostMark on Lustre goes on
// as before, since nobody waits for what is written; and clients that a hog
// holds up come back together, so that the others' requests wait for each
// other a little more, though there are fewer of them.
func fallen(f Fault, c Cluster, w Workload) map[string]float64 {
	switch {
	case c.FileSystem == Lustre && w == PostMark:
		return map[string]float64{"await": 1.05, "avgqu-sz": 1.05, "%util": 1.05}
	case f == DiskHog:
		return map[string]float64{"await": 1.25, "avgqu-sz": 1.05, "%util": 1}
	}
	return map[string]float64{"await": 1, "avgqu-sz": 1, "%util": 1}
}

// Observation 7: where packets are lost, the congestion windows of the
// connections with the faulty server drop to single digits, and only those.
func TestLossClosesWindows(t *testing.T) {
	ways := map[Workload]struct {
		fault Fault
		cwnd  string
	}{DDR: {SendLoss, "cwnd_out"}, IOzoneR: {SendLoss, "cwnd_out"}, DDW: {ReceiveLoss, "cwnd_in"}, IOzoneW: {ReceiveLoss, "cwnd_in"}}
	each(t, Clusters(), large, func(t *testing.T, c Cluster, w Workload) {
		way := ways[w]
		o := view(t, with(c, w, way.fault))
		between(t, way.cwnd+" of the faulty", o.during[way.cwnd][faultyServer], 1, 9.9)
		between(t, way.cwnd+" of the faulty against the others'", o.during[way.cwnd][faultyServer]/others(o.during[way.cwnd], faultyServer), 0, 0.5)
		between(t, way.cwnd+" of the others against before", others(o.during[way.cwnd], faultyServer)/others(o.before[way.cwnd], faultyServer), 0.6, 3)
	})
}
