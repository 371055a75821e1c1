package kernel

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// The tree of sysfs shows the slot of a drive and what the drive is attached to:
//
//	sda   …/port-6:0/expander-6:0/port-6:0:3/end_device-6:0:3/target6:0:3/6:0:3:0
//	      device/enclosure_device:Slot 03 -> …/enclosure/6:0:24:0/Slot 03 (slot 3), its parent's id
//	      port-6:0:3/phy-6:0:3/sas_phy/phy-6:0:3/negotiated_linkrate
//	sdb   …/ata3/host2/target2:0:0/2:0:0:0; ata3/link3/ata_link/link3/sata_spd
//	nvme  device/device/current_link_speed, current_link_width

// addLocation adds firmware, slot, enclosure, expander and the speed of the link.
func addLocation(d *sysstat.Device, device string) {
	d.Firmware = cmp.Or(text(device, "firmware_rev"), text(device, "rev"))
	for _, name := range names(device) {
		if slot, ok := strings.CutPrefix(name, "enclosure_device:"); ok {
			at, err := filepath.EvalSymlinks(filepath.Join(device, name))
			if err != nil {
				continue
			}
			d.Slot, d.Enclosure = cmp.Or(text(at, "slot"), strings.TrimSpace(slot)), text(filepath.Dir(at), "id")
		}
	}
	addConnection(d, device)
	if speed := text(filepath.Join(device, "device"), "current_link_speed"); speed != "" {
		d.Link = strings.TrimSpace(speed + " x" + text(filepath.Join(device, "device"), "current_link_width"))
	}
}

// addConnection walks from the drive up to its host, and takes the nearest expander, port
// and link.
func addConnection(d *sysstat.Device, device string) {
	at, err := filepath.EvalSymlinks(device)
	for ; err == nil && len(at) > 1; at = filepath.Dir(at) {
		name := filepath.Base(at)
		switch {
		case strings.HasPrefix(name, "expander-") && d.Expander == "":
			d.Expander = cmp.Or(text(filepath.Join(at, "sas_device", name), "sas_address"), name)
		case strings.HasPrefix(name, "port-") && d.Link == "":
			d.Link = portSpeed(at)
		case strings.HasPrefix(name, "ata") && d.Link == "":
			link := "link" + strings.TrimPrefix(name, "ata")
			d.Link = text(filepath.Join(at, link, "ata_link", link), "sata_spd")
		}
	}
}

// portSpeed is that of the first phy of a port.
func portSpeed(port string) string {
	all := names(port)
	at := slices.IndexFunc(all, func(name string) bool { return strings.HasPrefix(name, "phy-") })
	if at < 0 {
		return ""
	}
	return text(filepath.Join(port, all[at], "sas_phy", all[at]), "negotiated_linkrate")
}
