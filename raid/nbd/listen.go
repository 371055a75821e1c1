package nbd

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
)

// Listen listens on a Unix socket, "unix:/run/array.sock", or on loopback, "127.0.0.1:10809" or
// "[::1]:10809". If clients are authenticated, any address is allowed. If no server answers on an
// existing socket, its server was killed, and the socket is replaced. Only the owner of a socket
// may connect.
func Listen(address string, authenticated bool) (net.Listener, error) {
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		return listenUnix(path)
	}
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %q: write unix:PATH or 127.0.0.1:PORT: %w", address, err)
	}
	if !at.Addr().IsLoopback() && !authenticated {
		return nil, fmt.Errorf("cannot listen on %s without TLS, because clients are not authenticated: use TLS, a Unix socket or a loopback address", address)
	}
	return net.Listen("tcp", address)
}

func listenUnix(path string) (net.Listener, error) {
	if stat, err := os.Lstat(path); err == nil && stat.Mode()&os.ModeSocket != 0 {
		if c, err := net.Dial("unix", path); err == nil {
			c.Close()
			return nil, fmt.Errorf("cannot listen on %s: another server uses this socket: stop the other server, or choose another path", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}
