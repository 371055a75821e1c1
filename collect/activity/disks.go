package activity

import (
	"fmt"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/sysstat"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// disks finds the components of one machine that are block devices in its
// records.
type disks struct {
	slots
	server    string
	system    *topology.System
	inventory *sysstat.Inventory
	changes   int // of the inventory that places were found with
	columns   []column
	places    []place // by position in a record
	list      []sysstat.Disk
	seen      map[device]bool // devices that the system may not know
}

// device is how a record tells devices apart.
type device struct {
	major, minor uint32
	wwn          [2]uint64
	partition    uint32
}

// place remembers whose counters stand at a position of a record: records
// list devices in the same order for hours.
type place struct {
	device device
	slot   int // -1: not in the system
}

func newDisks(server string, system *topology.System, inv *sysstat.Inventory, columns []column) disks {
	return disks{
		slots: newSlots(server, system, topology.Attachment), server: server, system: system,
		inventory: inv, columns: columns, seen: map[device]bool{},
	}
}

// read takes the counters of a record.
func (d *disks) read(rec *sysstat.Record, r *table.Reading) {
	clear(r.Present)
	if n := d.inventory.Changes(); n != d.changes {
		d.changes, d.places = n, d.places[:0]
	}
	narrow := rec.Header().LongSize == 4
	d.list = rec.Disks(d.list)
	for i := range d.list {
		c := &d.list[i]
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

// slot gives the fold's place for the device at position i of a record.
func (d *disks) slot(i int, c *sysstat.Disk) int {
	key := deviceOf(c)
	for len(d.places) <= i {
		d.places = append(d.places, place{slot: -1})
	}
	if d.places[i].device != key {
		d.seen[key] = true
		d.places[i] = place{key, d.find(d.system.Find(d.server, key.topology(d.inventory)))}
	}
	return d.places[i].slot
}

// put sets the values of a step.
func (d *disks) put(s *table.Step, row *table.Row) {
	for slot, c := range d.components {
		if !s.Known[slot] {
			continue
		}
		for _, p := range d.columns {
			row.Values[p.Row][c] = s.Work[slot].Value(p.Place, s.Seconds)
		}
	}
}

func deviceOf(d *sysstat.Disk) device { return device{d.Major, d.Minor, d.WWN, d.Partition} }

// topology says what a device is by all that the file knows of it.
func (d device) topology(inv *sysstat.Inventory) topology.Device {
	t := topology.Device{Name: inv.Name(d.major, d.minor), Major: d.major, Minor: d.minor, Partition: d.partition}
	if d.wwn[0] != 0 {
		t.WWN = fmt.Sprintf("%016x", d.wwn[0])
		if d.wwn[1] != 0 {
			t.WWN += fmt.Sprintf("%016x", d.wwn[1])
		}
	}
	if known, ok := inv.Device(d.major, d.minor); ok && t.WWN == "" {
		t.WWN = known.WWN
	}
	return t
}
