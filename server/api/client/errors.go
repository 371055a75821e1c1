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

// unreached says why a server could not be asked, and what to do.
func (c *Client) unreached(ctx context.Context, err error) error {
	server := c.options.Server
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // it names the method, which is no concern of who reads it
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
		return fmt.Errorf("nothing listens at %s: start limpet serve, or name it with --server", server)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s may not be opened by this user: ask as another, or over the network", server)
	case errors.As(err, &lost):
		return fmt.Errorf("no machine is called %s: correct --server", lost.Name)
	case errors.As(err, &unsigned):
		return fmt.Errorf("the certificate of %s was signed by an authority that is not known here: name its file with --ca", server)
	case errors.As(err, &other):
		return fmt.Errorf("the certificate of %s is that of another name: name the server as its certificate does", server)
	case errors.As(err, &expired):
		return fmt.Errorf("the certificate of %s does not hold: %w", server, err)
	case isRecord(err), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return fmt.Errorf("%s is not encrypted: write http:// in --server", server)
	case errors.Is(err, os.ErrDeadlineExceeded), isTimeout(err):
		return fmt.Errorf("%s has not answered for %v: try again, or look at its log", server, c.options.Timeout)
	case errors.Is(err, syscall.ECONNRESET), strings.Contains(err.Error(), "EOF"):
		return fmt.Errorf("%s closed the connection: it may have too many, or want https", server)
	}
	return fmt.Errorf("%s cannot be asked: %w", server, err)
}

func isRecord(err error) bool {
	_, ok := errors.AsType[tls.RecordHeaderError](err)
	return ok
}

func isTimeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
}

// refused says why a server did not do what it was asked.
func (c *Client) refused(answer *http.Response, data []byte) error {
	var said api.Error
	if json.Unmarshal(data, &said) != nil || said.Text == "" {
		if answer.StatusCode == http.StatusBadRequest && strings.Contains(string(data), "HTTPS") {
			return fmt.Errorf("%s is encrypted: write https:// in --server", c.options.Server)
		}
		return c.stranger()
	}
	switch answer.StatusCode {
	case http.StatusUnauthorized:
		return fmt.Errorf("%s: %s, with --user and --password-file or with --token-file", c.options.Server, said.Text)
	case http.StatusForbidden:
		return fmt.Errorf("%s: %s", c.options.Server, said.Text)
	}
	return errors.New(said.Text)
}

func (c *Client) stranger() error {
	return fmt.Errorf("what answers at %s is not limpet, or another version of it: correct --server", c.options.Server)
}
