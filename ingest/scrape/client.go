package scrape

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/internal/bounded"
)

// A client sends the requests of one job.
type client struct {
	job  *Job
	http fromFiles[*http.Client]     // HTTP client; it is made again when the CA file changes
	own  fromFiles[*tls.Certificate] // client certificate
}

func newClient(j *Job) *client { return &client{job: j} }

func (c *client) close() {
	if c.http.ok {
		c.http.value.CloseIdleConnections()
	}
}

// current returns an HTTP client that trusts the certificates in the present CA
// file.
func (c *client) current() (*http.Client, error) {
	var files []string
	if c.job.TLS.CAFile != "" {
		files = append(files, c.job.TLS.CAFile)
	}
	return c.http.read(files, func() (*http.Client, error) {
		c.close()
		return c.make()
	})
}

// make returns a new HTTP client. The client does not follow redirects, since
// they could pass credentials to other hosts.
func (c *client) make() (*http.Client, error) {
	config, err := c.config()
	if err != nil {
		return nil, err
	}
	return &http.Client{
		Transport: &http.Transport{
			MaxIdleConnsPerHost: 1,
			IdleConnTimeout:     2 * c.job.Interval,
			DisableCompression:  true, // client.body decompresses answers, to limit their size
			TLSClientConfig:     config,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

func (c *client) config() (*tls.Config, error) {
	o := &c.job.TLS
	config := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: o.ServerName}
	if o.CertFile != "" {
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			return c.own.read([]string{o.CertFile, o.KeyFile}, func() (*tls.Certificate, error) {
				pair, err := tls.LoadX509KeyPair(o.CertFile, o.KeyFile)
				return &pair, err
			})
		}
	}
	if o.CAFile == "" {
		return config, nil
	}
	pem, err := bounded.ReadFile(o.CAFile, bounded.MaxPEM, "a file of certificate authorities")
	if err != nil {
		return nil, err
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s contains no certificate: name a PEM file with the certificates of the authorities", o.CAFile)
	}
	return config, nil
}

// fromFiles holds a value that is made from the content of files. The value is
// made again after a file has changed.
type fromFiles[T any] struct {
	mu    sync.Mutex
	seen  []time.Time // modification times of the files when they were last read
	value T
	ok    bool
}

func (c *fromFiles[T]) read(paths []string, read func() (T, error)) (T, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	changed := !c.ok
	for i, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return c.value, err
		}
		if len(c.seen) <= i {
			c.seen = append(c.seen, time.Time{})
		}
		changed = changed || !c.seen[i].Equal(info.ModTime())
		c.seen[i] = info.ModTime()
	}
	if !changed {
		return c.value, nil
	}
	value, err := read()
	if c.ok = err == nil; c.ok {
		c.value = value
	}
	return value, err
}

// fetch sends a request to an endpoint, and reads the answer into buf.
func (c *client) fetch(ctx context.Context, u *url.URL, buf []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.job.Timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return buf, err
	}
	r.Header.Set("Accept", "text/plain;version=0.0.4;q=1,*/*;q=0.1")
	r.Header.Set("Accept-Encoding", "gzip")
	r.Header.Set("User-Agent", "limpet")
	if err := c.authorize(r); err != nil {
		return buf, err
	}
	asker, err := c.current()
	if err != nil {
		return buf, err
	}
	answer, err := asker.Do(r)
	if err != nil {
		return buf, withoutURL(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return buf, fmt.Errorf("the target answers with status %s%s", answer.Status, hint(answer.StatusCode))
	}
	return c.body(answer, buf)
}

// hint returns advice about an HTTP status, or "" if there is no advice.
func hint(status int) string {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return ": check the user, password or token of the job"
	case http.StatusNotFound:
		return ": check the setting \"path\" of the job"
	}
	return ""
}

// withoutURL removes the URL from an error, since the status of the endpoint
// shows the URL already.
func withoutURL(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("the target does not answer in time: check whether the target runs, or increase the timeout")
	}
	return err
}

func (c *client) authorize(r *http.Request) error {
	switch {
	case c.job.Basic.User != "":
		password, err := secret(c.job.Basic.PasswordFile)
		if err != nil {
			return err
		}
		r.SetBasicAuth(c.job.Basic.User, password)
	case c.job.BearerFile != "":
		token, err := secret(c.job.BearerFile)
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return nil
}

// secret returns the first line of a file. The secret never appears in an
// error.
func secret(path string) (string, error) {
	data, err := bounded.ReadFile(path, bounded.MaxSecret, "a secret")
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
	if line == "" {
		return "", fmt.Errorf("%s is empty: write the secret into this file", path)
	}
	return strings.TrimSpace(line), nil
}

// body reads and decompresses an answer. It returns an error if the answer has
// more than MaxBody bytes.
func (c *client) body(answer *http.Response, buf []byte) ([]byte, error) {
	src := io.LimitReader(answer.Body, c.job.MaxBody+1)
	switch e := answer.Header.Get("Content-Encoding"); e {
	case "", "identity":
	case "gzip":
		unzipped, err := gzip.NewReader(src)
		if err != nil {
			return buf, fmt.Errorf("the answer of the target cannot be unpacked: %w", err)
		}
		defer unzipped.Close()
		src = unzipped
	default:
		return buf, fmt.Errorf("the answer of the target is compressed with %.20q, which limpet does not read: configure the target to send gzip or plain text", e)
	}
	into := bytes.NewBuffer(buf[:0])
	_, err := into.ReadFrom(io.LimitReader(src, c.job.MaxBody+1))
	if err != nil {
		return into.Bytes(), withoutURL(err)
	}
	if int64(into.Len()) > c.job.MaxBody {
		return into.Bytes(), fmt.Errorf("the answer of the target has more than %d bytes: reduce the metrics of the target, or increase max_body of the job in the configuration file", c.job.MaxBody)
	}
	return into.Bytes(), nil
}
