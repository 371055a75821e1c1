package activity

import (
	"math"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// interfaces reads the counters of the network interfaces of one machine. It
// reads only interfaces that are components of the system.
type interfaces struct {
	slots
	server  string
	system  *topology.System
	columns []hostColumn
	places  []nicPlace // interface at each position in the list of interfaces of a record
	list    []sysstat.Interface
	Seen    map[string]bool // all interfaces in the records, even if the system does not have them
}

// nicPlace is the interface at one position in the list of interfaces of a record.
type nicPlace struct {
	name string
	slot int // slot (index) of the interface in the table.Fold; -1 if the system does not have the interface
}

// newNICs returns the reader for the interfaces of a server. If no metric of
// interfaces is chosen, the reader has no components and decodes nothing.
func newNICs(server string, system *topology.System, columns []hostColumn) interfaces {
	n := interfaces{server: server, system: system, columns: columns, Seen: map[string]bool{}}
	if len(columns) > 0 {
		n.slots = newSlots(server, system, topology.Interface)
	}
	return n
}

// Read copies the counters of a record into the reading r, from which a table.Fold makes a step.
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

// Notice collects the names of all interfaces in a record. It does nothing in two cases:
//
//   - No metric of interfaces is chosen.
//   - The machine has an interface in the system. In this case Read collects the names.
func (n *interfaces) Notice(rec *sysstat.Record) {
	if len(n.columns) == 0 || len(n.components) > 0 {
		return
	}
	n.list = rec.Interfaces(n.list)
	for i := range n.list {
		n.slot(i, n.list[i].Name)
	}
}

// speed returns the speed of the link in bytes per second, or 0 if the record
// does not have the speed. sadc writes -1 (here math.MaxUint32) if the kernel
// does not report the speed of a link.
func speed(c *sysstat.Interface) uint64 {
	if c.SpeedMbit == math.MaxUint32 {
		return 0
	}
	return uint64(c.SpeedMbit) * 125_000
}

// slot returns the slot (index) of an interface in the table.Fold, or -1 if the system does not
// have the interface. The parameter i is the position of the interface in the list of interfaces of
// the record.
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

// Put writes the values of the machine's interfaces in one step into the row of the step.
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
