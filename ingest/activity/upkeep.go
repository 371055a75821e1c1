package activity

import (
	"github.com/limpet-storage/limpet/engine/table"
)

// upkeep finds the components that are under maintenance in each step: their array or pool runs a
// scrub, a resync or a rebuild. The recorder writes the kind of maintenance into the files, with
// the descriptions of the devices (the inventory).
type upkeep struct {
	disks   *disks
	changes int                    // value of inventory.Changes when upkeep.now was computed
	now     []maintained           // components under maintenance at the last record
	steps   map[int64][]maintained // components under maintenance, by end of step
}

// maintained is a component whose array or pool is under maintenance.
type maintained struct {
	component int
	work      table.Work
}

// newUpkeep returns the reader for the maintenance of the disks d.
func newUpkeep(d *disks) upkeep { return upkeep{disks: d, steps: map[int64][]maintained{}} }

// Read stores which components are under maintenance at the present record. The
// caller passes the time at which the step of the record ends. For a step with
// several records, the state at the last record is kept.
func (u *upkeep) Read(end int64) {
	if n := u.disks.inventory.Changes(); n != u.changes {
		u.changes = n
		u.findMaintained()
	}
	if len(u.now) > 0 {
		u.steps[end] = u.now
	} else if len(u.steps) > 0 {
		delete(u.steps, end)
	}
}

// findMaintained finds the components that are under maintenance at the present record.
func (u *upkeep) findMaintained() {
	u.now = nil
	for _, d := range u.disks.inventory.Devices() {
		work := table.WorkOf(d.Upkeep)
		if work == table.NoWork {
			continue
		}
		device := device{Major: d.Major, Minor: d.Minor}
		if slot := u.disks.find(u.disks.system.Find(u.disks.server, device.Topology(u.disks.inventory))); slot >= 0 {
			u.now = append(u.now, maintained{u.disks.components[slot], work})
		}
	}
}

// Put writes the maintenance of a step into its row, and drops earlier steps.
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

// Drop removes the steps that are not in a table row yet. machine.endEra calls Drop if the clock
// was wrong when the records of these steps were written.
func (u *upkeep) Drop() { clear(u.steps) }
