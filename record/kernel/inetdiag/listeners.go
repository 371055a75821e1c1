package inetdiag

import "net/netip"

// listeners are the addresses and ports at which connections are accepted. A
// socket of IPv6 without an address, unless it is for IPv6 only, listens at
// two: those of IPv6, and those of IPv4 in IPv6's words.
type listeners map[netip.AddrPort]bool

var (
	anyIPv4   = netip.IPv4Unspecified()
	anyIPv6   = netip.IPv6Unspecified()
	anyMapped = netip.AddrFrom16(anyIPv4.As16())
)

func (l listeners) set(sockets []socket) {
	clear(l)
	for i := range sockets {
		s := &sockets[i]
		l[s.local] = true
		if s.local.Addr() == anyIPv6 && !s.v6Only {
			l[netip.AddrPortFrom(anyMapped, s.local.Port())] = true
		}
	}
}

// accepted says whether a socket with this local end was accepted rather than
// dialled. The families are held apart, since a listener of IPv4 makes
// sockets of IPv4, and one of IPv6 those of IPv6, whatever they speak: that
// tells a port that was dialled from and is listened at in the other family.
func (l listeners) accepted(local netip.AddrPort) bool {
	return l[local] || l[netip.AddrPortFrom(wildcard(local.Addr()), local.Port())]
}

// wildcard is the address of listeners at all addresses of its kind.
func wildcard(a netip.Addr) netip.Addr {
	switch {
	case a.Is4():
		return anyIPv4
	case a.Is4In6():
		return anyMapped
	}
	return anyIPv6
}
