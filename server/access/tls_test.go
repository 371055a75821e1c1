package access

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// issue writes a certificate of its own authority, and returns both files.
func issue(t *testing.T, dir, name string) (certificate, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	like := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, like, like, secret.Public(), secret)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	put(t, certificate, "CERTIFICATE", der)
	put(t, key, "EC PRIVATE KEY", private)
	return certificate, key
}

func put(t *testing.T, path, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}

// greet connects, and returns who answers.
func greet(t *testing.T, server *tls.Config, client *tls.Config) (string, error) {
	t.Helper()
	l, err := tls.Listen("tcp", "127.0.0.1:0", server)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		if c, err := l.Accept(); err == nil {
			_ = c.(*tls.Conn).Handshake()
			_, _ = c.Write([]byte("x"))
			c.Close()
		}
	}()
	client.InsecureSkipVerify = true
	raw, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c := tls.Client(raw, client)
	defer c.Close()
	if n, err := c.Read(make([]byte, 1)); n == 0 {
		return "", err
	}
	return c.ConnectionState().PeerCertificates[0].Subject.CommonName, nil
}

// TestCertificatesAreReadAgain: once they have changed; a broken one is said once,
// and the old one goes on.
func TestCertificatesAreReadAgain(t *testing.T) {
	dir, at, said := t.TempDir(), &clock{}, []string{}
	certificate, key := issue(t, dir, "first")
	config, err := TLS{CertificateFile: certificate, KeyFile: key}.Config(at.now, func(err error) { said = append(said, err.Error()) })
	if err != nil {
		t.Fatal(err)
	}
	want := func(name string) {
		t.Helper()
		if got, err := greet(t, config, &tls.Config{}); got != name {
			t.Errorf("%s answers, want %s: %v", got, name, err)
		}
	}
	want("first")
	issue(t, dir, "second")
	at.turn(lookEvery)
	want("second")
	if err := os.WriteFile(certificate, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		at.turn(lookEvery)
		want("second")
	}
	if len(said) != 1 || !strings.Contains(said[0], "the server continues to use the previous certificate") {
		t.Errorf("said was %q", said)
	}
}

// TestOldTLS: what is older than 1.2 is refused.
func TestOldTLS(t *testing.T) {
	certificate, key := issue(t, t.TempDir(), "x")
	config, err := TLS{CertificateFile: certificate, KeyFile: key}.Config(time.Now, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := greet(t, config, &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}); err == nil {
		t.Error("TLS 1.1 is taken")
	}
}

// TestOldSuites: under TLS 1.2, suites with CBC and SHA-1 are refused, and those with
// authenticated encryption are taken.
func TestOldSuites(t *testing.T) {
	certificate, key := issue(t, t.TempDir(), "x")
	config, err := TLS{CertificateFile: certificate, KeyFile: key}.Config(time.Now, nil)
	if err != nil {
		t.Fatal(err)
	}
	for suite, isTaken := range map[uint16]bool{
		tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA:          false,
		tls.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA:          false,
		tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256:       false,
		tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256:       true,
		tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: true,
	} {
		_, err := greet(t, config, &tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{suite}})
		if (err == nil) != isTaken {
			t.Errorf("%s: %v", tls.CipherSuiteName(suite), err)
		}
	}
}

// TestClientAuthority: where there is one, nobody comes in without a certificate.
func TestClientAuthority(t *testing.T) {
	certificate, key := issue(t, t.TempDir(), "x")
	config, err := TLS{CertificateFile: certificate, KeyFile: key, ClientCAFile: certificate}.Config(time.Now, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := greet(t, config, &tls.Config{}); err == nil {
		t.Error("a client without a certificate is taken")
	}
	own, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := greet(t, config, &tls.Config{Certificates: []tls.Certificate{own}}); err != nil {
		t.Errorf("one with a certificate is not: %v", err)
	}
}

func TestTLSMistakes(t *testing.T) {
	certificate, key := issue(t, t.TempDir(), "x")
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]TLS{
		"the certificate is missing": {KeyFile: key},
		"the key of the certificate": {CertificateFile: certificate},
		"no such file":               {CertificateFile: "/none", KeyFile: key},
		"do not belong together":     {CertificateFile: key, KeyFile: certificate},
		"holds no certificate":       {CertificateFile: certificate, KeyFile: key, ClientCAFile: empty},
	} {
		if _, err := o.Config(time.Now, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", o, err, want)
		}
	}
}
