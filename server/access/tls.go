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
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// TLS holds the names of the files for encryption.
type TLS struct {
	CertificateFile, KeyFile string
	// ClientCAFile is the file of the certificate authorities of clients. If it is set, every
	// client needs a certificate that one of these authorities signed.
	ClientCAFile string
}

// On reports whether any file is set.
func (t TLS) On() bool { return t != TLS{} }

// Validate returns an error if the certificate or its key is missing.
func (t TLS) Validate() error {
	switch {
	case t.On() && t.CertificateFile == "":
		return errors.New("tls: the certificate is missing; name the file of the certificate")
	case t.On() && t.KeyFile == "":
		return errors.New("tls: the key of the certificate is missing; name the file of the key")
	}
	return nil
}

// Config reads the files. When a client connects, Config reads changed files again, but checks for
// changes at most once in lookEvery. If the new files are broken, it calls report and continues to
// use the previous ones.
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

// certificates holds the certificates of files that may be replaced while the server runs.
type certificates struct {
	files  TLS
	now    func() time.Time
	report func(error)

	mu     sync.Mutex
	config *tls.Config
	stamps [3]stamp
	looked time.Time
}

// stamp is the time and size of a file. A change of the stamp shows that the file was replaced.
type stamp struct {
	modified time.Time
	size     int64
}

// lookEvery is the interval between two checks of the files.
const lookEvery = 5 * time.Second

func (c *certificates) forClient(*tls.ClientHelloInfo) (*tls.Config, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.looked) >= lookEvery {
		c.looked = now
		if stamps := c.stampsNow(); stamps != c.stamps {
			if err := c.read(); err != nil {
				c.stamps = stamps // report the error only once
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

// maxPEMBytes is the largest size of a file. Every chain of certificates is smaller.
const maxPEMBytes = 1 << 20

// tlsSettings are the settings of the three files.
var tlsSettings = [3]string{"certificate", "key", "client_ca"}

func (c *certificates) read() error {
	stamps := c.stampsNow()
	var pem [3][]byte
	for i, name := range []string{c.files.CertificateFile, c.files.KeyFile, c.files.ClientCAFile} {
		if name == "" {
			continue
		}
		data, err := bounded.ReadFile(name, maxPEMBytes, "a certificate")
		if err != nil {
			return yamlfile.InSetting(tlsSettings[i], fmt.Errorf("tls: %w", err))
		}
		pem[i] = data
	}
	own, err := tls.X509KeyPair(pem[0], pem[1])
	if err != nil {
		return yamlfile.InSetting(tlsSettings[0], fmt.Errorf("tls: %s and %s do not belong together: %w", c.files.CertificateFile, c.files.KeyFile, err))
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, CipherSuites: listener.Suites(), Certificates: []tls.Certificate{own}, NextProtos: []string{"h2", "http/1.1"}}
	if c.files.ClientCAFile != "" {
		config.ClientCAs, config.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
		if !config.ClientCAs.AppendCertsFromPEM(pem[2]) {
			return yamlfile.InSetting(tlsSettings[2], fmt.Errorf("tls: %s holds no certificate; name a PEM file with the certificates of the authorities", c.files.ClientCAFile))
		}
	}
	c.config, c.stamps = config, stamps
	return nil
}
