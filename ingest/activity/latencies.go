package activity

import (
	"cmp"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// latencies collects the latencies of requests by device and step. limpet-record has measured these
// latencies in the kernel of one machine. A record holds only the requests since the previous
// record. So every record must be read. For counters, the last record of each step is enough.
type latencies struct {
	disks  *disks
	wanted bool
	sample blklat.Sample
	steps  map[int64]map[int]*table.Latency // for each end of a step and each component: latencies of its requests
	slots  map[[2]uint32]int                // index of each device in disks.components, by major and minor number
	// changes is the value of inventory.Changes when latencies.slots was
	// computed. When inventory.Changes returns another value, latencies.slots
	// is computed again.
	changes int
	Damaged int   // number of samples that could not be decoded
	Err     error // decoding error of the first damaged sample
}

// newLatencies returns a reader for the request latencies of the disks d. If
// `wanted` is false, the reader reads nothing.
func newLatencies(d *disks, wanted bool) latencies {
	return latencies{disks: d, wanted: wanted, steps: map[int64]map[int]*table.Latency{}, slots: map[[2]uint32]int{}}
}

// Read adds the requests of a record to the step that ends at the given time.
func (l *latencies) Read(rec *sysstat.Record, end int64) {
	if !l.wanted {
		return
	}
	raw, _, _ := rec.Items(blklat.ID)
	l.take(raw, end)
}

// take adds the requests of a sample to the step that ends at the given time. The caller passes the
// sample as package blklat encodes it. If there are no bytes, take adds nothing.
func (l *latencies) take(raw []byte, end int64) {
	if len(raw) == 0 {
		return
	}
	run, sequence := l.sample.Run, l.sample.Sequence
	if err := blklat.Decode(raw, &l.sample); err != nil {
		l.Damaged, l.Err = l.Damaged+1, cmp.Or(l.Err, err)
		return
	}
	if l.sample.Run == run && l.sample.Sequence == sequence {
		return // the record was already read: the last record of a file may be repeated in the next file
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

// slot returns the index of a device in disks.components, or -1 for a device that the system does
// not have.
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

// Put writes the requests of a step into its row, and drops the requests of
// earlier steps.
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

// Missed returns the number of requests that the recorder could not measure.
func (l *latencies) Missed() uint64 { return l.sample.Missed }

// Drop removes the steps that are not in a table row yet. machine.endEra calls Drop if the clock
// was wrong when the records of these steps were written.
func (l *latencies) Drop() { clear(l.steps) }
