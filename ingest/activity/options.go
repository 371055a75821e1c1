package activity

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// Options describe how rows are made from activity files. With the zero value of Options, rows have
// only the metric tps, and the files determine the step and the system.
type Options struct {
	// StepSeconds is the length of a step in seconds. The value 0 means the median interval between
	// records, but at least Finest. If some servers have longer intervals, the value 0 means the
	// longest of these intervals, but at most mostCoarser times as long a step.
	StepSeconds int64
	Finest      int64            // shortest step that limpet chooses, in seconds; 0 means 15 s, as in L13
	Metrics     []string         // names of metrics in metric.All; tps is always included
	Wanted      Wanted           // further metrics, which are read if the files have records often enough
	Latencies   bool             // true if latencies of requests are to be read from the files that have them
	System      *topology.System // system of the rows; if it is nil, the system that the files show
	Peers       topology.Peers   // rule that groups components into peer groups if System is nil
}

// Wanted lists further metrics. They need a shorter step than the metrics in Options.Metrics. These
// metrics are read only if at least three servers have network interfaces, and if these servers
// have a record at least every WithinSeconds seconds.
type Wanted struct {
	Metrics       []string
	Finest        int64 // shortest step, in seconds
	WithinSeconds int64 // longest interval between records, in seconds
}

// Validate returns an error if a step is negative.
func (o *Options) Validate() error {
	if step := min(o.StepSeconds, o.Finest); step < 0 {
		return fmt.Errorf("a time step of %d s is not possible: give at least 1, or 0 to let limpet choose the time step from the records", step)
	}
	return nil
}

// defaultStep is the step of L13, in seconds. With steps of this length, most
// steps have values even under a light load (L13 §4.2).
const defaultStep = 15

// takeWanted adds the wanted metrics to o.Metrics if the files have records often enough. The
// result is true if takeWanted has added the metrics. It then also sets o.Finest, the shortest
// step, to the maximum of Wanted.Finest and the intervals between records of the servers with
// disks. Intervals longer than WithinSeconds do not count. The metrics of disks are always read, so
// every step needs a record with disks.
//
// takeWanted adds nothing if a server with disks would lose data by it. The interval of such a
// server is longer than WithinSeconds, but not longer than the step without the wanted metrics
// (Finest, or defaultStep). With the shorter step, most steps of this server would have no record.
func (o *Options) takeWanted(files []hostFiles) bool {
	fine, finest := 0, o.Wanted.Finest
	for i := range files {
		f := &files[i]
		within := f.Interval > 0 && f.Interval <= o.Wanted.WithinSeconds
		switch {
		case f.Disks && o.includes(f.Name, f.Services) && within:
			finest = max(finest, f.Interval)
		case f.Disks && o.includes(f.Name, f.Services) && f.Interval <= cmp.Or(o.Finest, defaultStep) && f.Interval > 0:
			return false
		}
		if f.Interfaces && within && o.mayHave(f.Name) {
			fine++
		}
	}
	if len(o.Wanted.Metrics) == 0 || o.StepSeconds > o.Wanted.WithinSeconds || fine < topology.MinPeers {
		return false
	}
	o.Metrics, o.Finest = slices.Concat(o.Metrics, o.Wanted.Metrics), finest
	return true
}

// includes reports whether the system includes a host. A topology file does not contain clusters of
// services, such as Ceph. So the result is always true for a host that represents such a cluster.
func (o *Options) includes(host string, services bool) bool {
	return o.System == nil || services || slices.ContainsFunc(o.System.Servers, func(s string) bool { return sysstat.SameHost(s, host) })
}

// mayHave reports whether the system may have interfaces of a host. With a
// topology file, the system has only the interfaces that the file lists.
func (o *Options) mayHave(host string) bool {
	return o.System == nil || slices.ContainsFunc(o.System.Components, func(c topology.Component) bool {
		return c.Kind == topology.Interface && sysstat.SameHost(c.Server, host)
	})
}
