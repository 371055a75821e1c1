package access

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/listener"
)

// TLS names the files that encryption needs.
type TLS struct {
	CertificateFile, KeyFile string
	// ClientCAFile holds the authorities of clients. Where it is given, nobody
	// connects without a certificate that one of them signed.
	ClientCAFile string
}

// On says whether there is anything to encrypt with.
func (t TLS) On() bool { return t != TLS{} }

// Validate says which file is missing.
func (t TLS) Validate() error {
	switch {
	case t.On() && t.CertificateFile == "":
		return errors.New("tls: the certificate is missing; name the file of the certificate")
	case t.On() && t.KeyFile == "":
		return errors.New("tls: the key of the certificate is missing; name the file of the key")
	}
	return nil
}

// Config reads the files, and again whenever they have changed: it looks at most
// every few seconds, when somebody connects. Where the new ones are broken, report
// is told, and the old ones go on.
func (t TLS) Config(now func() time.Time, report func(error)) (*tls.Config, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	c := &certificates{files: t, now: now, report: report}
	if err := c.read(); err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetConfigForClient: c.forClient}, nil
}

// certificates are files that may be replaced while they are used.
type certificates struct {
	files  TLS
	now    func() time.Time
	report func(error)

	mu     sync.Mutex
	config *tls.Config
	stamps [3]stamp
	looked time.Time
}

// stamp tells whether a file is another one.
type stamp struct {
	modified time.Time
	size     int64
}

// lookEvery is how often files are looked at.
const lookEvery = 5 * time.Second

func (c *certificates) forClient(*tls.ClientHelloInfo) (*tls.Config, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.looked) >= lookEvery {
		c.looked = now
		if stamps := c.stampsNow(); stamps != c.stamps {
			if err := c.read(); err != nil {
				c.stamps = stamps // said once
				c.report(fmt.Errorf("%w; the server continues to use the previous certificate", err))
			}
		}
	}
	return c.config, nil
}

func (c *certificates) stampsNow() (stamps [3]stamp) {
	for i, name := range []string{c.files.CertificateFile, c.files.KeyFile, c.files.ClientCAFile} {
		if info, err := os.Stat(name); err == nil {
			stamps[i] = stamp{info.ModTime(), info.Size()}
		}
	}
	return stamps
}

// maxPEMBytes is more than any chain of certificates has.
const maxPEMBytes = 1 << 20

func (c *certificates) read() error {
	stamps := c.stampsNow()
	var pem [3][]byte
	for i, name := range []string{c.files.CertificateFile, c.files.KeyFile, c.files.ClientCAFile} {
		if name == "" {
			continue
		}
		data, err := bounded.ReadFile(name, maxPEMBytes, "a certificate")
		if err != nil {
			return fmt.Errorf("tls: %w", err)
		}
		pem[i] = data
	}
	own, err := tls.X509KeyPair(pem[0], pem[1])
	if err != nil {
		return fmt.Errorf("tls: %s and %s do not belong together: %w", c.files.CertificateFile, c.files.KeyFile, err)
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, CipherSuites: listener.Suites(), Certificates: []tls.Certificate{own}, NextProtos: []string{"h2", "http/1.1"}}
	if c.files.ClientCAFile != "" {
		config.ClientCAs, config.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
		if !config.ClientCAs.AppendCertsFromPEM(pem[2]) {
			return fmt.Errorf("tls: %s holds no certificate; name a PEM file with the certificates of the authorities", c.files.ClientCAFile)
		}
	}
	c.config, c.stamps = config, stamps
	return nil
}
