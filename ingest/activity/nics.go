package activity

import (
	"math"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// interfaces reads the counters of one machine's network interfaces, where they
// are components of the system.
type interfaces struct {
	slots
	server  string
	system  *topology.System
	columns []hostColumn
	places  []nicPlace // interfaces by position in a record
	list    []sysstat.Interface
	Seen    map[string]bool // interfaces that may be missing from the system
}

// nicPlace is the interface at one position of a record.
type nicPlace struct {
	name string
	slot int // -1: the system does not have the interface
}

// newNICs returns the reader of a server's interfaces. It has no components,
// and so decodes nothing, where no metric of interfaces is chosen.
func newNICs(server string, system *topology.System, columns []hostColumn) interfaces {
	n := interfaces{server: server, system: system, columns: columns, Seen: map[string]bool{}}
	if len(columns) > 0 {
		n.slots = newSlots(server, system, topology.Interface)
	}
	return n
}

// Read reads the counters of a record.
func (n *interfaces) Read(rec *sysstat.Record, r *table.Reading) {
	if len(n.components) == 0 {
		return
	}
	clear(r.Up)
	narrow := rec.Header().LongSize == 4
	n.list = rec.Interfaces(n.list)
	for i := range n.list {
		c := &n.list[i]
		slot := n.slot(i, c.Name)
		if slot < 0 {
			continue
		}
		r.Up[slot] = true
		r.NICs[slot] = metric.NIC{
			RxPackets: c.RxPackets, TxPackets: c.TxPackets,
			RxBytes: c.RxBytes, TxBytes: c.TxBytes, Speed: speed(c), Narrow: narrow,
		}
	}
}

// Notice collects the interface names of a machine that has no interface in the
// system, where metrics of interfaces are chosen.
func (n *interfaces) Notice(rec *sysstat.Record) {
	if len(n.columns) == 0 || len(n.components) > 0 {
		return
	}
	n.list = rec.Interfaces(n.list)
	for i := range n.list {
		n.slot(i, n.list[i].Name)
	}
}

// speed returns the speed of the link in B/s, or 0 where the record lacks it.
// sadc writes -1 for links whose speed the kernel does not report.
func speed(c *sysstat.Interface) uint64 {
	if c.SpeedMbit == math.MaxUint32 {
		return 0
	}
	return uint64(c.SpeedMbit) * 125_000
}

// slot returns the slot in the fold of the interface at position i of a record.
func (n *interfaces) slot(i int, name string) int {
	for len(n.places) <= i {
		n.places = append(n.places, nicPlace{slot: -1})
	}
	if n.places[i].name != name {
		n.Seen[name] = true
		n.places[i] = nicPlace{name, n.find(n.system.FindInterface(n.server, name))}
	}
	return n.places[i].slot
}

// Put writes the values of a step into a row.
func (n *interfaces) Put(s *table.Step, row *table.Row) {
	for slot, c := range n.components {
		if !s.Carried[slot] {
			continue
		}
		values := s.Traffic[slot].Values(s.Seconds)
		for _, p := range n.columns {
			row.Values[p.Row][c] = values[p.Place]
		}
	}
}
