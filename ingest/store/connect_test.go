package store

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// stub answers as a store of one kind does.
func stub(t *testing.T, kind string, seen *http.Header) string {
	t.Helper()
	mux := http.NewServeMux()
	switch kind {
	case export:
		mux.HandleFunc("GET /base/api/v1/export", func(w http.ResponseWriter, r *http.Request) {
			*seen = r.Header
			if r.FormValue("start") == "0.001" {
				return
			}
			w.Write([]byte(`{"metric":{"__name__":"up","a":"b"},"values":[1,null],"timestamps":[15000,30000]}` + "\n"))
		})
	case query:
		mux.HandleFunc("POST /base/api/v1/query", func(w http.ResponseWriter, r *http.Request) {
			*seen = r.Header
			w.Write([]byte(`{"status":"success","isPartial":true,"data":{"resultType":"matrix","result":[{"metric":{"__name__":"up","a":"b"},"values":[[14.999,"9"],[15.000,"1"],[30,"2"]]}]},"warnings":["half is missing"]}`))
		})
	}
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL + "/base"
}

// TestKinds: what a store understands is found out, and who asks says its tenant and its
// token.
func TestKinds(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("abc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]struct{ samples, warnings int }{export: {2, 0}, query: {2, 2}} {
		var seen http.Header
		o := DefaultOptions()
		o.Post.URL, o.Post.BearerFile, o.Tenant, o.FirstPause = stub(t, kind, &seen), token, "team", time.Millisecond
		s, err := Open(t.Context(), o)
		if err != nil || s.Kind != kind {
			t.Fatalf("%s: %+v: %v", kind, s, err)
		}
		var got []exporter.Sample
		warnings, err := s.Read(t.Context(), Request{From: 15000, To: 30001}, func() { got = nil }, func(l []exporter.Label, x []exporter.Sample) error {
			if string(l[1].Value) != "b" {
				t.Errorf("%q", l)
			}
			got = append(got, x...)
			return nil
		})
		if err != nil || len(got) != want.samples || len(warnings) != want.warnings || got[0].Time != 15000 || got[0].Value != 1 {
			t.Errorf("%s: %v %q %v", kind, got, warnings, err)
		}
		if seen.Get("X-Scope-OrgID") != "team" || seen.Get("Authorization") != "Bearer abc" {
			t.Errorf("%s: %v", kind, seen)
		}
	}
}

// TestRefused: who is not let in is told so at once, and what to see to.
func TestRefused(t *testing.T) {
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked++; w.WriteHeader(http.StatusUnauthorized) }))
	defer s.Close()
	o := DefaultOptions()
	o.Post.URL = s.URL
	if _, err := Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), "bearer_file") || asked != 1 {
		t.Errorf("%d: %v", asked, err)
	}
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>hello</html>")) }))
	defer page.Close()
	o.Post.URL, o.FirstPause, o.Attempts = page.URL, time.Millisecond, 2
	if _, err := Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Error(err)
	}
}

// TestParse: every key of a file is read, and a mistake is told with its line.
func TestParse(t *testing.T) {
	o, err := Parse("/etc/limpet/store.yaml", []byte(`
url: https://mimir.example/prometheus
kind: remote-read
tenant: storage
basic: {user: limpet, password_file: secret}
tls: {ca: site.pem, certificate: own.pem, key: own.key, server_name: mimir}
server_label: host
by_nodename: true
match: {cluster: a}
timeout: 30s
attempts: 3
`))
	if err != nil || o.Post.PasswordFile != "/etc/limpet/secret" || o.Post.CAFile != "/etc/limpet/site.pem" || o.ServerLabel != "host" ||
		!o.ByNodename || o.Match["cluster"] != "a" || o.Post.Timeout != 30*time.Second || o.Attempts != 3 || o.Tenant != "storage" {
		t.Errorf("%+v: %v", o, err)
	}
	for text, want := range map[string]string{"kind: x\nurl: http://a\n": "is unknown", "tenant: a\n": "the address of the store is missing", "url: http://a\nurll: b\n": "urll"} {
		if _, err := Parse("store.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "store.yaml:") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
