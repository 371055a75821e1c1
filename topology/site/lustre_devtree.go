package site

import (
	"encoding/json"
	"maps"
	"slices"
)

// The Integrated Manager keeps a tree of devices, of one host or of several:
//
//	{"mds1.local": {"Root": {"children": [{"ScsiDevice": {"serial": "36001405…", "major": "8", "minor": "16", "size": 536870912,
//	  "devpath": "/devices/…/block/sdb", "paths": ["/dev/disk/by-id/…", "/dev/sdb"], "children": [{"Mpath": {"dm_name": "mpatha", …}}]}}]}}}
//
// Its older agent printed the devices by number, with a path for each:
//
//	{"linux": {"devs": {"8:0": {"major_minor": "8:0", "serial_83": "…", "path": "/dev/disk/by-id/…", "size": 104857600, "parent": null}}}}

type treeObject struct {
	Serial, Major, Minor, Size, Devpath Value
	DMName                              Value `json:"dm_name"`
	Paths                               []string
	Children                            []map[string]treeObject
}

func readDeviceTrees(t *Text, inv *Inventory) {
	documents, _ := t.JSON()
	for _, d := range documents {
		switch {
		case readRoot(d.Raw, t.Host, d.At(), inv), readHosts(&d, inv), readOldAgent(t.Host, &d, inv):
			d.Claim()
		}
	}
}

func readRoot(raw json.RawMessage, host string, at At, inv *Inventory) bool {
	var v struct{ Root *treeObject }
	if json.Unmarshal(raw, &v) != nil || v.Root == nil {
		return false
	}
	walkTree(host, at, v.Root.Children, "", inv)
	return true
}

func readHosts(d *Document, inv *Inventory) bool {
	var hosts map[string]json.RawMessage
	if json.Unmarshal(d.Raw, &hosts) != nil {
		return false
	}
	found := false
	for _, host := range slices.Sorted(maps.Keys(hosts)) {
		found = readRoot(hosts[host], host, d.At(), inv) || found
	}
	return found
}

func walkTree(host string, at At, children []map[string]treeObject, parent string, inv *Inventory) {
	for _, child := range children {
		for _, kind := range slices.Sorted(maps.Keys(child)) {
			o := child[kind]
			name := o.add(host, at, kind, parent, inv)
			walkTree(host, at, o.Children, name, inv)
		}
	}
}

// add adds a device, if the object is a device, and returns its name.
func (o treeObject) add(host string, at At, kind, parent string, inv *Inventory) string {
	kinds := map[string]Kind{"ScsiDevice": Drive, "Mpath": Multipath, "MdRaid": Stacked, "LogicalVolume": Stacked, "Partition": Partition}
	known, ok := kinds[kind]
	if !ok {
		return parent
	}
	d := Device{At: at, Host: host, Kind: known, SizeBytes: Bytes(o.Size.String(), 1000), Name: o.DMName.String()}
	if o.Major != "" {
		d.Number = o.Major.String() + ":" + o.Minor.String()
	}
	if known == Drive || known == Multipath {
		d.WWN = o.Serial.String()
	}
	if last := lastName(o.Devpath.String()); d.Name == "" {
		d.Name = last
	} else if last != "" {
		d.Aliases = append(d.Aliases, last)
	}
	if parent != "" {
		d.Of = []string{parent}
	}
	if d.Name != "" {
		inv.Devices = append(inv.Devices, d)
	}
	return d.Name
}

func lastName(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}

func readOldAgent(host string, d *Document, inv *Inventory) bool {
	var v struct {
		Linux *struct {
			Devs map[string]struct {
				Number Value `json:"major_minor"`
				Serial Value `json:"serial_83"`
				Parent Value
				Path   Value
				Size   Value
			}
		}
	}
	if !d.Into(&v, "linux") || v.Linux == nil {
		return false
	}
	for _, number := range slices.Sorted(maps.Keys(v.Linux.Devs)) {
		o := v.Linux.Devs[number]
		dev := Device{At: d.At(), Host: host, Number: number, Name: DeviceName(o.Path.String()), WWN: o.Serial.String(), SizeBytes: Bytes(o.Size.String(), 1000), Kind: Drive}
		switch {
		case o.Parent != "":
			dev.Kind = Partition
		case o.Serial == "":
			dev.Kind = Unknown
		}
		inv.Devices = append(inv.Devices, dev)
	}
	return true
}
