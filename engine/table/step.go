package table

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/metric"
)

// Shape says how much there is to fold of one machine.
type Shape struct {
	Disks int
	NICs  int
	Cwnds int // averages of congestion windows
}

// Reading is what the counters and gauges of one machine were at one record.
type Reading struct {
	Time    int64  // Unix seconds
	Uptime  uint64 // hundredths of a second
	Disks   []metric.Disk
	Present []bool // by disk: the record has it
	NICs    []metric.NIC
	Up      []bool // by interface: the record has it
	Cwnds   []Average
}

func newReading(s Shape) *Reading {
	return &Reading{
		Disks: make([]metric.Disk, s.Disks), Present: make([]bool, s.Disks),
		NICs: make([]metric.NIC, s.NICs), Up: make([]bool, s.NICs),
		Cwnds: make([]Average, s.Cwnds),
	}
}

// Step is what one machine did during one step. Counters are differenced
// between its ends; a congestion window is no counter but a state, and is
// taken as it stood at the step's last record.
type Step struct {
	End     int64   // Unix seconds
	Seconds float64 // the time that the values cover
	Work    []metric.DiskWork
	Known   []bool // by disk: false where its work is missing
	Traffic []metric.NICWork
	Carried []bool // by interface: false where its traffic is missing
	Cwnds   []Average
}

func newStep(s Shape) Step {
	return Step{
		Work: make([]metric.DiskWork, s.Disks), Known: make([]bool, s.Disks),
		Traffic: make([]metric.NICWork, s.NICs), Carried: make([]bool, s.NICs),
		Cwnds: make([]Average, s.Cwnds),
	}
}

// Clone copies a step, so that it may be kept.
func (s *Step) Clone() *Step {
	c := *s
	c.Work, c.Known = slices.Clone(s.Work), slices.Clone(s.Known)
	c.Traffic, c.Carried = slices.Clone(s.Traffic), slices.Clone(s.Carried)
	c.Cwnds = slices.Clone(s.Cwnds)
	return &c
}
