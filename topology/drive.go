package topology

import (
	"cmp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readDrives reads storage of a server's own: the same drives on each of some
// servers.
func (p *parser) readDrives(n *yaml.Node) {
	f := p.Fields(n, "an entry of drives", "servers", "devices", "slots", "sets", "models", "sizes", "drawers", "peers", "kind", "redundancy")
	if !p.required(n, f, "devices") {
		return
	}
	servers, devices := p.serversOf(n, f["servers"]), p.names(f["devices"])
	if !p.fits(n, len(servers), len(devices)) {
		return
	}
	if strings.ContainsAny(f["devices"].Value, "{}") {
		p.Errorf(f["devices"], "placeholders can be used only for the devices of arrays; write the names of the drives")
	}
	t := p.readTraits(f, newRoster("device", devices))
	peers, serves := p.readPeers(f, "server", "all", "set", "model", "name"), p.readStorage(f)
	for _, server := range servers {
		for i, text := range devices {
			c := Component{Server: server, Line: f["devices"].Line}
			d := parseDevice(text)
			c.setDevice(d)
			c.Name = server + "/" + cmp.Or(c.Device, d.String())
			t.give(&c, i, server)
			serves.give(&c)
			p.add(c, drivePeerKey(&c, d, peers))
		}
	}
}

func drivePeerKey(c *Component, d Device, peers map[string]bool) peerKey {
	l := peerKey{tier: tierDrive}
	l.class, _ = d.class()
	if peers["name"] {
		l.class = d.String()
	}
	if peers["server"] {
		l.server = c.Server
	}
	if peers["model"] {
		l.model = c.Model
	}
	return l
}

// readInterfaces reads network interfaces: the same on each of some servers.
func (p *parser) readInterfaces(n *yaml.Node) {
	f := p.Fields(n, "an entry of interfaces", "servers", "names", "peers")
	if !p.required(n, f, "names") {
		return
	}
	servers, names := p.serversOf(n, f["servers"]), p.names(f["names"])
	if !p.fits(n, len(servers), len(names)) {
		return
	}
	peers := p.readPeers(f, "name", "server", "all")
	for _, server := range servers {
		for _, name := range names {
			l := peerKey{tier: tierInterface}
			if peers["server"] {
				l.server = server
			}
			if peers["name"] {
				l.class = name
			}
			p.add(Component{Name: server + "/" + name, Kind: Interface, Server: server, Device: name, Line: f["names"].Line}, l)
		}
	}
}

// readHosts reads servers that are watched over the network.
func (p *parser) readHosts(n *yaml.Node) {
	if n == nil {
		return
	}
	servers := p.serversOf(n, n)
	if !p.fits(n, len(servers)) {
		return
	}
	for _, server := range servers {
		p.add(Component{Name: server, Kind: Host, Server: server, Line: n.Line}, peerKey{tier: tierHost})
	}
}
