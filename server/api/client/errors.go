package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"

	"github.com/limpet-storage/limpet/server/api"
)

// unreached returns an error that says why no answer came from the server, and what to do.
func (c *Client) unreached(ctx context.Context, err error) error {
	server := c.options.Server
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // the outer error names the HTTP method, which does not help the user
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	var unsigned x509.UnknownAuthorityError
	var other x509.HostnameError
	var expired x509.CertificateInvalidError
	var lost *net.DNSError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no server listens at %s: start limpet serve, or give the address of a running server with %s", server, c.flag())
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("you have no permission to open %s: run the command as another user, or connect over the network", server)
	case errors.As(err, &lost):
		return fmt.Errorf("the host name %s is unknown: correct %s", lost.Name, c.flag())
	case errors.As(err, &unsigned):
		return fmt.Errorf("the certificate of %s was signed by an authority that this machine does not know: name the file of the authority's certificate with --ca", server)
	case errors.As(err, &other):
		return fmt.Errorf("the certificate of %s is for another host name: in %s, write the host name of the certificate", server, c.flag())
	case errors.As(err, &expired):
		return fmt.Errorf("the certificate of %s is not valid: %w", server, err)
	case isRecord(err), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return fmt.Errorf("%s does not use TLS: write http:// in %s", server, c.flag())
	case errors.Is(err, os.ErrDeadlineExceeded), isTimeout(err):
		return fmt.Errorf("%s has not answered for %v: try again, or read the log of the server", server, c.options.Timeout)
	case errors.Is(err, syscall.ECONNRESET), strings.Contains(err.Error(), "EOF"):
		return fmt.Errorf("%s closed the connection: the server may have too many connections, or may require https", server)
	}
	return fmt.Errorf("the request to %s failed: %w", server, err)
}

func isRecord(err error) bool {
	_, ok := errors.AsType[tls.RecordHeaderError](err)
	return ok
}

func isTimeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
}

// refused returns an error that says why the server refused a request.
func (c *Client) refused(answer *http.Response, data []byte) error {
	var said api.Error
	if json.Unmarshal(data, &said) != nil || said.Text == "" {
		if answer.StatusCode == http.StatusBadRequest && strings.Contains(string(data), "HTTPS") {
			return fmt.Errorf("%s uses TLS: write https:// in %s", c.options.Server, c.flag())
		}
		return c.stranger()
	}
	switch answer.StatusCode {
	case http.StatusUnauthorized:
		return fmt.Errorf("%s: %s (give --user and --password-file, or --token-file)", c.options.Server, said.Text)
	case http.StatusForbidden:
		return fmt.Errorf("%s: %s", c.options.Server, said.Text)
	}
	return errors.New(said.Text)
}

func (c *Client) stranger() error {
	return fmt.Errorf("the server at %s is not limpet, or is another version of limpet: correct %s, or use the limpet command of the same version as the server", c.options.Server, c.flag())
}
