package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// ceph device ls, as JSON
//
//	[{"devid": "ATA_ST16000NM001G_ZL2A9XYZ", "location": [{"host": "ceph1", "dev": "sda"}], "daemons": ["osd.0"]}]
//
// and as text
//
//	DEVICE                      HOST:DEV   DAEMONS  WEAR  LIFE EXPECTANCY
//	ATA_ST16000NM001G_ZL2A9XYZ  ceph1:sda  osd.0

func readDevices(_ *Text, d *Document, inv *Inventory) bool {
	var list []struct {
		ID       Value `json:"devid"`
		Location []struct{ Host, Dev Value }
		Daemons  []string
	}
	if !d.Into(&list, "devid") {
		return false
	}
	for _, v := range list {
		for _, l := range v.Location {
			addDevice(d.At(), v.ID.String(), l.Host.String(), l.Dev.String(), v.Daemons, inv)
		}
	}
	return true
}

func addDevice(at At, id, host, name string, daemons []string, inv *Inventory) {
	d := Device{At: at, Host: host, Name: name}
	d.Model, d.Serial = splitID(id)
	inv.Devices = append(inv.Devices, d)
	for _, daemon := range daemons {
		if n, ok := strings.CutPrefix(daemon, "osd."); ok {
			o := osd(at, n, host)
			o.Device = name
			inv.Volumes = append(inv.Volumes, o)
		}
	}
}

var deviceLine = lazyregexp.New(`^\s*(\S+_\S+)\s+([\w.-]+):(\w+)\s+((?:\w+\.\S+\s*)*)`)

func readDeviceText(t *Text, inv *Inventory) {
	inTable := false
	for i, line := range t.All() {
		m := deviceLine.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "DEVICE") && strings.Contains(line, "HOST:DEV"):
			inTable = true
		case inTable && m != nil:
			addDevice(t.At(i), m[1], m[2], m[3], strings.Fields(m[4]), inv)
		default:
			inTable = false
			continue
		}
		t.Claim(i, i)
	}
}
