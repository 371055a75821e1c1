package access

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// Protection holds the means that keep strangers from a server.
type Protection struct {
	TLS   bool
	Users bool
	// InsecureOpenToNetwork allows every address without protection.
	InsecureOpenToNetwork bool
}

// CheckAddress returns an error for an address that strangers can reach and that is not protected.
// "unix:/run/limpet.sock" and loopback need no protection.
func CheckAddress(address string, p Protection) error {
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		if path == "" {
			return errors.New("listen: \"unix:\" does not name a socket; add the path of the socket, such as unix:/run/limpet/limpet.sock")
		}
		return nil
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("listen: %q is not an address; write an address such as 127.0.0.1:9714, or \"unix:\" and the path of a socket", address)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return fmt.Errorf("listen: %s has the port %s, and a port is a number from 1 to 65535; write an address such as 127.0.0.1:9714", address, port)
	}
	if isLoopback(host) || p.InsecureOpenToNetwork || p.TLS && p.Users {
		return nil
	}
	return fmt.Errorf("listen: %s can be reached from the network, so the configuration must also have %s. Or let the server listen only on 127.0.0.1. To use this address without protection, write insecure_open_to_network: true into the section access of the configuration", address, p.lacks())
}

func (p Protection) lacks() string {
	switch {
	case p.Users:
		return "a certificate with its key (section tls)"
	case p.TLS:
		return "a file of users (setting users)"
	}
	return "a certificate with its key (section tls) and a file of users (setting users)"
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.Unmap().IsLoopback()
}
