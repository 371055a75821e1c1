package activity

import (
	"github.com/limpet-storage/limpet/engine/table"
)

// upkeep is what one machine's arrays and pools do to themselves, as its recorder
// says in the inventory, by step.
type upkeep struct {
	disks   *disks
	changes int    // of the inventory, that now was found with
	now     []kept // at the last record
	steps   map[int64][]kept
}

// kept is a component whose array or pool has work on itself.
type kept struct {
	component int
	work      table.Work
}

// newUpkeep reads that of some disks.
func newUpkeep(d *disks) upkeep { return upkeep{disks: d, steps: map[int64][]kept{}} }

// Read takes what is known at a record of the step that ends at a time. A step has
// what its last record has.
func (u *upkeep) Read(end int64) {
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
func (u *upkeep) look() {
	u.now = nil
	for _, d := range u.disks.inventory.Devices() {
		work := table.WorkOf(d.Upkeep)
		if work == table.NoWork {
			continue
		}
		device := device{Major: d.Major, Minor: d.Minor}
		if slot := u.disks.find(u.disks.system.Find(u.disks.server, device.Topology(u.disks.inventory))); slot >= 0 {
			u.now = append(u.now, kept{u.disks.components[slot], work})
		}
	}
}

// Put sets the upkeep of a step that is given out. That of steps before it is of
// none that will be.
func (u *upkeep) Put(end int64, row *table.Row) {
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
func (u *upkeep) Drop() { clear(u.steps) }
