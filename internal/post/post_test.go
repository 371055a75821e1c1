package post

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const secret = "correct-horse-battery"

// file writes a file of one secret.
func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func client(t *testing.T, o Options) *Client {
	t.Helper()
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCredentialsComeFromFiles(t *testing.T) {
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header.Get("Authorization") }))
	defer server.Close()
	password, token := file(t, secret+"\n"), file(t, "first")
	for name, tt := range map[string]struct {
		o    Options
		want string
	}{
		"basic":  {Options{URL: server.URL, Username: "limpet", PasswordFile: password}, "Basic bGltcGV0OmNvcnJlY3QtaG9yc2UtYmF0dGVyeQ=="},
		"bearer": {Options{URL: server.URL, BearerFile: token}, "Bearer first"},
		"none":   {Options{URL: server.URL}, ""},
	} {
		if err := client(t, tt.o).Post(t.Context(), "", nil, nil); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, tt.want)
		}
	}
	c := client(t, Options{URL: server.URL, BearerFile: token})
	if err := os.WriteFile(token, []byte("second"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.Post(t.Context(), "", nil, nil); err != nil || got != "Bearer second" {
		t.Errorf("a token that was replaced: %q, %v", got, err)
	}
}

// A receiver that repeats what it was sent, and one that is not there, tell nobody.
func TestErrorsTellNoSecret(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		w.Write([]byte("\x1b[31mno: " + r.Header.Get("Authorization") + " " + secret + " at " + r.RequestURI + strings.Repeat(" and so on", 1000)))
	}))
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	defer server.Close()
	for name, o := range map[string]Options{
		"password": {URL: server.URL, Username: "limpet", PasswordFile: file(t, secret)},
		"token":    {URL: server.URL, BearerFile: file(t, secret)},
		"path":     {URLFile: file(t, server.URL+"/hooks/"+secret), Timeout: time.Second},
		"gone":     {URLFile: file(t, gone.URL+"/hooks/"+secret), BearerFile: file(t, secret)},
	} {
		err := client(t, o).Post(t.Context(), "", []byte("{}"), nil)
		if err == nil || !strings.Contains(err.Error(), "http://127.0.0.1:") {
			t.Errorf("%s: %v", name, err)
		}
		if text := err.Error(); strings.Contains(text, secret) || strings.Contains(text, "bGltcGV0") || len(text) > 400 || strings.Contains(text, "\x1b") {
			t.Errorf("%s tells too much: %s", name, text)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	followed := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed = true }))
	defer other.Close()
	server := httptest.NewServer(http.RedirectHandler(other.URL+"/hooks/x", http.StatusTemporaryRedirect))
	defer server.Close()
	err := client(t, Options{URL: server.URL, BearerFile: file(t, secret)}).Post(t.Context(), "", []byte("{}"), nil)
	var failure *Failure
	if !errors.As(err, &failure) || failure.Code != 307 || followed || !strings.Contains(err.Error(), "redirects to "+other.URL+"; name the new address") {
		t.Errorf("followed: %v, %v", followed, err)
	}
}

func TestATLSReceiver(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	if err := client(t, Options{URL: server.URL}).Post(t.Context(), "", nil, nil); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate that nobody knows: %v", err)
	}
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, certificate(server), 0o600); err != nil {
		t.Fatal(err)
	}
	err := client(t, Options{URL: server.URL, CAFile: ca}).Post(t.Context(), "", nil, nil)
	var failure *Failure
	if !errors.As(err, &failure) || failure.Code != http.StatusNotFound {
		t.Errorf("a certificate that is trusted: %v", err)
	}
}

// A receiver may ask who we are, by certificate.
func TestOurCertificate(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), Subject: pkix.Name{CommonName: "limpet"}}
	raw, err := x509.CreateCertificate(rand.Reader, form, form, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: raw}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	who := ""
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		who = r.TLS.PeerCertificates[0].Subject.CommonName
	}))
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.StartTLS()
	defer server.Close()
	ca := filepath.Join(dir, "ca.pem")
	if err := os.WriteFile(ca, certificate(server), 0o600); err != nil {
		t.Fatal(err)
	}
	err = client(t, Options{URL: server.URL, CAFile: ca, CertFile: cert, KeyFile: key}).Post(t.Context(), "", nil, nil)
	if err != nil || who != "limpet" {
		t.Errorf("the receiver knows %q, %v", who, err)
	}
}

// An answer that never ends is not read to its end.
func TestAnEndlessAnswer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		for r.Context().Err() == nil {
			w.Write(make([]byte, 1<<16))
		}
	}))
	defer server.Close()
	begin := time.Now()
	err := client(t, Options{URL: server.URL, Timeout: 2 * time.Minute}).Post(t.Context(), "", nil, nil)
	var failure *Failure
	if !errors.As(err, &failure) || time.Since(begin) > time.Minute {
		t.Errorf("after %v: %v", time.Since(begin), err)
	}
}

func TestAReceiverThatHangs(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer server.Close()
	defer close(release)
	begin := time.Now()
	err := client(t, Options{URL: server.URL, Timeout: 100 * time.Millisecond}).Post(t.Context(), "", nil, nil)
	if took := time.Since(begin); err == nil || took > time.Minute {
		t.Errorf("after %v: %v", took, err)
	}
}

func TestRefusals(t *testing.T) {
	for code, want := range map[int]bool{400: true, 413: true, 422: true, 401: false, 404: false, 408: false, 429: false, 500: false, 503: false} {
		if f := (&Failure{Code: code}); f.Refuses() != want {
			t.Errorf("%d refuses: %v", code, !want)
		}
	}
}

func TestOptionsThatCannotWork(t *testing.T) {
	token := file(t, secret)
	for want, o := range map[string]Options{
		`needs the setting "url" or the setting "url_file", but not both`: {URL: "http://a.example", URLFile: file(t, "http://b.example")},
		"cannot be read; write an address such as https":                  {URL: "a.example:9093"},
		"write the password into a file":                                  {URL: "https://limpet:" + secret + "@a.example"},
		"both a password and a token are given: give either a":            {URL: "https://a.example", Username: "a", PasswordFile: token, BearerFile: token},
		"belong together: give both settings, or remove both":             {URL: "https://a.example", Username: "a"},
		"would be sent unencrypted":                                       {URL: "http://a.example", BearerFile: token},
		"no such file":                                                    {URL: "https://a.example", BearerFile: token + "x"},
		"is empty; write the secret into this file":                       {URL: "https://a.example", BearerFile: file(t, "\n")},
		"contains no certificate":                                         {URL: "https://a.example", CAFile: token},
		"the certificate and the key belong together":                     {URL: "https://a.example", CertFile: token},
		"are not a certificate and its key":                               {URL: "https://a.example", CertFile: token, KeyFile: token},
		"the address of a receiver cannot be re":                          {URLFile: token},
	} {
		_, err := New(o)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func certificate(s *httptest.Server) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
}
