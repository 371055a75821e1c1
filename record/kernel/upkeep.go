package kernel

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// What an array does to itself makes its drives slower, and is no fault of
// theirs. The kernel says it of md; of ZFS its own command does:
//
//	/sys/block/md0/md/sync_action    idle, frozen, or what it does: resync, recover, check, repair, reshape
//	zpool status -LP                 scan: scrub in progress since …, resilver in progress since …
//
// A SCSI device and an NVMe controller tell their state in device/state. Of a
// multipath device those of its paths count. What device-mapper alone has found
// failed, sysfs does not say.

// tend adds what is done to a device, and in what state it is.
func (t *tree) tend(d *sysstat.Device, dir string, parts []string) {
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

// upkeepOf is what an md array does to itself, "" where it does nothing or is none.
func upkeepOf(dir string) string {
	switch action := text(dir, "md/sync_action"); action {
	case "idle", "frozen":
		return ""
	default:
		return action
	}
}

// stateOf is what the kernel says of a device that does not run, "" of one that does.
func stateOf(dir string) string {
	switch state := text(dir, "device/state"); state {
	case "running", "live":
		return ""
	default:
		return state
	}
}

// pathsOf says how many paths of a multipath device do not run.
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
