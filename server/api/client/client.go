package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/server/api"
)

// Options are the address of the server and the login.
type Options struct {
	Server       string // "http://127.0.0.1:9714", or "unix:/run/limpet/api.sock"
	TokenFile    string
	User         string
	PasswordFile string
	CAFile       string // file with the certificates of the authorities that may sign the server's certificate
	Timeout      time.Duration
	Flag         string // name of the flag for Server, for error messages; empty: --server
}

// DefaultOptions returns the options for the server of this machine.
func DefaultOptions() Options {
	return Options{Server: fmt.Sprintf("http://127.0.0.1:%d", api.DefaultPort), Timeout: 30 * time.Second}
}

// Bounds of the files and answers that are read.
const (
	maxSecretBytes = 4 << 10
	maxCABytes     = 1 << 20
	maxAnswerBytes = 64 << 20
)

// A Client sends requests to one server.
type Client struct {
	options Options
	base    *url.URL
	http    http.Client
	secret  string // token or password
}

// New returns a client. It reads the files that the options name.
func New(o Options) (*Client, error) {
	c := &Client{options: o}
	transport := &http.Transport{TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, Proxy: http.ProxyFromEnvironment}
	c.http = http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if err := c.address(transport); err != nil {
		return nil, err
	}
	if o.CAFile != "" {
		pem, err := bounded.ReadFile(o.CAFile, maxCABytes, "a file of certificate authorities")
		if err != nil {
			return nil, fmt.Errorf("--ca: %w", err)
		}
		transport.TLSClientConfig.RootCAs = x509.NewCertPool()
		if !transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("--ca: %s holds no certificate; name a PEM file with the certificate of the authority", o.CAFile)
		}
	}
	return c, c.credentials()
}

// address parses the address of the server: a URL or a Unix socket.
func (c *Client) address(transport *http.Transport) error {
	server := c.options.Server
	if path, ok := strings.CutPrefix(server, "unix:"); ok {
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", path)
		}
		c.base = &url.URL{Scheme: "http", Host: "localhost"}
		return nil
	}
	if !strings.Contains(server, "://") {
		server = "http://" + server
	}
	base, err := url.Parse(server)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" || base.User != nil || base.RawQuery != "" {
		return fmt.Errorf("%s %s is not the address of a server; write an address such as http://127.0.0.1:%d", c.flag(), c.options.Server, api.DefaultPort)
	}
	base.Path = strings.TrimSuffix(base.Path, "/")
	c.base = base
	return nil
}

// flag returns the name of the flag for the address of the server.
func (c *Client) flag() string { return cmp.Or(c.options.Flag, "--server") }

// credentials reads the token or the password.
func (c *Client) credentials() error {
	o := &c.options
	switch {
	case o.TokenFile != "" && o.User != "":
		return errors.New("--token-file and --user are two different logins; remove one of these flags")
	case (o.User == "") != (o.PasswordFile == ""):
		return errors.New("--user and --password-file belong together; give both flags")
	case o.TokenFile == "" && o.User == "":
		return nil
	case !c.safe():
		return fmt.Errorf("the connection to %s is not encrypted, so others on the network could read the password or token; use https", c.options.Server)
	}
	path, flag := o.PasswordFile, "--password-file"
	if o.TokenFile != "" {
		path, flag = o.TokenFile, "--token-file"
	}
	data, err := bounded.ReadFile(path, maxSecretBytes, "a secret")
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	if c.secret = strings.TrimRight(string(data), "\r\n"); c.secret == "" || strings.ContainsAny(c.secret, "\r\n\x00") {
		return fmt.Errorf("%s: %s must have exactly one line; write only the password or token into the file", flag, path)
	}
	return nil
}

// safe reports whether the connection is encrypted or stays on this machine, so that a secret may
// be sent.
func (c *Client) safe() bool {
	host := c.base.Hostname()
	address, err := netip.ParseAddr(host)
	return c.base.Scheme == "https" || host == "localhost" || err == nil && address.IsLoopback()
}

// Get sends a GET request for a path below the API. It decodes the answer into to, and returns its
// bytes.
func (c *Client) Get(ctx context.Context, path string, query url.Values, to any) ([]byte, error) {
	return c.do(ctx, http.MethodGet, path, query, nil, to)
}

// Post sends a value to a path below the API. It decodes the answer into to, and returns its bytes.
func (c *Client) Post(ctx context.Context, path string, body, to any) ([]byte, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return c.do(ctx, http.MethodPost, path, nil, data, to)
}

func (c *Client) do(ctx context.Context, method, path string, query url.Values, body []byte, to any) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, c.options.Timeout)
	defer stop()
	answer, err := c.ask(ctx, method, path, query, body)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	data, err := c.read(ctx, answer)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, to); err != nil {
		return nil, c.stranger()
	}
	return data, nil
}

// ask sends a request. Any status but 200 is an error.
func (c *Client) ask(ctx context.Context, method, path string, query url.Values, body []byte) (*http.Response, error) {
	target := *c.base
	target.RawQuery = query.Encode()
	at := target.JoinPath(api.Base + path)
	r, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	switch {
	case c.options.TokenFile != "":
		r.Header.Set("Authorization", "Bearer "+c.secret)
	case c.options.User != "":
		r.SetBasicAuth(c.options.User, c.secret)
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, c.unreached(ctx, err)
	}
	if answer.StatusCode != http.StatusOK {
		defer answer.Body.Close()
		data, err := c.read(ctx, answer)
		if err != nil {
			return nil, err
		}
		return nil, c.refused(answer, data)
	}
	return answer, nil
}

// read reads an answer of at most maxAnswerBytes.
func (c *Client) read(ctx context.Context, answer *http.Response) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswerBytes+1))
	switch {
	case err != nil:
		return nil, c.unreached(ctx, err)
	case len(data) > maxAnswerBytes:
		return nil, fmt.Errorf("the answer from %s has more than %s bytes, which is the limit; request fewer components or a shorter period", c.options.Server, bounded.FormatBytes(maxAnswerBytes))
	}
	return data, nil
}
