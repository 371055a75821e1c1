// Package simulate builds storage systems that limp in known ways: a system
// out of its topology file, jobs that come and go, faults by their mechanism,
// and beside the data the truth about them.
//
// What it makes is in form the real thing, activity files that sar and sadf
// read, so that the whole stream is tried and not a short cut to it. Nothing
// is drawn as a curve: requests arrive, LUNs answer by a queueing relation,
// counters add up as a kernel's do, and a fault changes how a part works,
// never what is measured. The same seed gives the same bytes.
//
// In the stream it stands beside collect: it writes what collect reads, or
// yields the rows themselves.
package simulate

import (
	"errors"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/topology"
)

// A Scenario is a storage system, the work that it gets and what happens to
// it.
type Scenario struct {
	Topology   []byte // the topology file that the system is built from
	Seed       uint64
	Start, End time.Time     // of the first and the last record
	Interval   time.Duration // between records
	Service    Service       // how fast a healthy LUN is
	Shares     map[string]Share
	Jobs       []Job
	Events     []Event
	Compressed []string // servers whose activity files are compressed
}

// Share is how much of a job's requests a LUN of an upgrade set gets. LUNs of
// sets without one get the whole.
type Share struct {
	Reads, Writes float64
}

// Validate reports everything that cannot be simulated.
func (s *Scenario) Validate() error {
	errs := []error{s.Service.Validate()}
	if s.Interval < time.Second || s.Interval%time.Second != 0 {
		errs = append(errs, fmt.Errorf("a record every %v: activity files count in seconds, choose whole ones", s.Interval))
	}
	if !s.End.After(s.Start) {
		errs = append(errs, fmt.Errorf("the scenario ends at %v, before it starts at %v: end it later", s.End, s.Start))
	}
	for _, e := range s.Events {
		if !e.To.After(e.From) {
			errs = append(errs, fmt.Errorf("%s ends before it begins at %v: end it later", e.describe().Text, e.From))
		}
	}
	return errors.Join(errs...)
}

// System is what the scenario's topology file describes.
func (s *Scenario) System() (*topology.System, error) {
	system, _, err := topology.Parse(TopologyFile, s.Topology)
	return system, err
}

// records counts the records of each server.
func (s *Scenario) records() int {
	return int(s.End.Sub(s.Start)/s.Interval) + 1
}
