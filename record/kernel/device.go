package kernel

import (
	"cmp"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// Each driver describes the drive of a device in its own files:
//
//	sda       device/model, device/wwid naa.5000c500a1b2c3d4, device/vpd_pg80
//	nvme0n1   device/model, device/serial, wwid eui.0025385b71b0d3e9
//	mmcblk0   device/name, device/serial
//	vda       serial
//	dm-3      dm/uuid mpath-3600605b00a2bdf00242b28c10dcb1999, slaves/sda …

const (
	mapPrefix = "mpath-" // prefix of the UUID of a multipath device
	naaType   = "3"      // prefix of a WWN of type NAA, from scsi_id
)

// describe adds model, serial number, WWN and location. A multipath device gets the description of
// the drive that its paths lead to.
func (t *tree) describe(d *sysstat.Device, dir string) {
	t.describeDrive(d, dir)
	id, ok := strings.CutPrefix(text(dir, "dm/uuid"), mapPrefix)
	if !ok {
		return
	}
	if paths := names(filepath.Join(dir, "slaves")); len(paths) > 0 {
		t.describeDrive(d, filepath.Join(t.dir, paths[0]))
	}
	d.WWN = parseMapID(id)
}

func (t *tree) describeDrive(d *sysstat.Device, dir string) {
	device := filepath.Join(dir, "device")
	page, _ := os.ReadFile(filepath.Join(device, "vpd_pg80"))
	d.Model = cmp.Or(text(device, "model"), text(device, "name"))
	d.Serial = cmp.Or(text(device, "serial"), text(dir, "serial"), parseSerialPage(page))
	d.WWN = cmp.Or(parseWWID(text(dir, "wwid")), parseWWID(text(device, "wwid")), t.links[filepath.Base(dir)].String())
	addLocation(d, device)
}

// parseWWID returns the WWN in the kernel's identification of a device. It is empty if the
// identification consists of vendor, model and serial number (t10., nvme.).
func parseWWID(wwid string) string {
	kind, id, _ := strings.Cut(wwid, ".")
	switch kind {
	case "naa":
		return "0x" + id
	case "eui", "uuid":
		return wwid
	}
	return ""
}

// parseMapID returns the WWN in the UUID of a multipath device. A WWN of type NAA is written as for
// the paths of the device, so that the two WWNs are equal.
func parseMapID(id string) string {
	naa, ok := strings.CutPrefix(id, naaType)
	if _, hex := parseLink(linkPrefix + naa); ok && hex && !strings.Contains(naa, linkPart) {
		return "0x" + naa
	}
	return id
}

// parseSerialPage returns the serial number in a page of vital product data of a SCSI device: 0x80
// as the second byte, a length of two bytes, text.
func parseSerialPage(page []byte) string {
	const head, serialPage = 4, 0x80
	if len(page) < head || page[1] != serialPage {
		return ""
	}
	length := int(binary.BigEndian.Uint16(page[2:]))
	serial := page[head:min(len(page), head+length)]
	return strings.Trim(string(serial), " \x00")
}

// place adds the array, the pool and the other devices that a device is a member of. It reads the
// directories of the device and of its partitions. If there are several arrays, MD is the first,
// and the others are added to Parents.
func (t *tree) place(d *sysstat.Device, dirs []string) {
	var arrays []string
	for _, dir := range dirs {
		for _, holder := range names(filepath.Join(dir, "holders")) {
			if exists(filepath.Join(t.dir, holder, "md")) {
				arrays = append(arrays, holder)
			} else {
				d.Parents = append(d.Parents, holder)
			}
		}
		if strings.Contains(text(dir, "uevent"), zfsPartition) {
			d.Pool = t.pool
		}
	}
	slices.Sort(arrays)
	if len(arrays) > 0 {
		d.MD = arrays[0]
		d.Parents = append(d.Parents, arrays[1:]...)
	}
	slices.Sort(d.Parents)
	d.Parents = slices.Compact(d.Parents)
}

// zfsPartition is the beginning of the name of a partition that ZFS makes on a drive. The kernel
// does not show the pool of the partition.
const zfsPartition = "PARTNAME=zfs-"

// solePool returns the name of the ZFS pool; empty: there is none, or there are several.
func solePool(dir string) string {
	var pools []string
	for _, name := range names(dir) {
		if exists(filepath.Join(dir, name, "guid")) {
			pools = append(pools, name)
		}
	}
	if len(pools) != 1 {
		return ""
	}
	return pools[0]
}
