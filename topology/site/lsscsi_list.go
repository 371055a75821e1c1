package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// A line is an address, a type, vendor, model and revision in columns of INQUIRY, then the columns
// of the options: the SAS address of -t, the WWN of -w and -i, the size of -s, the generic device
// of -g.
//
//	[1:0:0:2]    disk    IET      VIRTUAL-DISK     0001  /dev/sdb
//	[0:0:0:0]    disk    HP       LOGICAL VOLUME   5.14  /dev/sda   /dev/sg1
//	[6:0:1:0]    disk    sas:0x5000c500a1b2c3d5          /dev/sdc   35000c500a1b2c3d4  16.0TB
//	[N:0:1:1]    disk    SAMSUNG MZWLL1T6HEHP-00003__1              /dev/nvme0n1
//
// With -l and -L the kernel's attributes of a device follow its line:
//
//	state=running queue_depth=254 scsi_level=7 type=0 device_blocked=0 timeout=30
var (
	listLine  = lazyregexp.New(`^\s*\[([\dN]+:[\d]+:\d+:[\dxa-f]+)\]\s+(\S+)\s+(.*)$`)
	attribute = lazyregexp.New(`^\s+[a-z][\w: ]*=\S*(?:\s+[a-z]\w*=\S*)*\s*$`)
)

func readList(t *Text, inv *Inventory) {
	listed := false
	for i, line := range t.All() {
		m := listLine.FindStringSubmatch(line)
		if m == nil {
			if listed && attribute.MatchString(line) {
				t.Claim(i, i)
			}
			continue
		}
		listed = true
		t.Claim(i, i)
		if d, ok := deviceLsscsi(m[1], m[2], m[3]); ok {
			d.At, d.Host = t.At(i), t.Host
			inv.Devices = append(inv.Devices, d)
		}
	}
}

// deviceLsscsi returns the device of a line. ok is false if it is no block device, such as an
// enclosure or a RAID controller.
func deviceLsscsi(address, kind, rest string) (d Device, ok bool) {
	inquiry, node, ok := strings.Cut(rest, "/dev/")
	if !ok {
		return d, false
	}
	d = Device{Address: address, Kind: kindOfLsscsi(kind)}
	if strings.HasPrefix(address, "N:") {
		d.Address, d.Media = "", "nvme"
	}
	words := strings.Fields(node)
	if len(words) == 0 {
		return d, false
	}
	d.Name = DeviceName(words[0]) // a damaged text may have /dev/ twice
	if d.Name == "" || strings.HasPrefix(d.Name, "sg") || strings.HasPrefix(d.Name, "bsg") {
		return d, false // only the generic device: no block device
	}
	for _, word := range words[1:] {
		trailing(&d, word)
	}
	describe(&d, inquiry)
	return d, true
}
