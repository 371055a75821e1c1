package nbd

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

	"github.com/limpet-storage/limpet/raid/nbd/nbdtest"
)

// certificates makes an authority, a server and a client in a directory, by the
// names that NBD tools use.
func certificates(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	key := newKey(t)
	sign(t, dir, "ca", authority, authority, key, key)
	for i, name := range []string{"server", "client"} {
		own := newKey(t)
		sign(t, dir, name, &x509.Certificate{
			SerialNumber: big.NewInt(int64(2 + i)), Subject: pkix.Name{CommonName: name}, DNSNames: []string{"localhost"},
			IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature,
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
			NotBefore:   time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		}, authority, own, key)
	}
	return dir
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func sign(t *testing.T, dir, name string, c, parent *x509.Certificate, own, signer *ecdsa.PrivateKey) {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &own.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(own)
	if err != nil {
		t.Fatal(err)
	}
	for kind, block := range map[string]*pem.Block{"cert": {Type: "CERTIFICATE", Bytes: der}, "key": {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(filepath.Join(dir, name+"-"+kind+".pem"), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func clientTLS(t *testing.T, dir string, known bool) *tls.Config {
	t.Helper()
	pool := x509.NewCertPool()
	ca, err := os.ReadFile(filepath.Join(dir, "ca-cert.pem"))
	if err != nil || !pool.AppendCertsFromPEM(ca) {
		t.Fatal(err)
	}
	c := &tls.Config{RootCAs: pool, ServerName: "localhost"}
	if known {
		own, err := tls.LoadX509KeyPair(filepath.Join(dir, "client-cert.pem"), filepath.Join(dir, "client-key.pem"))
		if err != nil {
			t.Fatal(err)
		}
		c.Certificates = []tls.Certificate{own}
	}
	return c
}

// TestTLS: who has a certificate is served encrypted; who has none, or another
// authority's, or does not encrypt, is not.
func TestTLS(t *testing.T) {
	dir := certificates(t)
	e, m := testExport()
	o := DefaultOptions()
	var err error
	if o.TLS, err = LoadTLS(dir); err != nil {
		t.Fatal(err)
	}
	_, path := serve(t, e, o)
	c, err := nbdtest.Dial("unix:"+path, clientTLS(t, dir, true))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got := make([]byte, 100_000)
	if _, err := c.ReadAt(got, 9); err != nil || string(got) != string(m.at(9, 100_000)) {
		t.Errorf("read: %v", err)
	}
	if _, err := c.WriteAt([]byte("encrypted"), 500); err != nil || string(m.at(500, 9)) != "encrypted" {
		t.Errorf("write: %v", err)
	}
	for name, config := range map[string]*tls.Config{
		"none": clientTLS(t, dir, false), "another authority's": clientTLS(t, certificates(t), true), "plain": nil,
	} {
		if c, err := nbdtest.Dial("unix:"+path, config); err == nil {
			c.Close()
			t.Errorf("%s: was let in", name)
		}
	}
	plain := dial(t, path)
	plain.hello(3)
	plain.option(3, "")
	if kind, _ := plain.answer(3); kind != 1<<31+5 {
		t.Errorf("to list without TLS is answered by %#x", kind)
	}
}

// TestInjection: what a client sent in the clear is not taken for what it says
// encrypted.
func TestInjection(t *testing.T) {
	e, _ := testExport()
	o := DefaultOptions()
	var err error
	if o.TLS, err = LoadTLS(certificates(t)); err != nil {
		t.Fatal(err)
	}
	reports := make(chan error, 1)
	o.Report = func(_ net.Addr, err error) { reports <- err }
	_, path := serve(t, e, o)
	c := dial(t, path)
	c.hello(3)
	c.put("IHAVEOPT", uint32(5), uint32(0), "IHAVEOPT", uint32(8), uint32(0))
	if err := <-reports; err == nil || !strings.Contains(err.Error(), "before encryption began") {
		t.Errorf("said is %v", err)
	}
}

// TestSuites: of TLS 1.2, only suites with authenticated encryption are taken.
func TestSuites(t *testing.T) {
	config, err := LoadTLS(certificates(t))
	if err != nil || len(config.CipherSuites) == 0 {
		t.Fatalf("%v, %v", config, err)
	}
	for _, suite := range config.CipherSuites {
		if name := tls.CipherSuiteName(suite); strings.Contains(name, "CBC") || strings.HasSuffix(name, "_SHA") || !strings.HasPrefix(name, "TLS_ECDHE_") {
			t.Errorf("%s is taken", name)
		}
	}
}

// TestLoadTLS names what is missing.
func TestLoadTLS(t *testing.T) {
	for _, name := range []string{"ca-cert.pem", "server-cert.pem", "server-key.pem"} {
		dir := certificates(t)
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadTLS(dir); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}
