package access

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// unixPeer is the address of all clients that connect to a Unix socket.
const unixPeer = "unix"

// proxy is a server that authenticates users itself, for example for single sign-on, and sends
// their names in headers. limpet trusts these headers only from the addresses of the proxy.
type proxy struct {
	from       []netip.Prefix
	unix       bool
	userHeader string
	roleHeader string
	roles      []Role // roles of all its users, if there is no roleHeader
}

// caller returns the user that the proxy names; false: the request is not from the proxy, or names
// no user.
func (p *proxy) caller(r *http.Request) (Caller, bool) {
	if p == nil || !p.trusts(r.RemoteAddr) {
		return Caller{}, false
	}
	name := r.Header.Get(p.userHeader)
	if !isName(name) || len(r.Header.Values(p.userHeader)) > 1 {
		return Caller{}, false
	}
	c := Caller{Name: name, Roles: p.roles}
	if p.roleHeader != "" {
		for _, text := range strings.Split(r.Header.Get(p.roleHeader), ",") {
			if role := Role(strings.TrimSpace(text)); slices.Contains(Roles(), role) {
				c.Roles = append(c.Roles, role)
			}
		}
	}
	return c, true
}

func (p *proxy) trusts(remote string) bool {
	address, ok := peer(remote)
	if !ok {
		return p.unix
	}
	return slices.ContainsFunc(p.from, func(prefix netip.Prefix) bool { return prefix.Contains(address) })
}

// peer returns the address of a client; false: the client uses a Unix socket.
func peer(remote string) (netip.Addr, bool) {
	at, err := netip.ParseAddrPort(remote)
	return at.Addr().Unmap().WithZone(""), err == nil
}

// Address returns the address of a client without the port, for the audit trail.
func Address(r *http.Request) string {
	if address, ok := peer(r.RemoteAddr); ok {
		return address.String()
	}
	return unixPeer
}

// guesser returns the key by which failed logins are counted: the IPv4 address, or the /64 network
// of the IPv6 address, which usually belongs to one customer.
func guesser(r *http.Request) string {
	address, ok := peer(r.RemoteAddr)
	if ok && address.Is6() {
		prefix, _ := address.Prefix(64)
		return prefix.String()
	}
	return Address(r)
}

// local reports whether a request names the server by an IP address or as localhost. A page of an
// attacker, whose host name resolves to this machine (DNS rebinding), does neither.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	_, err := netip.ParseAddr(host)
	return err == nil || host == "localhost"
}
