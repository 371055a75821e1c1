package access

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// unixPeer stands for whoever connects to a Unix socket.
const unixPeer = "unix"

// proxy is a server that knows users by itself, such as one for single sign-on,
// and tells them in headers. Its word is taken only from its own addresses.
type proxy struct {
	from       []netip.Prefix
	unix       bool
	userHeader string
	roleHeader string
	roles      []Role // of everybody, where there is no header for them
}

// caller is whom the proxy names; false where the request is not from the proxy
// or names nobody.
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

// peer is the address of a client; false for one of a Unix socket.
func peer(remote string) (netip.Addr, bool) {
	at, err := netip.ParseAddrPort(remote)
	return at.Addr().Unmap().WithZone(""), err == nil
}

// Address names a client without its port, as audit trails have it.
func Address(r *http.Request) string {
	if address, ok := peer(r.RemoteAddr); ok {
		return address.String()
	}
	return unixPeer
}

// guesser is what failed logins are counted by: an address, and of IPv6 the network
// that one customer has.
func guesser(r *http.Request) string {
	address, ok := peer(r.RemoteAddr)
	if ok && address.Is6() {
		prefix, _ := address.Prefix(64)
		return prefix.String()
	}
	return Address(r)
}

// local says whether a request names the server by an address or as localhost. A
// page of a stranger, whose name was made to mean this machine, does not.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	_, err := netip.ParseAddr(host)
	return err == nil || host == "localhost"
}
