// This file finds the components of a machine in its records: block devices and
// network interfaces, whatever they are called and wherever they stand. It reads
// their counters and puts what a step makes of them into rows.
//
// What is between machines is read by package connections.

package activity

import (
	"cmp"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// latencies are the requests of one machine's devices, by step. Unlike counters
// they have to be read in every record: each has those since the one before.
type latencies struct {
	disks  *disks
	wanted bool
	sample blklat.Sample
	steps  map[int64]map[int]*table.Latency // by end of step and component
	slots  map[[2]uint32]int                // by number of the device, as of changes
	// changes is the inventory's, that slots were found with.
	changes int
	Damaged int   // samples that could not be read
	Err     error // of the first of them
}

// newLatencies reads those of some disks, where they are wanted.
func newLatencies(d *disks, wanted bool) latencies {
	return latencies{disks: d, wanted: wanted, steps: map[int64]map[int]*table.Latency{}, slots: map[[2]uint32]int{}}
}

// Read takes the requests of a record, which is of the step that ends at a time.
func (l *latencies) Read(rec *sysstat.Record, end int64) {
	if !l.wanted {
		return
	}
	raw, _, _ := rec.Items(blklat.ID)
	if len(raw) == 0 {
		return
	}
	run, sequence := l.sample.Run, l.sample.Sequence
	if err := blklat.Decode(raw, &l.sample); err != nil {
		l.Damaged, l.Err = l.Damaged+1, cmp.Or(l.Err, err)
		return
	}
	if l.sample.Run == run && l.sample.Sequence == sequence {
		return // it ends one file and begins another
	}
	for i := range l.sample.Items {
		if item := &l.sample.Items[i]; item.Op < table.LatencyOps {
			l.add(item, end)
		}
	}
}

func (l *latencies) add(item *blklat.Item, end int64) {
	slot := l.slot(item.Major, item.Minor)
	if slot < 0 {
		return
	}
	step := l.steps[end]
	if step == nil {
		step = map[int]*table.Latency{}
		l.steps[end] = step
	}
	c := l.disks.components[slot]
	if step[c] == nil {
		step[c] = &table.Latency{}
	}
	r := &step[c][item.Op]
	r.Bytes += item.Bytes
	r.Device.Add(item.Device)
	r.Queue.Add(item.Queue)
}

// slot is the place of a device among the machine's, -1 for one that the system
// does not know.
func (l *latencies) slot(major, minor uint32) int {
	if n := l.disks.inventory.Changes(); n != l.changes {
		l.changes = n
		clear(l.slots)
	}
	key := [2]uint32{major, minor}
	slot, ok := l.slots[key]
	if !ok {
		d := device{Major: major, Minor: minor}
		slot = l.disks.find(l.disks.system.Find(l.disks.server, d.Topology(l.disks.inventory)))
		l.slots[key] = slot
	}
	return slot
}

// Put sets the requests of a step that is given out. Those of steps before it
// are of none that will be.
func (l *latencies) Put(end int64, row *table.Row) {
	for c, from := range l.steps[end] {
		if to := row.LatencyOf(c); to != nil {
			to.Add(from)
		}
	}
	for at := range l.steps {
		if at <= end {
			delete(l.steps, at)
		}
	}
}

// Missed counts the requests that the recorder had no space for in the kernel.
func (l *latencies) Missed() uint64 { return l.sample.Missed }

// Drop forgets the steps that were not given out: the clock that they go by was wrong.
func (l *latencies) Drop() { clear(l.steps) }
