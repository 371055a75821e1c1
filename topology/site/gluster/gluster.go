package gluster

import (
	"strings"

	"github.com/limpet-storage/limpet/topology/site"
)

const system = "gluster"

// Read reads what it understands of a text and claims it.
func Read(t *site.Text) site.Inventory {
	var inv site.Inventory
	readXML(t, &inv)
	readInfo(t, &inv)
	readStatus(t, &inv)
	return inv
}

// brick is the sighting of a brick, host:/path.
func brick(at site.At, volume, name string) (v site.Volume, ok bool) {
	host, path, ok := strings.Cut(name, ":")
	if !ok || host == "" || !strings.HasPrefix(path, "/") {
		return v, false
	}
	return site.Volume{At: at, System: system, FileSystem: volume, Name: name, Host: host, Servers: []string{host}}, true
}
