// This file reads which bricks a GlusterFS volume has, on which server
// and, where gluster says it, on which device: volume info and volume status,
// as text and as XML.

package site

import (
	"strings"
)

const glusterSystem = "gluster"

// readGluster reads what it understands of a text and claims it.
func readGluster(t *Text) Inventory {
	var inv Inventory
	readXML(t, &inv)
	readInfo(t, &inv)
	readStatus(t, &inv)
	return inv
}

// brick is the sighting of a brick, host:/path.
func brick(at At, volume, name string) (v Volume, ok bool) {
	host, path, ok := strings.Cut(name, ":")
	if !ok || host == "" || !strings.HasPrefix(path, "/") {
		return v, false
	}
	return Volume{At: at, System: glusterSystem, FileSystem: volume, Name: name, Host: host, Servers: []string{host}}, true
}
