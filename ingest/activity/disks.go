package activity

import (
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// disks reads the counters of the block devices of one machine. It reads only devices that are
// components of the system. A table.Fold makes steps from these counters.
type disks struct {
	slots
	server    string
	system    *topology.System
	inventory *sysstat.Inventory
	changes   int // value of inventory.Changes when disks.places was last cleared
	columns   []hostColumn
	places    []place // device at each position in the list of disks of a record
	list      []sysstat.Disk
	Seen      map[device]bool // all devices in the records, even if the system does not have them
	services  *services       // services of a cluster, such as the OSDs of a Ceph cluster; nil if the server is a real machine
}

// place is the device at one position in the list of disks of a record, and the slot of the device
// (its index in a table.Fold). The order of the devices in a record seldom changes. So slots are
// stored by position, and the slot of a device seldom has to be looked up again.
type place struct {
	device device
	slot   int // slot of the device in the table.Fold; -1 if the system does not have the device
}

// newDisks returns the reader for the disks of a server.
func newDisks(server string, system *topology.System, inv *sysstat.Inventory, columns []hostColumn) disks {
	d := disks{
		slots: newSlots(server, system, topology.Attachment), server: server, system: system,
		inventory: inv, columns: columns, Seen: map[device]bool{},
	}
	d.services = newServices(&d)
	return d
}

// Width returns the number of slots (indexes) that the devices need in a table.Fold.
func (d *disks) Width() int {
	if d.services != nil {
		return kindsOfService * d.Len()
	}
	return d.Len()
}

// Read copies the counters of a record into the reading r, from which a table.Fold makes a step.
func (d *disks) Read(rec *sysstat.Record, r *table.Reading) {
	d.list = rec.Disks(d.list)
	d.take(d.list, rec.Header().LongSize == 4, r)
}

// take copies the counters of a list of disks into the reading r, from which a table.Fold makes a
// step. The parameter `narrow` is true if the counters of requests and sectors have 32 bits.
func (d *disks) take(list []sysstat.Disk, narrow bool, r *table.Reading) {
	clear(r.Present)
	if n := d.inventory.Changes(); n != d.changes {
		d.changes, d.places = n, d.places[:0]
	}
	for i := range list {
		c := &list[i]
		slot := d.slot(i, c)
		if slot < 0 {
			continue
		}
		r.Present[slot] = true
		r.Disks[slot] = metric.Disk{
			IOs: c.IOs, ReadSectors: c.ReadSectors, WriteSectors: c.WriteSectors, DiscardSectors: c.DiscardSectors,
			ReadMs: c.ReadTicks, WriteMs: c.WriteTicks, DiscardMs: c.DiscardTicks,
			BusyMs: c.BusyTicks, QueueMs: c.QueueTicks, Narrow: narrow,
		}
	}
}

// slot returns the slot (index) of a device in the table.Fold, or -1 if the system does not have
// the device. The parameter i is the position of the device in the list of disks of the record.
func (d *disks) slot(i int, c *sysstat.Disk) int {
	key := deviceOf(c)
	for len(d.places) <= i {
		d.places = append(d.places, place{slot: -1})
	}
	if d.places[i].device != key {
		d.Seen[key] = true
		slot := d.find(d.system.Find(d.server, key.Topology(d.inventory)))
		if slot >= 0 && d.services != nil {
			slot = d.services.slot(slot, d.inventory.Name(c.Major, c.Minor))
		}
		d.places[i] = place{key, slot}
	}
	return d.places[i].slot
}

// Put writes the values of the machine's disks in one step into the row of the step.
func (d *disks) Put(s *table.Step, row *table.Row) {
	if d.services != nil {
		d.services.put(s, row)
		return
	}
	for slot, c := range d.components {
		if !s.Known[slot] {
			continue
		}
		for _, p := range d.columns {
			row.Values[p.Row][c] = s.Work[slot].Value(p.Place, s.Seconds)
		}
	}
}
