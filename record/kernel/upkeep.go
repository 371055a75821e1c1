package kernel

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// The maintenance of an array (resync, scrub) makes healthy drives slower. For md the kernel shows
// the maintenance, for ZFS the command zpool:
//
//	/sys/block/md0/md/sync_action    idle, frozen, or the maintenance: resync, recover, check, repair, reshape
//	zpool status -LP                 scan: scrub in progress since …, resilver in progress since …
//
// The state of a SCSI device or an NVMe controller is in device/state. A multipath device has the
// states of its paths. sysfs does not show the paths that only device-mapper has marked as failed.

// fillMaintenance fills in the maintenance and the state of a device.
func (t *tree) fillMaintenance(d *sysstat.Device, dir string, parts []string) {
	d.Upkeep = upkeepOf(dir)
	for _, whole := range append([]string{d.MD}, d.Parents...) {
		d.Upkeep = cmp.Or(d.Upkeep, upkeepOf(filepath.Join(t.dir, whole)))
	}
	for _, part := range parts {
		if s, ok := t.scans[filepath.Base(part)]; ok {
			d.Pool, d.Upkeep = s.pool, cmp.Or(d.Upkeep, s.doing)
		}
	}
	d.State = stateOf(dir)
	if strings.HasPrefix(text(dir, "dm/uuid"), mapPrefix) {
		d.State = t.pathsOf(dir)
	}
}

// upkeepOf returns the running maintenance of an md array; "": no maintenance, or no md array.
func upkeepOf(dir string) string {
	switch action := text(dir, "md/sync_action"); action {
	case "idle", "frozen":
		return ""
	default:
		return action
	}
}

// stateOf returns the state of a device that does not run; "": it runs, or its state is unknown.
func stateOf(dir string) string {
	switch state := text(dir, "device/state"); state {
	case "running", "live":
		return ""
	default:
		return state
	}
}

// pathsOf returns how many paths of a multipath device do not run; "": all run.
func (t *tree) pathsOf(dir string) string {
	paths, lost := names(filepath.Join(dir, "slaves")), 0
	for _, path := range paths {
		if stateOf(filepath.Join(t.dir, path)) != "" {
			lost++
		}
	}
	if lost == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d paths lost", lost, len(paths))
}
