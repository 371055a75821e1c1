package site

import (
	"slices"
)

// multipathd's JSON, of all maps or of one:
//
//	{"major_version": 0, "maps": [{"name": "mpathp", "uuid": "3600…", "sysfs": "dm-3", "vend": "IBM", "prod": "2145",
//	  "path_groups": [{"paths": [{"dev": "sdb", "dev_t": "8:16", "dm_st": "failed", "target_wwpn": "0x5006…"}]}]}]}
type mapObject struct {
	Name, UUID, Sysfs, Vend, Prod, Rev, Size Value
	Groups                                   []struct{ Paths []pathObject } `json:"path_groups"`
}

type pathObject struct {
	Dev, Serial, Hctl Value
	Number            Value `json:"dev_t"`
	State             Value `json:"dm_st"`
	Target            Value `json:"target_wwpn"`
	Node              Value `json:"target_wwnn"`
}

func readJSONMultipath(t *Text, inv *Inventory) {
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
func (m *mapObject) devices(host string, at At) []Device {
	d := Device{
		At: at, Host: host, Kind: Multipath, Name: m.Name.String(), WWN: m.UUID.String(), Aliases: []string{m.Sysfs.String()},
		Vendor: m.Vend.String(), Model: m.Prod.String(), SizeBytes: Bytes(m.Size.String(), 1024),
	}
	list := []Device{d}
	for _, g := range m.Groups {
		for _, p := range g.Paths {
			list[0].Of = append(list[0].Of, p.Dev.String())
			path := Device{
				At: at, Host: host, Kind: Drive, Name: p.Dev.String(), Number: p.Number.String(), WWN: d.WWN,
				Vendor: d.Vendor, Model: d.Model, Serial: knownMultipath(p.Serial),
			}
			if hctl := knownMultipath(p.Hctl); IsAddress(hctl) {
				path.Address = hctl
			}
			if target := knownMultipath(p.Node, p.Target); target != "" && p.State == "active" {
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

// knownMultipath is the first value that is not "[undef]".
func knownMultipath(values ...Value) string {
	for _, v := range values {
		if v != "" && v != "[undef]" && v != "[undefined]" && v != "n/a" {
			return v.String()
		}
	}
	return ""
}
