package topology

// A topology file, with all of its keys. All sections and most keys are optional; names are patterns
// as Expand reads them.
//
//	name: intrepid                # for reports; default: the name of the file
//	servers: fs[1-128], box[1-4]  # every server, in order; no other server may appear below
//
//	arrays:                       # storage that servers share
//	  - names: ddn[6-21]
//	    servers: fs[1-128]        # default: every server
//	    servers_per_array: 8      # ddn6 has fs[1-8], ddn7 fs[9-16] …; default: each has all
//	    luns: 00-71
//	    lun_names: array          # default: LUN 34 of ddn6 has the name 6.34; whole: a LUN keeps its
//	                              # name in this file, and no other array may have this name. A LUN
//	                              # that is written as a WWN is found under any device name
//	    priority: rotate          # LUN i: the array's (i mod 8)-th server first, then round;
//	                              # or one order for all LUNs, [2, 1];
//	                              # or one for each range, {00-35: [1, 2], 36-71: [2, 1]};
//	                              # default: no priorities, all attachments of a LUN are equal
//	    controllers:              # the way from server to LUN: given by the server
//	      a: 1-4                  # (a number is a place among the array's servers),
//	      b: 5-8                  # or by the LUN: {luns: 36-71}, or by both
//	    sets:                     # upgrade sets, which are not compared with each other
//	      old: 00-47
//	      new: 48-71
//	    models: S2A9900           # one for all LUNs, or a table as in sets
//	    sizes: 8TB                # likewise
//	    drawers: top              # likewise
//	    devices: sd[b-bu]         # the names of the LUNs on servers: see below
//	    except:                   # servers, arrays or luns that differ; the last match counts
//	      - servers: fs9
//	        devices: sd[c-bv]
//	    peers: all                # compared with all, or within array, server, model, class
//	                              # (the kind of device: sd, nvme, dm)
//
//	drives:                       # storage that belongs to one server
//	  - servers: box[1-4]
//	    devices: sd[b-m]
//	    slots: 1-12               # one for each device
//	    sets: old                 # and models, sizes, drawers: as above, for devices
//	    peers: server             # default; or all, set, model, [server, model], or name (each
//	                              # sdb with every sdb)
//
//	interfaces:
//	  - servers: fs[1-128]
//	    names: eth[0-1]
//	    peers: name               # default: each eth0 with every eth0; or server, all
//
//	hosts: fs[1-128]              # servers as others on the network see them (cwnd)
//
//	server_peers: group           # default: the check of servers compares drives of one peer group;
//	                              # name: it compares drives that have the same name on all servers
//
//	kind: gpfs                    # the storage system: gpfs, lustre, ceph, zfs, md, multipath, raid,
//	                              # gluster, beegfs, hdfs; also in an entry of arrays or drives
//	redundancy: 8+2               # of a pool: raid6, raidz2, mirror, 8+2, 3 replicas, none; also in an entry
//	parts:                        # facts that components may have in common, and their places
//	  box[1-4]/sd[b-m]: {firmware: SN03, link: 12.0 Gbit}
//	  box1/sdb: {serial: ZL2A9XYZ, enclosure: c0/e252, slot: 3, made: 2021-03, pool: tank/raidz2-0}
//	  box1/sdc: {wwn: naa.5000c500a1b2c3d4}  # finds the drive under any name
//	  box[1-2]: {kernel: 5.14.0-362, rack: r12}
//
// Devices are a list in the order of the LUNs (sd[b-bu], 253:[0-71]); or one
// pattern, "{array}_lun{lun:3}" for ddn6_lun034; or a table:
//
//	devices:
//	  00: naa.60001ff0700000000000000000000034
//	  01-71: sd[c-bu]
//
// A device is written as a name, as major:minor or as a WWN; the parser recognises the form. {array},
// {lun}, {server} and {controller} stand for the name in this file; {lun:3} stands for the number at
// the end of the name, in three digits.

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// A parser reads a topology file into an assembly.
type parser struct {
	decoder
	assembly
	declared map[string]bool // servers of the key servers; nil: the file has no such key
	servers  *yaml.Node      // value of the key servers
	parts    *yaml.Node      // value of the key parts; read last, when components have their names
}

// maxComponents is the largest number of components of a system: a hundred times Intrepid.
const maxComponents = 1 << 20

// Parse reads a topology file; name is its name in errors. The error joins all mistakes, each a
// [yamlfile.LineError]; [yamlfile.Explain] prints them with their lines.
func Parse(name string, data []byte) (*System, []Warning, error) {
	p := &parser{decoder: decoder{yamlfile.New(name)}}
	p.File = name
	p.Name = strings.TrimSuffix(path.Base(name), path.Ext(name))
	if root := p.Root(data, `"servers", and "arrays" or "drives"`); root != nil {
		p.readFile(root)
	}
	nameAttachments(p.Components)
	p.readParts(p.parts)
	system, clashes := p.finish()
	if p.Mistakes() == 0 { // a clash may be the result of another mistake
		p.refuse(system, clashes)
	}
	if p.Mistakes() > 0 {
		return nil, nil, p.Err()
	}
	return system, system.Check(), nil
}

func (p *parser) readFile(root *yaml.Node) {
	f := p.Fields(root, "a topology file", "name", "servers", "arrays", "drives", "interfaces", "hosts", "kind", "redundancy", "parts", "server_peers")
	if f["name"] != nil {
		p.Name = p.Text(f["name"])
	}
	p.servers = f["servers"]
	p.readServers(f["servers"])
	for _, n := range p.Entries(f["arrays"], "arrays") {
		p.readArrays(n)
	}
	for _, n := range p.Entries(f["drives"], "drives") {
		p.readDrives(n)
	}
	for _, n := range p.Entries(f["interfaces"], "interfaces") {
		p.readInterfaces(n)
	}
	p.readHosts(f["hosts"])
	p.DrivesByName = p.readServerPeers(f["server_peers"])
	whole := p.readStorage(f)
	for i := range p.Components {
		whole.give(&p.Components[i])
	}
	p.parts = f["parts"]
	if len(p.Components) == 0 && p.Mistakes() == 0 {
		p.Errorf(root, "the file describes no component; add the setting \"arrays\", \"drives\" or \"interfaces\"")
	}
}

// readServerPeers reports whether the check of servers compares drives with the same name.
func (p *parser) readServerPeers(n *yaml.Node) (byName bool) {
	text := p.Text(n)
	if n != nil && text != "group" && text != "name" {
		p.Errorf(n, "the value %q for the setting \"server_peers\" is unknown; write group (drives of one peer group) or name (drives that have the same name on all servers)", text)
	}
	return text == "name"
}

func (p *parser) readServers(n *yaml.Node) {
	if n == nil {
		return
	}
	p.Servers = p.names(n)
	p.declared = make(map[string]bool, len(p.Servers))
	for _, server := range p.Servers {
		p.declared[server] = true
	}
}

// serversOf returns the servers of an entry; by default all servers.
func (p *parser) serversOf(entry, n *yaml.Node) []string {
	if n == nil {
		if p.declared == nil {
			p.Errorf(entry, "no servers are named; add the setting \"servers\" to this entry or to the top of the file")
		}
		return p.Servers
	}
	servers := p.names(n)
	strange := slices.DeleteFunc(slices.Clone(servers), func(s string) bool { return p.declared == nil || p.declared[s] })
	if len(strange) > 0 {
		p.Errorf(n, "%s not in the list of servers at the top of the file; add the missing names to this list", subject("server", strange))
	}
	return servers
}

// required reports whether an entry has all keys.
func (p *parser) required(entry *yaml.Node, f map[string]*yaml.Node, keys ...string) bool {
	ok := true
	for _, key := range keys {
		if f[key] == nil {
			p.Errorf(entry, "the setting \"%s\" is missing; add this setting to the entry", key)
			ok = false
		}
	}
	return ok
}

// fits reports whether the file may describe as many more components as the product of the factors.
func (p *parser) fits(entry *yaml.Node, factors ...int) bool {
	room := maxComponents - len(p.Components)
	total := 1
	for _, n := range factors {
		if total *= n; total > room {
			p.Errorf(entry, "the file describes more than %d components, which is the limit; use smaller ranges", maxComponents)
			return false
		}
	}
	return total > 0
}

// brief returns names as ranges; if the text is long, only the first and the last name.
func brief(names []string) string {
	const wide = 60 // an error is one line of a terminal, with the file before it
	folded := Fold(names)
	if len(folded) > wide && len(names) > 2 {
		return names[0] + " … " + names[len(names)-1]
	}
	return folded
}

// subject begins a sentence: "LUN 4 is", "LUNs 2-3 are".
func subject(noun string, names []string) string {
	if len(names) == 1 {
		return noun + " " + names[0] + " is"
	}
	return noun + "s " + brief(names) + " are"
}
