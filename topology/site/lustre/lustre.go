package lustre

import (
	"regexp"

	"github.com/limpet-storage/limpet/topology/site"
)

const system = "lustre"

// Read reads what it understands of a text and claims it.
func Read(t *site.Text) site.Inventory {
	var inv site.Inventory
	readDeviceTrees(t, &inv)
	readPacemaker(t, &inv)
	readDeviceList(t, &inv)
	readSpace(t, &inv)
	readParams(t, &inv)
	return inv
}

var targetName = regexp.MustCompile(`^([\w.-]+)-((?:OST|MDT)[0-9a-f]{4})$`)

// target is the sighting of a target by its name, fsname-OST0000.
func target(at site.At, name string) (v site.Volume, ok bool) {
	m := targetName.FindStringSubmatch(name)
	if m == nil {
		return v, false
	}
	v = site.Volume{At: at, System: system, FileSystem: m[1], Name: name, Pool: "data"}
	if m[2][:3] == "MDT" {
		v.Pool = "metadata"
	}
	return v, true
}

// serve says that a host has the target, if the host is known.
func serve(v site.Volume, host string) site.Volume {
	if host != "" {
		v.Host, v.Servers = host, []string{host}
	}
	return v
}
