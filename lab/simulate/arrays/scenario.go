package arrays

import (
	"errors"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// A Scenario is a storage system, the work that it gets and what happens to
// it.
type Scenario struct {
	Topology   []byte // the topology file that the system is built from
	Watched    []byte // that of the part which rows are about; the whole where nil
	Seed       uint64
	Start, End time.Time     // of the first and the last record
	Interval   time.Duration // between records
	Service    Service       // how fast a healthy LUN is
	Busiest    float64       // how busy clients can make a LUN: with everything striped, they wait for the slowest of many
	Closed     bool          // what slows one LUN slows the clients, and so all others; else each LUN is asked as if it were healthy
	Shares     map[string]Share
	Jobs       []Job
	Events     []Event
	Clocks     Clocks
	Compressed []string // servers whose activity files are compressed

	days   string // sets the days of a system apart from its other days
	coarse bool   // few draws are taken as many
}

// Validate reports everything that cannot be simulated.
func (s *Scenario) Validate() error {
	errs := []error{s.Service.Validate(), s.Clocks.Validate()}
	if s.Interval < time.Second || s.Interval%time.Second != 0 {
		errs = append(errs, fmt.Errorf("a record every %v is not possible: activity files count in seconds, choose whole seconds", s.Interval))
	}
	if !s.End.After(s.Start) {
		errs = append(errs, fmt.Errorf("the scenario ends at %v, before it starts at %v: choose a later end", s.End, s.Start))
	}
	if s.Busiest <= 0 || s.Busiest >= full {
		errs = append(errs, fmt.Errorf("a LUN cannot be busy for a share of %v of the time: choose a share between 0 and %v", s.Busiest, full))
	}
	for _, e := range s.Events {
		if !e.To.After(e.From) {
			errs = append(errs, fmt.Errorf("%s ends before it begins at %v: choose a later end", e.describe().Text, e.From))
		}
	}
	return errors.Join(errs...)
}

// System is what the scenario's topology file describes.
func (s *Scenario) System() (*topology.System, error) {
	system, _, err := topology.Parse(simulate.TopologyFile, s.Topology)
	return system, err
}

// watched is the part of the system which rows are about.
func (s *Scenario) watched(whole *topology.System) (*topology.System, error) {
	if s.Watched == nil {
		return whole, nil
	}
	system, _, err := topology.Parse(simulate.TopologyFile, s.Watched)
	return system, err
}

// records counts the records of a server that is never down.
func (s *Scenario) records() int {
	return int(s.End.Sub(s.Start)/s.Interval) + 1
}

// blueprint is what the system's parts are built by.
func (s *Scenario) blueprint() *lunBlueprint {
	return &lunBlueprint{
		Seed: s.Seed, Days: s.days, Coarse: s.coarse,
		Start: s.Start, End: s.End, Interval: s.Interval,
		Service: s.Service, Shares: s.Shares, Clocks: s.Clocks,
	}
}

// source returns the dice of something in these days.
func (s *Scenario) source(what string) dice { return s.blueprint().Source(what) }
