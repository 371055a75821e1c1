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

// What stands behind a device is said by its driver, each in its own way:
//
//	sda       device/model, device/wwid naa.5000c500a1b2c3d4, device/vpd_pg80
//	nvme0n1   device/model, device/serial, wwid eui.0025385b71b0d3e9
//	mmcblk0   device/name, device/serial
//	vda       serial
//	dm-3      dm/uuid mpath-3600605b00a2bdf00242b28c10dcb1999, slaves/sda …

const (
	mapPrefix = "mpath-" // of the UUID of a multipath device
	naaType   = "3"      // that scsi_id puts ahead of a WWN of the NAA
)

// describe adds model, serial number, WWN and where it sits. A multipath device is the drive
// that its paths lead to.
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
	seat(d, device)
}

// parseWWID is the WWN in the kernel's identification of a device, "" where
// it is made of vendor, model and serial number (t10., nvme.).
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

// parseMapID is the WWN in the UUID of a multipath device: in the form of its
// paths where it is one of the NAA, so that both are seen to be the same.
func parseMapID(id string) string {
	naa, ok := strings.CutPrefix(id, naaType)
	if _, hex := parseLink(linkPrefix + naa); ok && hex && !strings.Contains(naa, linkPart) {
		return "0x" + naa
	}
	return id
}

// parseSerialPage is the serial number in the page of vital product data that
// SCSI devices keep it in: 0x80 as the second byte, a length of two, text.
func parseSerialPage(page []byte) string {
	const head, serialPage = 4, 0x80
	if len(page) < head || page[1] != serialPage {
		return ""
	}
	length := int(binary.BigEndian.Uint16(page[2:]))
	serial := page[head:min(len(page), head+length)]
	return strings.Trim(string(serial), " \x00")
}

// place adds what a device is a member of, by the directories of it and its
// partitions. Of several arrays the first is named as such.
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

// zfsPartition is how ZFS names the partition that it makes on a drive. The
// kernel does not say which pool it is for.
const zfsPartition = "PARTNAME=zfs-"

// solePool is the name of the ZFS pool, "" where there is none or several.
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
