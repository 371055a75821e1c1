package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest/period"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/api/client"
	"github.com/limpet-storage/limpet/server/sitetest"
)

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func options(server string) client.Options {
	o := client.DefaultOptions()
	o.Server, o.Timeout = server, 5*time.Second
	return o
}

// list asks for incidents, and returns how that ended.
func list(t *testing.T, o client.Options) (*api.IncidentList, error) {
	t.Helper()
	c, err := client.New(o)
	if err != nil {
		return nil, err
	}
	l, _, err := c.Incidents(context.Background(), client.Query{})
	return l, err
}

func TestAsks(t *testing.T) {
	site := sitetest.New()
	s := httptest.NewServer(sitetest.NewHandler(t, site, sitetest.Users(t), nil))
	defer s.Close()
	o := options(strings.TrimPrefix(s.URL, "http://") + "/")
	o.TokenFile = file(t, sitetest.Token(access.Operator)+"\n")
	got, err := list(t, o)
	if err != nil || len(got.Incidents) != 3 || len(got.Suspects) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	c, err := client.New(o)
	if err != nil {
		t.Fatal(err)
	}
	said, _, err := c.Apply(context.Background(), "slow-1.0", api.FeedbackRequest{Verb: api.Was, Text: "firmware."})
	if err != nil || said.User != "the-operator" || client.Done("slow-1", said) != "The cause of incident slow-1.0 (LUN 1.0) is saved: firmware." {
		t.Errorf("%+v, %v", said, err)
	}
	kept, answer, err := c.Incident(context.Background(), "slow-1.0")
	if err != nil || kept.Was == nil || !bytes.Contains(answer, []byte(`"was":{`)) {
		t.Errorf("%+v, %v", kept, err)
	}
	if _, _, err := c.Incident(context.Background(), "a/../b?c"); err == nil || !strings.Contains(err.Error(), `no incident has the ID "a/../b?c"`) {
		t.Errorf("a strange ID: %v", err)
	}
}

// TestUnixSocket: a server that listens at a socket.
func TestUnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(sitetest.NewHandler(t, sitetest.New(), "", nil))
	s.Listener.Close()
	s.Listener = l
	s.Start()
	defer s.Close()
	if got, err := list(t, options("unix:"+path)); err != nil || len(got.Incidents) != 3 {
		t.Errorf("%v, %v", got, err)
	}
}

// TestTroubles: each with its cure, and none tells the secret.
func TestTroubles(t *testing.T) {
	plain := httptest.NewServer(sitetest.NewHandler(t, sitetest.New(), "", nil))
	defer plain.Close()
	safe := httptest.NewTLSServer(sitetest.NewHandler(t, sitetest.New(), "", nil))
	defer safe.Close()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/moved" + api.Base + "/incidents":
			http.Redirect(w, r, "https://elsewhere.example/", http.StatusFound)
		case "/slow" + api.Base + "/incidents":
			<-r.Context().Done()
		case "/cut" + api.Base + "/incidents":
			panic(http.ErrAbortHandler)
		default:
			w.Write([]byte("<html>hello</html>"))
		}
	}))
	defer other.Close()
	secret := file(t, "the-canary-secret\n")
	with := func(server string, change func(*client.Options)) client.Options {
		o := options(server)
		change(&o)
		return o
	}
	for want, o := range map[string]client.Options{
		"no server listens at http://127.0.0.1:1: start limpet serve, or give the address of a running server with --server": options("http://127.0.0.1:1"),
		"does not use TLS: write http:// in --server":                 options(strings.Replace(plain.URL, "http:", "https:", 1)),
		"uses TLS: write https:// in --server":                        options(strings.Replace(safe.URL, "https:", "http:", 1)),
		"was signed by an authority that this machine does not know:": options(safe.URL),
		"is not limpet, or is another version of limpet":              options(other.URL),
		"at " + other.URL + "/moved is not limpet":                    options(other.URL + "/moved"),
		"has not answered for 200ms":                                  with(other.URL+"/slow", func(o *client.Options) { o.Timeout = 200 * time.Millisecond }),
		"closed the connection":                                       options(other.URL + "/cut"),
		"is unknown: correct --server":                                options("http://no-such-machine.invalid"),
		"is not the address of a server":                              options("http://user:password@127.0.0.1"),
		"others on the network could read the password or token":      with("http://192.0.2.1:9714", func(o *client.Options) { o.TokenFile = secret }),
		"belong together; give both":                                  with(plain.URL, func(o *client.Options) { o.User = "ada" }),
		"are two different logins; remove one":                        with(plain.URL, func(o *client.Options) { o.User, o.PasswordFile, o.TokenFile = "ada", secret, secret }),
		"--token-file: open /none":                                    with(plain.URL, func(o *client.Options) { o.TokenFile = "/none" }),
		"must have exactly one line; write only the password or":      with(plain.URL, func(o *client.Options) { o.TokenFile = file(t, "a\nb") }),
		"holds no certificate":                                        with(safe.URL, func(o *client.Options) { o.CAFile = secret }),
	} {
		_, err := list(t, o)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "Get \"") {
			t.Errorf("%s: %v, want %s", o.Server, err, want)
		}
	}
}

// TestLongAnswers: a server that never stops is left.
func TestLongAnswers(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for line := bytes.Repeat([]byte(" "), 1<<20); ; {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	o := options(s.URL)
	o.Timeout = time.Minute
	if _, err := list(t, o); err == nil || !strings.Contains(err.Error(), "has more than 64M bytes") {
		t.Error(err)
	}
}

func TestUntil(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"": "1970-01-01T00:00:00Z", "90m": "2026-03-01T13:30:00Z", "3d": "2026-03-04T12:00:00Z", "2w": "2026-03-15T12:00:00Z",
		"2026-03-02 08:00": "2026-03-02T08:00:00Z", "2026-03-05": "2026-03-06T00:00:00Z", "2026-03-02T08:00:00+02:00": "2026-03-02T06:00:00Z",
	} {
		got, err := client.Until(text, period.Clock{Now: now})
		if at := time.Unix(int64(got), 0).UTC().Format(time.RFC3339); err != nil || at != want {
			t.Errorf("%q: %s, %v, want %s", text, at, err, want)
		}
	}
	for _, text := range []string{"yesterday", "soon", "-3d", "0h", "d", "9999999d", "2026-03-01 11:59", "h"} {
		if got, err := client.Until(text, period.Clock{Now: now}); err == nil {
			t.Errorf("%q: %d", text, got)
		}
	}
}

// TestMissingNumbers are not printed as zero, and sections of a later version are
// left out.
func TestMissingNumbers(t *testing.T) {
	var l api.IncidentList
	if err := json.Unmarshal([]byte(`{"verdict":"v","incidents":[{"section":"later","incident":{"id":"x"}},{"section":"now","incident":{"id":"a","title":"t"}}]}`), &l); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := client.Table(&out, &l); err != nil || out.String() != "v\n\nNow\n  a  -  t\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
