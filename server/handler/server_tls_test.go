package handler_test

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/handler"
	"github.com/limpet-storage/limpet/server/sitetest"
)

// certificate writes one for localhost, with its key.
func certificate(t *testing.T) (access.TLS, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	like := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, like, like, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	files := access.TLS{CertificateFile: filepath.Join(t.TempDir(), "cert.pem"), KeyFile: filepath.Join(t.TempDir(), "key.pem")}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for path, text := range map[string][]byte{files.CertificateFile: text, files.KeyFile: pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret})} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	return files, pool
}

// TestEncrypted: users over TLS, by HTTP/1.1 and HTTP/2, streams among it, which end
// with the server.
func TestEncrypted(t *testing.T) {
	files, pool := certificate(t)
	site := sitetest.New()
	h := sitetest.NewHandler(t, site, sitetest.Users(t), nil)
	o := handler.DefaultServerOptions()
	o.Address, o.Ending, o.Grace = "127.0.0.1:0", h.Close, 2*time.Minute
	var err error
	if o.TLS, err = files.Config(time.Now, func(err error) { t.Error(err) }); err != nil {
		t.Fatal(err)
	}
	s := run(t, o, h)
	at := "https://localhost:" + s.Address().String()[strings.LastIndex(s.Address().String(), ":")+1:]
	for _, protocol := range []string{"HTTP/1.1", "HTTP/2.0"} {
		client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: protocol == "HTTP/2.0"}}
		r, _ := http.NewRequest(http.MethodGet, at+api.Base+"/events?after=0", nil)
		if answer, err := client.Do(r); err != nil || answer.StatusCode != http.StatusUnauthorized {
			t.Fatalf("nobody: %v, %v", answer, err)
		}
		sitetest.Authorize(r, access.Viewer)
		r.Header.Set("Accept", "text/event-stream")
		answer, err := client.Do(r)
		if err != nil || answer.Proto != protocol {
			t.Fatalf("%s: %v, %v", protocol, answer, err)
		}
		defer answer.Body.Close()
		for lines, events := bufio.NewScanner(answer.Body), 0; events < 3 && lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "id: ") {
				events++
			}
		}
	}
	began := time.Now()
	s.Shutdown()
	if took := time.Since(began); took > o.Grace/2 {
		t.Errorf("with streams open it took %v", took)
	}
}
