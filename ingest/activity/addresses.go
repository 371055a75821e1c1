package activity

import (
	"net/netip"
	"slices"

	"github.com/limpet-storage/limpet/topology"
)

// addresses maps IP addresses to machines: servers and clients. The activity files of a machine
// list its own addresses. A connection in these files has only the address of the remote host, not
// its name.
type addresses struct {
	serves map[string]bool         // names of machines that serve storage; all other machines are clients
	hosts  []int                   // indices of the components of kind Host in the system
	places map[string]int          // for each server name: index of the server in addresses.hosts
	claims map[netip.Addr][]string // for each address: names of the machines that have the address
	owners map[netip.Addr]owner
	// hasClientFiles is true if at least one client has activity files. Then the average congestion
	// window of a server includes only its connections to clients with activity files, so that
	// servers and clients measure the same connections.
	hasClientFiles bool
}

// owner describes the machine to which the remote address of a connection belongs.
type owner struct {
	watched  bool // true if there are activity files of the machine
	server   bool // true if the machine is a server of the system
	host     int  // index of the machine in addresses.hosts; -1 if the machine is not a host component
	disputed bool // true if several machines have the address, and one of them is a server
}

// newAddresses returns an empty map of addresses for a system. Claim adds the addresses of
// machines. A machine counts as a server if a host component or an attachment (drive or path) of
// the system belongs to it.
func newAddresses(system *topology.System) *addresses {
	b := &addresses{places: map[string]int{}, serves: map[string]bool{}, claims: map[netip.Addr][]string{}, owners: map[netip.Addr]owner{}}
	for i := range system.Components {
		switch c := &system.Components[i]; c.Kind {
		case topology.Host:
			b.places[c.Server] = len(b.hosts)
			b.hosts = append(b.hosts, i)
			b.serves[c.Server] = true
		case topology.Attachment:
			b.serves[c.Server] = true
		}
	}
	return b
}

// Serves reports whether a machine serves storage.
func (b *addresses) Serves(name string) bool { return b.serves[name] }

// Claimants returns the names of the machines that have the address addr.
func (b *addresses) Claimants(addr netip.Addr) []string { return b.claims[addr] }

// FindOwners finds the owner of each address. Call it after Claim was called for
// all machines.
func (b *addresses) FindOwners() {
	for addr, names := range b.claims {
		b.owners[addr] = b.findOwner(names)
		b.hasClientFiles = b.hasClientFiles || !b.owners[addr].server
	}
}

// Claim records that a machine has the given addresses.
func (b *addresses) Claim(name string, addresses []netip.Addr) {
	for _, addr := range addresses {
		if !slices.Contains(b.claims[addr], name) {
			b.claims[addr] = append(b.claims[addr], name)
		}
	}
}

// findOwner returns the owner of an address. The caller passes the names of the
// machines that have the address.
func (b *addresses) findOwner(names []string) owner {
	o := owner{watched: true, host: -1, server: slices.ContainsFunc(names, func(name string) bool { return b.serves[name] })}
	o.disputed = o.server && len(names) > 1
	if place, ok := b.places[names[0]]; ok && !o.disputed {
		o.host = place
	}
	return o
}

// owner returns the owner of an address. An address that belongs to no known machine counts as the
// address of a client, because most clients have no activity files.
func (b *addresses) owner(addr netip.Addr) owner {
	if o, ok := b.owners[addr]; ok {
		return o
	}
	return owner{host: -1}
}

// Hosts returns the number of host components.
func (b *addresses) Hosts() int { return len(b.hosts) }
