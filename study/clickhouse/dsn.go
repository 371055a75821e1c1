package clickhouse

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	driver "github.com/ClickHouse/clickhouse-go/v2"
)

// dialTimeout is the time limit for a connection if the DSN has none. It is short, because a
// person waits.
const dialTimeout = 10 * time.Second

// Default ports of the native protocol, without and with TLS.
const (
	plainPort  = "9000"
	securePort = "9440"
)

// parseDSN reads a DSN. It accepts only the native protocol: the driver supports the native
// protocol of ClickHouse 18.16, but not its HTTP interface.
func parseDSN(dsn string, o Options) (*driver.Options, error) {
	to, err := driver.ParseDSN(dsn)
	if err != nil {
		return nil, fmt.Errorf("the address of ClickHouse cannot be read: %w; write clickhouse://user:password@host:9000/database", err)
	}
	if to.Protocol != driver.Native {
		return nil, errors.New("the address of ClickHouse is an HTTP address; write clickhouse:// and the native port, usually 9000")
	}
	if to.Auth.Password == "" {
		to.Auth.Password = o.Password
	}
	if to.Compression == nil {
		to.Compression = &driver.Compression{Method: driver.CompressionLZ4}
	}
	if to.DialTimeout == 0 {
		to.DialTimeout = dialTimeout
	}
	for i, address := range to.Addr {
		to.Addr[i] = withPort(address, to.TLS != nil)
	}
	to.DialContext = dialer(to)
	to.MaxOpenConns = max(to.MaxOpenConns, o.Queries+1)
	to.MaxIdleConns = min(max(to.MaxIdleConns, o.Queries), to.MaxOpenConns)
	return to, nil
}

// withPort adds the usual port to an address that has none.
func withPort(address string, secure bool) string {
	if _, _, err := net.SplitHostPort(address); err == nil {
		return address
	}
	port := plainPort
	if secure {
		port = securePort
	}
	return net.JoinHostPort(strings.Trim(address, "[]"), port)
}

// dialer returns a function that dials, and that stops when the context ends. The driver's own
// function does not stop then.
func dialer(o *driver.Options) func(ctx context.Context, address string) (net.Conn, error) {
	plain := &net.Dialer{Timeout: o.DialTimeout}
	if o.TLS == nil {
		return func(ctx context.Context, address string) (net.Conn, error) {
			return plain.DialContext(ctx, "tcp", address)
		}
	}
	secure := &tls.Dialer{NetDialer: plain, Config: o.TLS}
	return func(ctx context.Context, address string) (net.Conn, error) {
		return secure.DialContext(ctx, "tcp", address)
	}
}

// addressOf returns the DSN without password and settings, for messages.
func addressOf(o *driver.Options) string {
	u := url.URL{Scheme: "clickhouse", Host: strings.Join(o.Addr, ","), Path: "/" + o.Auth.Database}
	if o.Auth.Username != "" {
		u.User = url.User(o.Auth.Username)
	}
	return strings.TrimSuffix(u.String(), "/")
}
