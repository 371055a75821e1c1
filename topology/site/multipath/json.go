package multipath

import (
	"slices"

	"github.com/limpet-storage/limpet/topology/site"
)

// multipathd's JSON, of all maps or of one:
//
//	{"major_version": 0, "maps": [{"name": "mpathp", "uuid": "3600…", "sysfs": "dm-3", "vend": "IBM", "prod": "2145",
//	  "path_groups": [{"paths": [{"dev": "sdb", "dev_t": "8:16", "dm_st": "failed", "target_wwpn": "0x5006…"}]}]}]}
type mapObject struct {
	Name, UUID, Sysfs, Vend, Prod, Rev, Size site.Value
	Groups                                   []struct{ Paths []pathObject } `json:"path_groups"`
}

type pathObject struct {
	Dev, Serial, Hctl site.Value
	Number            site.Value `json:"dev_t"`
	State             site.Value `json:"dm_st"`
	Target            site.Value `json:"target_wwpn"`
	Node              site.Value `json:"target_wwnn"`
}

func readJSON(t *site.Text, inv *site.Inventory) {
	documents, _ := t.JSON()
	for _, d := range documents {
		var all struct{ Maps []mapObject }
		var one struct{ Map mapObject }
		switch {
		case d.Into(&all, "maps"):
		case d.Into(&one, "map"):
			all.Maps = []mapObject{one.Map}
		default:
			continue
		}
		d.Claim()
		for _, m := range all.Maps {
			inv.Devices = append(inv.Devices, m.devices(t.Host, d.At())...)
		}
	}
}

// devices are a map and its paths.
func (m *mapObject) devices(host string, at site.At) []site.Device {
	d := site.Device{
		At: at, Host: host, Kind: site.Multipath, Name: m.Name.String(), WWN: m.UUID.String(), Aliases: []string{m.Sysfs.String()},
		Vendor: m.Vend.String(), Model: m.Prod.String(), SizeBytes: site.Bytes(m.Size.String(), 1024),
	}
	list := []site.Device{d}
	for _, g := range m.Groups {
		for _, p := range g.Paths {
			list[0].Of = append(list[0].Of, p.Dev.String())
			path := site.Device{
				At: at, Host: host, Kind: site.Drive, Name: p.Dev.String(), Number: p.Number.String(), WWN: d.WWN,
				Vendor: d.Vendor, Model: d.Model, Serial: known(p.Serial),
			}
			if hctl := known(p.Hctl); site.IsAddress(hctl) {
				path.Address = hctl
			}
			if target := known(p.Node, p.Target); target != "" && p.State == "active" {
				path.Targets = []string{target}
				if !slices.Contains(list[0].Targets, target) {
					list[0].Targets = append(list[0].Targets, target)
				}
			}
			list = append(list, path)
		}
	}
	return list
}

// known is the first value that is not "[undef]".
func known(values ...site.Value) string {
	for _, v := range values {
		if v != "" && v != "[undef]" && v != "[undefined]" && v != "n/a" {
			return v.String()
		}
	}
	return ""
}
