package site

import (
	"maps"
	"slices"
)

// zpool status -j nests vdevs by name. The keys logs, special, dedup, l2cache and spares are
// at the level of the key vdevs:
//
//	{"pools": {"tank": {"name": "tank", "vdevs": {"tank": {"vdevs": {"raidz1-0": {"vdevs":
//	  {"sda": {"name": "sda", "vdev_type": "disk", "path": "/dev/sda1", "model": "…", "size": "3.6T"}}}}}}}}}
//
// With --json-int, numbers are not quoted. With --json-flat-vdevs, all vdevs are at one level
// and have the key parent.

type poolObject struct {
	Name                                         Value
	Vdevs, Logs, Special, Dedup, L2cache, Spares map[string]vdevObject
}

type vdevObject struct {
	Name, Path, Model, Vendor, Serial, Parent, Class Value
	Kind                                             Value `json:"vdev_type"`
	Size                                             Value
	Vdevs                                            map[string]vdevObject
}

func readZFSJSON(t *Text, inv *Inventory) {
	documents, _ := t.JSON()
	for _, d := range documents {
		var v struct{ Pools map[string]poolObject }
		if !d.Into(&v, "pools", "output_version") && !readJC(t, &d, inv) {
			continue
		}
		d.Claim()
		for _, name := range slices.Sorted(maps.Keys(v.Pools)) {
			p := v.Pools[name]
			for _, class := range []struct {
				role  string
				vdevs map[string]vdevObject
			}{{"", p.Vdevs}, {"log", p.Logs}, {"special", p.Special}, {"dedup", p.Dedup}, {"cache", p.L2cache}, {"spare", p.Spares}} {
				walkVdevs(t, d.First, name, class.role, "", class.vdevs, inv)
			}
		}
	}
}

func walkVdevs(t *Text, i int, pool, role, vdev string, vdevs map[string]vdevObject, inv *Inventory) {
	for _, name := range slices.Sorted(maps.Keys(vdevs)) {
		v := vdevs[name]
		inside := vdev
		if inside == "" && vdevName.MatchString(name) {
			inside = name
		} else if inside == "" && vdevName.MatchString(v.Parent.String()) {
			inside = v.Parent.String()
		}
		if len(v.Vdevs) == 0 && !vdevName.MatchString(name) && name != pool {
			inv.Devices = append(inv.Devices, v.device(t, i, pool, inside, role))
		}
		walkVdevs(t, i, pool, role, inside, v.Vdevs, inv)
	}
}

func (v vdevObject) device(t *Text, i int, pool, vdev, role string) Device {
	if vdev != "" {
		pool += "/" + vdev
	}
	name := v.Path.String()
	if name == "" {
		name = v.Name.String()
	}
	d := leaf(t, i, name, pool, role)
	if v.Model != "" {
		d.Model = v.Model.String()
	}
	d.Vendor, d.SizeBytes = v.Vendor.String(), Bytes(v.Size.String(), 1024)
	return d
}

// readJC reads the JSON that jc makes of zpool status: a flat list without levels, in which
// the drives of a vdev follow the vdev.
func readJC(t *Text, d *Document, inv *Inventory) bool {
	var pools []struct {
		Pool   Value
		Config []struct{ Name Value }
	}
	if !d.Into(&pools, "pool", "config") {
		return false
	}
	for _, p := range pools {
		vdev, role := "", ""
		for _, c := range p.Config {
			name := c.Name.String()
			switch {
			case name == p.Pool.String():
			case slices.Contains(classes, name):
				vdev, role = "", roleOf(name)
			case vdevName.MatchString(name):
				vdev = "/" + name
			default:
				inv.Devices = append(inv.Devices, leaf(t, d.First, name, p.Pool.String()+vdev, role))
			}
		}
	}
	return true
}
