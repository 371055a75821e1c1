package devices

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest/collect/activity/internal/files"
)

// Upkeep is what one machine's arrays and pools do to themselves, as its recorder
// says in the inventory, by step.
type Upkeep struct {
	disks   *Disks
	changes int    // of the inventory, that now was found with
	now     []kept // at the last record
	steps   map[int64][]kept
}

// kept is a component whose array or pool has work on itself.
type kept struct {
	component int
	work      table.Work
}

// NewUpkeep reads that of some disks.
func NewUpkeep(d *Disks) Upkeep { return Upkeep{disks: d, steps: map[int64][]kept{}} }

// Read takes what is known at a record of the step that ends at a time. A step has
// what its last record has.
func (u *Upkeep) Read(end int64) {
	if n := u.disks.inventory.Changes(); n != u.changes {
		u.changes = n
		u.look()
	}
	if len(u.now) > 0 {
		u.steps[end] = u.now
	} else if len(u.steps) > 0 {
		delete(u.steps, end)
	}
}

// look finds the components that are kept up.
func (u *Upkeep) look() {
	u.now = nil
	for _, d := range u.disks.inventory.Devices() {
		work := table.WorkOf(d.Upkeep)
		if work == table.NoWork {
			continue
		}
		device := files.Device{Major: d.Major, Minor: d.Minor}
		if slot := u.disks.find(u.disks.system.Find(u.disks.server, device.Topology(u.disks.inventory))); slot >= 0 {
			u.now = append(u.now, kept{u.disks.components[slot], work})
		}
	}
}

// Put sets the upkeep of a step that is given out. That of steps before it is of
// none that will be.
func (u *Upkeep) Put(end int64, row *table.Row) {
	if len(u.steps) == 0 {
		return
	}
	for _, x := range u.steps[end] {
		row.Upkeep[x.component] = x.work
	}
	for at := range u.steps {
		if at <= end {
			delete(u.steps, at)
		}
	}
}

// Drop forgets the steps that were not given out: the clock that they go by was wrong.
func (u *Upkeep) Drop() { clear(u.steps) }
