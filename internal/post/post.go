package post

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/printable"
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// Options holds the address of a receiver and the credentials. Files are read again for each
// request, so that secrets can be replaced while the program runs.
type Options struct {
	URL     string // address, without a password
	URLFile string // file with the address, in place of URL, if the address is a secret
	Timeout time.Duration

	CAFile             string // certificates to trust, in place of those of the system
	CertFile           string // our own certificate; needs KeyFile
	KeyFile            string
	ServerName         string // host name in the receiver's certificate, if it differs from the URL
	Username           string // for basic authentication; needs PasswordFile
	PasswordFile       string
	BearerFile         string // file with a token
	CredentialsInClear bool   // credentials may be sent over plain HTTP to another machine
}

// usualTimeout is the timeout if Options has none.
const usualTimeout = 10 * time.Second

// mostAnswer is the largest number of bytes that are read of an answer, and mostShown the largest
// number of bytes of it in an error.
const (
	mostAnswer = 16 << 10
	mostShown  = 200
)

// Client sends requests to one receiver.
type Client struct {
	opts   Options
	client *http.Client
}

// New returns a client. It reads the files once, so that it can return their errors.
func New(o Options) (*Client, error) {
	if o.Timeout == 0 {
		o.Timeout = usualTimeout
	}
	c := &Client{opts: o}
	if err := c.check(); err != nil {
		return nil, err
	}
	roots, err := trusted(o.CAFile)
	if err != nil {
		return nil, yamlfile.InSetting("ca", err)
	}
	c.client = &http.Client{
		Timeout:       o.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            (&net.Dialer{Timeout: o.Timeout}).DialContext,
			TLSHandshakeTimeout:    o.Timeout,
			ResponseHeaderTimeout:  o.Timeout,
			MaxResponseHeaderBytes: mostAnswer,
			MaxIdleConnsPerHost:    1,
			IdleConnTimeout:        2 * time.Minute,
			ForceAttemptHTTP2:      true,
			TLSClientConfig: &tls.Config{
				MinVersion: tls.VersionTLS12, RootCAs: roots, ServerName: o.ServerName,
				GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return c.certificate() },
			},
		},
	}
	return c, nil
}

// check returns an error for options that cannot work, or that would reveal a secret.
func (c *Client) check() error {
	o := &c.opts
	target, err := c.target()
	if err != nil {
		return err
	}
	secret := o.PasswordFile != "" || o.BearerFile != ""
	switch {
	case (o.URL == "") == (o.URLFile == ""):
		return errors.New("a receiver needs the setting \"url\" or the setting \"url_file\", but not both")
	case o.PasswordFile != "" && o.BearerFile != "":
		return fmt.Errorf("%s: both a password and a token are given: give either a password or a token", shown(target))
	case (o.Username == "") != (o.PasswordFile == ""):
		return fmt.Errorf("%s: \"user\" and \"password_file\" belong together: give both settings, or remove both", shown(target))
	case (o.CertFile == "") != (o.KeyFile == ""):
		return fmt.Errorf("%s: the certificate and the key belong together: give both files, or remove both", shown(target))
	case secret && target.Scheme == "http" && !loopback(target.Hostname()) && !o.CredentialsInClear:
		return fmt.Errorf("%s: a password or a token would be sent unencrypted; use https", shown(target))
	}
	if _, err := c.secrets(); err != nil {
		return err
	}
	_, err = c.certificate()
	return yamlfile.InSetting("certificate", err)
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// trusted reads the certificates to trust; nil: the certificates of the system.
func trusted(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	text, err := bounded.ReadFile(file, bounded.MaxPEM, "a file of certificate authorities")
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s contains no certificate; name a PEM file", file)
	}
	return pool, nil
}

// certificate reads our own certificate; empty if Options has none.
func (c *Client) certificate() (*tls.Certificate, error) {
	if c.opts.CertFile == "" {
		return &tls.Certificate{}, nil
	}
	pair, err := tls.LoadX509KeyPair(c.opts.CertFile, c.opts.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("%s and %s are not a certificate and its key: %w", c.opts.CertFile, c.opts.KeyFile, err)
	}
	return &pair, nil
}

// target returns the address of the receiver.
func (c *Client) target() (*url.URL, error) {
	text, setting := c.opts.URL, "url"
	if c.opts.URLFile != "" {
		secret, err := Secret(c.opts.URLFile)
		if err != nil {
			return nil, yamlfile.InSetting("url_file", err)
		}
		text, setting = secret, "url_file"
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, yamlfile.InSetting(setting, errors.New("the address of a receiver cannot be read; write an address such as https://host:port/path"))
	}
	if u.User != nil {
		return nil, yamlfile.InSetting(setting, fmt.Errorf("%s: the address contains a password; write the password into a file, and name the file in \"password_file\"", shown(u)))
	}
	return u, nil
}

// shown returns the part of an address that may be printed: the path may be a secret.
func shown(u *url.URL) string { return u.Scheme + "://" + u.Host }

// Secret reads a file with one secret, and removes spaces around the secret.
func Secret(file string) (string, error) {
	text, err := bounded.ReadFile(file, bounded.MaxSecret, "a secret")
	if err != nil {
		return "", err
	}
	if secret := strings.TrimSpace(string(text)); secret != "" {
		return secret, nil
	}
	return "", fmt.Errorf("%s is empty; write the secret into this file", file)
}

// credentials holds the password and the token of a request.
type credentials struct{ password, token string }

func (c *Client) secrets() (s credentials, err error) {
	if c.opts.PasswordFile != "" {
		s.password, err = Secret(c.opts.PasswordFile)
		err = yamlfile.InSetting("password_file", err)
	}
	if c.opts.BearerFile != "" {
		s.token, err = Secret(c.opts.BearerFile)
		err = yamlfile.InSetting("bearer_file", err)
	}
	return s, err
}

// Failure is the error for an answer with a status other than 2xx.
type Failure struct {
	Code   int
	Answer string // text of the answer, shortened and without our secrets
	Target string
	Moved  string // address of a redirect
}

func (f *Failure) Error() string {
	text := fmt.Sprintf("%s answers %d %s", f.Target, f.Code, http.StatusText(f.Code))
	if f.Moved != "" {
		text += fmt.Sprintf(", which redirects to %s; name the new address", f.Moved)
	}
	if f.Answer != "" {
		text += fmt.Sprintf(" (%s)", f.Answer)
	}
	return text
}

// Refuses reports whether the receiver will never accept this request, so that it need not be
// repeated.
func (f *Failure) Refuses() bool {
	return f.Code == http.StatusBadRequest || f.Code == http.StatusRequestEntityTooLarge || f.Code == http.StatusUnprocessableEntity
}

// Post sends JSON below the address, and returns nil for an answer of 2xx. Any other
// answer is a [Failure]. A redirect is not followed.
func (c *Client) Post(ctx context.Context, path string, body []byte, header http.Header) error {
	header = header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", "application/json")
	answer, err := c.Ask(ctx, http.MethodPost, path, nil, body, header)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, mostAnswer)) // the body is not needed
	return nil
}

// Ask sends a request below the address, and returns an answer of 2xx. The caller must close its
// body. Any other answer is a [Failure]. A redirect is not followed.
func (c *Client) Ask(ctx context.Context, method, path string, query url.Values, body []byte, header http.Header) (*http.Response, error) {
	target, err := c.target()
	if err != nil {
		return nil, err
	}
	secrets, err := c.secrets()
	if err != nil {
		return nil, err
	}
	at := *target
	if path != "" {
		at = *target.JoinPath(path)
	}
	if len(query) > 0 {
		at.RawQuery = query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s: the address is not valid; write an address such as https://host:port/path", shown(target))
	}
	for name, values := range header {
		request.Header[name] = values
	}
	request.Header.Set("User-Agent", "limpet")
	if secrets.password != "" {
		request.SetBasicAuth(c.opts.Username, secrets.password)
	}
	if secrets.token != "" {
		request.Header.Set("Authorization", "Bearer "+secrets.token)
	}
	return c.do(request, target, secrets)
}

func (c *Client) do(request *http.Request, target *url.URL, secrets credentials) (*http.Response, error) {
	answer, err := c.client.Do(request)
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // without the path
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown(target), err)
	}
	if answer.StatusCode/100 == 2 {
		return answer, nil
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, mostAnswer)) // the status is enough
	f := &Failure{Code: answer.StatusCode, Target: shown(target), Answer: brief(text, request.Header.Get("Authorization"), target, secrets)}
	if to, err := answer.Location(); err == nil && answer.StatusCode/100 == 3 {
		f.Moved = shown(to)
	}
	return nil, f
}

// partsOfAddress reports whether a character separates two parts of an address. Each part may be a
// secret.
func partsOfAddress(r rune) bool { return strings.ContainsRune("/?&=", r) }

// brief returns the text of an answer for an error: its beginning on one line. It hides our
// secrets, because the receiver may repeat them.
func brief(text []byte, authorization string, target *url.URL, s credentials) string {
	said := strings.Join(strings.Fields(string(text)), " ")
	_, encoded, _ := strings.Cut(authorization, " ")
	hidden := append([]string{s.password, s.token, encoded, target.RequestURI()}, strings.FieldsFunc(target.RequestURI(), partsOfAddress)...)
	for _, secret := range hidden {
		if len(secret) > 3 {
			said = strings.ReplaceAll(said, secret, "***")
		}
	}
	if len(said) > mostShown {
		said = said[:mostShown] + "…"
	}
	return printable.Text(said)
}
