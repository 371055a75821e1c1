// This file reads the drives in the vdevs of ZFS pools, from the output of zpool status with
// -P, -L, -g and -j, zpool list -v and zpool iostat -v.

package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// readZFS reads the drives in a text and claims their lines.
func readZFS(t *Text) Inventory {
	var inv Inventory
	readZFSJSON(t, &inv)
	readTrees(t, &inv)
	return inv
}

var (
	vdevName  = lazyregexp.New(`^(mirror|raidz[123]?|draid[123]?(?::\S+)?(?:-\d+)?|replacing|spare|log|logs|indirect|missing|hole)(-\d+)?$`)
	classes   = []string{"logs", "cache", "spares", "special", "dedup"}
	partEnd   = lazyregexp.New(`^(.*?)(?:-part\d+|((?:nvme\d+n\d+))p\d+)$`)
	letterEnd = lazyregexp.New(`^((?:sd|vd|xvd|hd)[a-z]+)\d+$`)
	guid      = lazyregexp.New(`^\d{12,20}$`)
	wwnName   = lazyregexp.New(`^(?:wwn-|scsi-3?|nvme-eui\.)(0x)?([0-9a-f]{16,33})$`)
	idName    = lazyregexp.New(`^(?:ata|scsi-S?ATA|nvme|scsi|usb|sas)-(.+)_([A-Za-z0-9]+)$`)
)

// roleOf returns the role of the drives in a class of vdevs; empty for data.
func roleOf(class string) string { return strings.TrimSuffix(class, "s") }

// leaf returns a drive below a vdev. If the name is from /dev/disk/by-id, it also has the WWN,
// or the model and the serial number.
func leaf(t *Text, i int, name, pool, role string) Device {
	d := Device{At: t.At(i), Host: t.Host, Name: DeviceName(name), Pool: pool, Role: role}
	if m := partEnd.FindStringSubmatch(d.Name); m != nil {
		d.Name = m[1] + m[2]
	} else if m := letterEnd.FindStringSubmatch(d.Name); m != nil {
		d.Name = m[1]
	}
	if m := wwnName.FindStringSubmatch(d.Name); m != nil {
		d.WWN = m[2]
	} else if m := idName.FindStringSubmatch(d.Name); m != nil {
		d.Model, d.Serial = strings.ReplaceAll(m[1], "_", " "), m[2]
	}
	return d
}
