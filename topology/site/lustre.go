// This file reads the targets of each server: lctl dl -t on a client, lfs df, lctl get_param on
// servers, the device trees of the Integrated Manager for Lustre, and crm_mon's XML if Pacemaker
// runs the targets.

package site

import (
	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

const lustreSystem = "lustre"

// readLustre reads the targets and devices in a text, and claims their lines.
func readLustre(t *Text) Inventory {
	var inv Inventory
	readDeviceTrees(t, &inv)
	readPacemaker(t, &inv)
	readDeviceList(t, &inv)
	readSpace(t, &inv)
	readParams(t, &inv)
	return inv
}

var targetName = lazyregexp.New(`^([\w.-]+)-((?:OST|MDT)[0-9a-f]{4})$`)

// lustreTarget returns the sighting of a target with a name, fsname-OST0000.
func lustreTarget(at At, name string) (v Volume, ok bool) {
	m := targetName.FindStringSubmatch(name)
	if m == nil {
		return v, false
	}
	v = Volume{At: at, System: lustreSystem, FileSystem: m[1], Name: name, Pool: "data"}
	if m[2][:3] == "MDT" {
		v.Pool = "metadata"
	}
	return v, true
}

// serve returns the target with its server, if the server is known.
func serve(v Volume, host string) Volume {
	if host != "" {
		v.Host, v.Servers = host, []string{host}
	}
	return v
}
