package activity

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// Options say how activity files become rows. The zero value judges
// nothing but finds out the rest from the files.
type Options struct {
	// StepSeconds is the length of a step; 0 takes Finest, or the interval of
	// the records where that is longer.
	StepSeconds int64
	Finest      int64            // 0: 15 s, as L13 did
	Metrics     []string         // of metric.All, beside tps
	Wanted      Wanted           // what is read besides where the files allow it
	Latencies   bool             // how long requests took is read, where a file has it
	System      *topology.System // nil: what the files show
	Peers       topology.Peers   // who is compared with whom where System is nil
}

// Wanted is what is read besides, in a finer step, where at least three servers
// have interfaces and their records are not too far apart.
type Wanted struct {
	Metrics       []string
	Finest        int64 // seconds of a step
	WithinSeconds int64 // that records may be apart
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	if step := min(o.StepSeconds, o.Finest); step < 0 {
		return fmt.Errorf("a step of %d s: at least 1 is needed, or 0 to let the records decide", step)
	}
	return nil
}

// defaultStep is L13's (§4.2): long enough that a light load leaves values in
// most steps.
const defaultStep = 15

// takeWanted adds what is wanted to what is needed, where the files allow it: in
// the step of the wanted, or of the disks where their records are farther apart.
// What is needed comes first: disks that only a longer step has the records for
// keep it.
func (o *Options) takeWanted(files []hostFiles) bool {
	fine, finest := 0, o.Wanted.Finest
	for i := range files {
		f := &files[i]
		within := f.Interval > 0 && f.Interval <= o.Wanted.WithinSeconds
		switch {
		case f.Disks && o.has(f.Name) && within:
			finest = max(finest, f.Interval)
		case f.Disks && o.has(f.Name) && f.Interval <= cmp.Or(o.Finest, defaultStep) && f.Interval > 0:
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

// has says whether a host is one of the system.
func (o *Options) has(host string) bool {
	return o.System == nil || slices.ContainsFunc(o.System.Servers, func(s string) bool { return sysstat.SameHost(s, host) })
}

// mayHave says whether the system may have interfaces of a host: where a
// topology file says what it has, only those that are named there.
func (o *Options) mayHave(host string) bool {
	return o.System == nil || slices.ContainsFunc(o.System.Components, func(c topology.Component) bool {
		return c.Kind == topology.Interface && sysstat.SameHost(c.Server, host)
	})
}
