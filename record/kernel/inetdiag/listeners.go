package inetdiag

import "net/netip"

// listeners are the addresses and ports at which connections are accepted. An IPv6 socket at the
// address :: listens at two addresses, unless it is for IPv6 only: :: and ::ffff:0.0.0.0 (IPv4).
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

// accepted reports whether a socket with this local address was accepted rather than dialled. IPv4
// and IPv6 sockets are kept apart, because a listener makes only sockets of its own family. So a
// local port from which the machine dialled in one family is not taken for a listening port of the
// other family.
func (l listeners) accepted(local netip.AddrPort) bool {
	return l[local] || l[netip.AddrPortFrom(wildcard(local.Addr()), local.Port())]
}

// wildcard returns the address of listeners at all addresses of the same kind.
func wildcard(a netip.Addr) netip.Addr {
	switch {
	case a.Is4():
		return anyIPv4
	case a.Is4In6():
		return anyMapped
	}
	return anyIPv6
}
