package sysstat

import (
	"maps"
	"net/netip"
	"slices"
	"strings"
)

// A file has the name of its host, but connections have the addresses of hosts. Therefore a
// recorder also writes comments with the addresses of its host:
//
//	addr 10.0.0.3 eth0
//	addr 2001:db8::3 ib0

const (
	addrPrefix = "addr "
	// maxAddresses is the largest number of addresses that an inventory takes from comments.
	maxAddresses = 4096
)

// An Address is an address of a host.
type Address struct {
	Addr      netip.Addr
	Interface string // "": not known
}

// Comment returns the comment for an address, short enough for a record. If the name of the
// interface is too long, the comment leaves it out.
func (a Address) Comment() string {
	line := addrPrefix + plainAddr(a.Addr).String()
	name := strings.Join(escape(a.Interface), "")
	if name != "" && len(line)+1+len(name) <= maxComment {
		line += " " + name
	}
	return line
}

// Addresses returns the addresses from comments, sorted.
func (inv *Inventory) Addresses() []Address {
	list := make([]Address, 0, len(inv.addresses))
	for _, addr := range slices.SortedFunc(maps.Keys(inv.addresses), netip.Addr.Compare) {
		list = append(list, Address{addr, inv.addresses[addr]})
	}
	return list
}

// addAddress parses the text after "addr" in a comment. Further words are ignored.
func (inv *Inventory) addAddress(rest string) bool {
	words := append(strings.Fields(rest), "", "")
	addr, err := netip.ParseAddr(words[0])
	if err != nil {
		return false
	}
	addr = plainAddr(addr)
	if _, known := inv.addresses[addr]; !known && len(inv.addresses) == maxAddresses {
		return false
	}
	if inv.addresses == nil {
		inv.addresses = map[netip.Addr]string{}
	}
	inv.addresses[addr] = unescape(words[1])
	return true
}

// plainAddr returns the one form in which an address is compared: IPv4 instead of IPv4-mapped IPv6,
// and no zone, because a zone has a meaning only on its own host.
func plainAddr(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }
