package activity

import (
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest/osd"
)

// services computes the values of OSDs from the counters in the files of a Ceph cluster. These
// files store a cluster like a server, and an OSD like two devices: one device for its reads and
// one for its commits (package osd). So an OSD has two slots (indexes) in a table.Fold. Reads have
// the slots 0, 2, 4 and so on.
type services struct {
	components []int
	columns    []hostColumn
	groups     [][]int // indexes in components, by peer group
}

// kindsOfService is the number of devices of an OSD: reads and commits.
const kindsOfService = 2

// newServices returns the services among the disks of a server. It returns nil if the server is a
// real machine, whose disks are not services.
func newServices(d *disks) *services {
	if len(d.components) == 0 || !d.system.Components[d.components[0]].Service {
		return nil
	}
	s := &services{components: d.components, columns: d.columns}
	at := map[int]int{}
	for i, c := range d.components {
		group := d.system.Components[c].Group
		if _, ok := at[group]; !ok {
			at[group] = len(s.groups)
			s.groups = append(s.groups, nil)
		}
		s.groups[at[group]] = append(s.groups[at[group]], i)
	}
	return s
}

// slot returns the slot (index in a table.Fold) of a device of an OSD. The parameter `index` is the
// index of the OSD in services.components.
func (s *services) slot(index int, device string) int {
	_, kind := osd.NameOf(device)
	return kindsOfService*index + kind
}

// put writes the values of a step into a row. It computes the latencies of OSDs with osd.Latencies,
// so that OSDs with different shares of reads can be compared.
func (s *services) put(step *table.Step, row *table.Row) {
	for _, group := range s.groups {
		var known []int
		var requests []osd.Requests
		for _, i := range group {
			if r := kindsOfService * i; step.Known[r] && step.Known[r+1] {
				known = append(known, i)
				requests = append(requests, osd.Requests{Read: timesOf(&step.Work[r]), Commit: timesOf(&step.Work[r+1])})
			}
		}
		for n, ms := range osd.Latencies(requests) {
			s.putOne(known[n], ms, step, row)
		}
	}
}

func timesOf(w *metric.DiskWork) osd.Times {
	return osd.Times{Count: float64(w.IOs), Seconds: float64(w.WaitMs) / 1000}
}

// Indexes of the metrics that are computed in another way for a service than for a device. A
// service has no svctm and util, because it does not count how long it is busy.
var (
	awaitPlace = metric.Index(metric.Device(), metric.Await.Name)
	svctmPlace = metric.Index(metric.Device(), metric.SvcTm.Name)
	utilPlace  = metric.Index(metric.Device(), metric.Util.Name)
)

// putOne writes the values of one OSD. If the OSD had no requests, its latency is 0, as for a
// device.
func (s *services) putOne(i int, ms float64, step *table.Step, row *table.Row) {
	reads, commits := &step.Work[kindsOfService*i], &step.Work[kindsOfService*i+1]
	all := metric.DiskWork{
		IOs: reads.IOs + commits.IOs, Read: reads.Read, Written: commits.Written, Moved: reads.Moved + commits.Moved,
		WaitMs: reads.WaitMs + commits.WaitMs, QueueMs: reads.QueueMs + commits.QueueMs,
	}
	for _, p := range s.columns {
		value := all.Value(p.Place, step.Seconds)
		switch {
		case p.Place == awaitPlace && all.IOs > 0:
			value = ms
		case p.Place == svctmPlace || p.Place == utilPlace:
			value = table.Missing
		}
		row.Values[p.Row][s.components[i]] = value
	}
}
