package sysstat

import (
	"maps"
	"net/netip"
	"slices"
	"strings"
)

// A file names its host, but connections name hosts by address. A recorder
// therefore also writes comments that say which addresses its host has:
//
//	addr 10.0.0.3 eth0
//	addr 2001:db8::3 ib0

const (
	addrPrefix = "addr "
	// maxAddresses bounds what comments may make an inventory grow to.
	maxAddresses = 4096
)

// An Address is one that a host has.
type Address struct {
	Addr      netip.Addr
	Interface string // empty where not known
}

// Comment is the comment that tells of an address, short enough for a record.
// Where the interface has a name too long for that, it is left out.
func (a Address) Comment() string {
	line := addrPrefix + plainAddr(a.Addr).String()
	name := strings.Join(escape(a.Interface), "")
	if name != "" && len(line)+1+len(name) <= maxComment {
		line += " " + name
	}
	return line
}

// Addresses are those that comments told of, in order.
func (inv *Inventory) Addresses() []Address {
	list := make([]Address, 0, len(inv.addresses))
	for _, addr := range slices.SortedFunc(maps.Keys(inv.addresses), netip.Addr.Compare) {
		list = append(list, Address{addr, inv.addresses[addr]})
	}
	return list
}

// addAddress takes what follows addr in a comment. Words that are not known
// are read over.
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

// plainAddr writes an address in one way only: IPv4 as such, and without the
// zone, which has a meaning on its own host alone.
func plainAddr(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }
