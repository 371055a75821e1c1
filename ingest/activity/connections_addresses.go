package activity

import (
	"net/netip"
	"slices"

	"github.com/limpet-storage/limpet/topology"
)

// A addresses says whose address is whose. Every machine says which are its own, in
// its files; connections name a remote host by nothing else.
type addresses struct {
	serves map[string]bool // machines that serve storage; all others are clients
	hosts  []int           // components of kind Host
	places map[string]int  // of servers among the hosts
	claims map[netip.Addr][]string
	owners map[netip.Addr]owner
	// watching says that clients leave files too. Then only connections with
	// them count, on either side: both see the same ones, and what a server
	// exchanges with strangers is not taken for storage.
	watching bool
}

// owner is what a remote host is.
type owner struct {
	watched  bool // it leaves files
	server   bool // of the system
	host     int  // its place among the hosts of the book, -1 where it is none
	disputed bool // several machines have the address, a server among them
}

// newAddresses takes a machine for a server where it has storage in the system, or
// is itself a component as a host. Machines then claim their addresses.
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

// Serves says whether a machine serves storage.
func (b *addresses) Serves(name string) bool { return b.serves[name] }

// Claimants are the machines that have an address.
func (b *addresses) Claimants(addr netip.Addr) []string { return b.claims[addr] }

// Settle says whose each address is, once all machines have claimed theirs.
func (b *addresses) Settle() {
	for addr, names := range b.claims {
		b.owners[addr] = b.settle(names)
		b.watching = b.watching || !b.owners[addr].server
	}
}

// Claim notes the addresses of a machine.
func (b *addresses) Claim(name string, addresses []netip.Addr) {
	for _, addr := range addresses {
		if !slices.Contains(b.claims[addr], name) {
			b.claims[addr] = append(b.claims[addr], name)
		}
	}
}

// settle says what an address is that some machines have.
func (b *addresses) settle(names []string) owner {
	o := owner{watched: true, host: -1, server: slices.ContainsFunc(names, func(name string) bool { return b.serves[name] })}
	o.disputed = o.server && len(names) > 1
	if place, ok := b.places[names[0]]; ok && !o.disputed {
		o.host = place
	}
	return o
}

// owner is whose an address is. Nobody's is some client's: most of them leave
// no files.
func (b *addresses) owner(addr netip.Addr) owner {
	if o, ok := b.owners[addr]; ok {
		return o
	}
	return owner{host: -1}
}

// Hosts is how many hosts are components.
func (b *addresses) Hosts() int { return len(b.hosts) }
