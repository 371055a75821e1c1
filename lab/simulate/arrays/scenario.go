package arrays

import (
	"errors"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// A Scenario is a storage system with its load and its events.
type Scenario struct {
	Topology   []byte // the topology file that the system is built from
	Watched    []byte // topology file of the part that rows have; nil: the whole system
	Seed       uint64
	Start, End time.Time     // times of the first and the last record
	Interval   time.Duration // between records
	Service    Service       // speed of a healthy LUN
	Busiest    float64       // highest utilisation of a LUN by clients: requests are striped, so clients wait for the slowest LUN
	// Closed means that a slow LUN slows the clients, and therefore the load of all LUNs. If Closed
	// is false, each LUN gets the load of a healthy system.
	Closed     bool
	Shares     map[string]Share
	Jobs       []Job
	Events     []Event
	Clocks     Clocks
	Compressed []string // servers whose activity files are compressed

	days   string // part of the seed of all that differs between the days of a system
	coarse bool   // sums of few draws are drawn from a normal distribution, too
}

// Validate returns an error that names every invalid value.
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

// System returns the system of the scenario's topology file.
func (s *Scenario) System() (*topology.System, error) {
	system, _, err := topology.Parse(simulate.TopologyFile, s.Topology)
	return system, err
}

// watched returns the part of the system that rows have.
func (s *Scenario) watched(whole *topology.System) (*topology.System, error) {
	if s.Watched == nil {
		return whole, nil
	}
	system, _, err := topology.Parse(simulate.TopologyFile, s.Watched)
	return system, err
}

// records returns the number of records of a server that is never down.
func (s *Scenario) records() int {
	return int(s.End.Sub(s.Start)/s.Interval) + 1
}

// blueprint returns the settings from which the parts of the system are built.
func (s *Scenario) blueprint() *lunBlueprint {
	return &lunBlueprint{
		Seed: s.Seed, Days: s.days, Coarse: s.coarse,
		Start: s.Start, End: s.End, Interval: s.Interval,
		Service: s.Service, Shares: s.Shares, Clocks: s.Clocks,
	}
}

// source returns the random numbers of a part on these days.
func (s *Scenario) source(what string) random { return s.blueprint().Source(what) }
