package table

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/metric"
)

// Shape has the numbers of values in a [Reading] of one machine.
type Shape struct {
	Disks int
	NICs  int
	Cwnds int // number of averages of congestion windows
}

// Reading holds the counters and gauges of one machine from one record.
type Reading struct {
	Time    int64  // Unix seconds
	Uptime  uint64 // hundredths of a second
	Disks   []metric.Disk
	Present []bool // by disk: the record contains the disk
	NICs    []metric.NIC
	Up      []bool // by interface: the record contains the interface
	Cwnds   []Average
}

func newReading(s Shape) *Reading {
	return &Reading{
		Disks: make([]metric.Disk, s.Disks), Present: make([]bool, s.Disks),
		NICs: make([]metric.NIC, s.NICs), Up: make([]bool, s.NICs),
		Cwnds: make([]Average, s.Cwnds),
	}
}

// Step is the work of one machine in one step. Work and traffic are differences of
// counters between the ends of the step. A congestion window is a gauge: its value comes
// from the last record of the step.
type Step struct {
	End     int64   // Unix time
	Seconds float64 // time between the readings at the start and at the end of the step
	Work    []metric.DiskWork
	Known   []bool // by disk: false if its work is unknown
	Traffic []metric.NICWork
	Carried []bool // by interface: false if its traffic is unknown
	Cwnds   []Average
}

func newStep(s Shape) Step {
	return Step{
		Work: make([]metric.DiskWork, s.Disks), Known: make([]bool, s.Disks),
		Traffic: make([]metric.NICWork, s.NICs), Carried: make([]bool, s.NICs),
		Cwnds: make([]Average, s.Cwnds),
	}
}

// Clone returns a deep copy of a step.
func (s *Step) Clone() *Step {
	c := *s
	c.Work, c.Known = slices.Clone(s.Work), slices.Clone(s.Known)
	c.Traffic, c.Carried = slices.Clone(s.Traffic), slices.Clone(s.Carried)
	c.Cwnds = slices.Clone(s.Cwnds)
	return &c
}
