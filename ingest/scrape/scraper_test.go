package scrape

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

func nodeText(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile(checkout.Path(t, "ingest/scrape/testdata/node_exporter.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// taken is a sink that counts.
type taken struct {
	mu    sync.Mutex
	count map[string]int // scrapes by endpoint
}

func (s *taken) Take(endpoint string, b *exporter.Batch) (exporter.Counts, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count == nil {
		s.count = map[string]int{}
	}
	s.count[endpoint]++
	return exporter.Counts{Kept: uint64(b.Len()), Unused: uint64(b.Unused)}, nil
}

func (s *taken) of(endpoint string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count[endpoint]
}

// job is one of a single target.
func job(targets ...string) Job {
	j := DefaultJob()
	j.Name, j.Targets = "node", targets
	j.Interval, j.Timeout = time.Second, time.Second
	return j
}

// once asks the target of a job a single time.
func once(t *testing.T, j Job) Status {
	t.Helper()
	s, err := New([]Job{j}, &taken{}, "instance", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := j.targets()
	if err != nil {
		t.Fatal(err)
	}
	r := &running{target: list[0], client: newClient(&j), status: Status{URL: list[0].url.String()}}
	defer r.client.close()
	s.scrape(context.Background(), r, &parser{}, nil)
	return r.status
}

func serve(t *testing.T, f http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return s.URL + "/metrics"
}

// TestAnswers: each way in which an endpoint may fail has its own sentence.
func TestAnswers(t *testing.T) {
	good := nodeText(t)
	zipped := func(w http.ResponseWriter, text []byte) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		z.Write(text)
		z.Close()
	}
	for _, c := range []struct {
		name, says string
		answer     http.HandlerFunc
	}{
		{"good", "", func(w http.ResponseWriter, _ *http.Request) { w.Write(good) }},
		{"packed", "", func(w http.ResponseWriter, _ *http.Request) { zipped(w, good) }},
		{"bomb", "more than 1048576 bytes", func(w http.ResponseWriter, _ *http.Request) { zipped(w, make([]byte, 64<<20)) }},
		{"large", "more than 1048576 bytes", func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, 2<<20)) }},
		{"not packed", "cannot be unpacked", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(good)
		}},
		{"brotli", `compressed with "br", which limpet does not read`, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			w.Write(good)
		}},
		{"slow", "does not answer in time", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		{"not there", "404 Not Found: check the setting \"path\"", func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }},
		{"not allowed", "check the user, password or token", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }},
		{"elsewhere", "302 Found", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
		}},
		{"page", "only a web page", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html> <body>hello </body></html>\n")) }},
		{"broken", "line 2", func(w http.ResponseWriter, _ *http.Request) {
			w.Write([]byte("up 1\nnode_boot_time_seconds one\n"))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			j := job(serve(t, c.answer))
			j.MaxBody, j.Interval, j.Timeout = 1<<20, time.Minute, time.Minute
			if c.name == "slow" {
				j.Timeout = 100 * time.Millisecond
			}
			s := once(t, j)
			if s.Up != (c.says == "") || !strings.Contains(s.Trouble, c.says) || strings.Contains(s.Trouble, "\n") {
				t.Errorf("%+v", s)
			}
			if s.Up && (s.Counts.Kept < 80 || s.Counts.Unused < 30) {
				t.Errorf("%+v", s.Counts)
			}
		})
	}
}

// TestCredentials: they come from files, are read again, and stand in no
// sentence.
func TestCredentials(t *testing.T) {
	const secretWord = "correct-horse"
	file := filepath.Join(t.TempDir(), "secret")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	endpoint := serve(t, func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if user == "limpet" && password == secretWord || r.Header.Get("Authorization") == "Bearer "+secretWord {
			w.Write(nodeText(t))
			return
		}
		http.Error(w, "no", http.StatusUnauthorized)
	})
	basic, bearer := job(endpoint), job(endpoint)
	basic.Basic = Basic{"limpet", file}
	bearer.BearerFile = file
	for _, j := range []Job{basic, bearer} {
		write("wrong-horse\n")
		if s := once(t, j); s.Up || strings.Contains(s.Trouble, "horse") {
			t.Errorf("%+v", s)
		}
		write(secretWord + "\n")
		if s := once(t, j); !s.Up {
			t.Errorf("%+v", s)
		}
		write("")
		if s := once(t, j); s.Up || !strings.Contains(s.Trouble, "is empty") {
			t.Errorf("%+v", s)
		}
		os.Remove(file)
		if s := once(t, j); s.Up || !strings.Contains(s.Trouble, "no such file") {
			t.Errorf("%+v", s)
		}
	}
}

// TestTLS: an endpoint that the authorities do not know, or of another name, is
// not asked; a client certificate is shown; files are read again when they
// change.
func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TLS.PeerCertificates) == 0 {
			http.Error(w, "who are you?", http.StatusForbidden)
			return
		}
		w.Write(nodeText(t))
	}))
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	server.Config.ErrorLog = nil
	server.StartTLS()
	t.Cleanup(server.Close)
	dir := t.TempDir()
	ca, cert, key := filepath.Join(dir, "ca"), filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	put := func(path, kind string, der []byte) {
		t.Helper()
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pair := server.TLS.Certificates[0]
	private, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	put(cert, "CERTIFICATE", pair.Certificate[0])
	put(key, "PRIVATE KEY", private)
	j := job(server.URL + "/metrics")
	if s := once(t, j); s.Up || !strings.Contains(s.Trouble, "unknown authority") {
		t.Errorf("without authorities: %+v", s)
	}
	j.TLS.CAFile = ca
	put(ca, "NOTHING", nil)
	if s := once(t, j); s.Up || !strings.Contains(s.Trouble, "contains no certificate") {
		t.Errorf("with no authority: %+v", s)
	}
	put(ca, "CERTIFICATE", pair.Certificate[0])
	if s := once(t, j); s.Up || !strings.Contains(s.Trouble, "403") {
		t.Errorf("without a certificate of ours: %+v", s)
	}
	j.TLS.CertFile, j.TLS.KeyFile = cert, key
	if s := once(t, j); !s.Up {
		t.Errorf("with all: %+v", s)
	}
	j.TLS.ServerName = "another.example.net"
	if s := once(t, j); s.Up || !strings.Contains(s.Trouble, "another.example.net") {
		t.Errorf("of another name: %+v", s)
	}
}

// TestAuthoritiesChange: a client goes by the file as it is.
func TestAuthoritiesChange(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(nodeText(t)) }))
	t.Cleanup(server.Close)
	ca := filepath.Join(t.TempDir(), "ca")
	j := job(server.URL)
	j.TLS.CAFile = ca
	c := newClient(&j)
	defer c.close()
	list, _, _ := j.targets()
	for i, text := range [][]byte{nil, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), []byte("spoilt")} {
		if err := os.WriteFile(ca, text, 0o600); err != nil {
			t.Fatal(err)
		}
		os.Chtimes(ca, time.Time{}, time.Unix(int64(i+1), 0))
		if _, err := c.fetch(context.Background(), list[0].url, nil); (err == nil) != (i == 1) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// TestDiscovery: files of targets are read in both forms, labels go with them,
// and what is wrong is said while the rest is pulled.
func TestDiscovery(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.json", `[{"targets": ["fs1:9100", "fs2:9100"], "labels": {"rack": "a", "__metrics_path__": "/m"}}]`)
	write("b.yml", "- targets: [fs3:9100, 'https://fs4/metrics', fs3:9100]\n  labels: {instance: third}\n")
	j := job("fs0:9100")
	j.Labels = map[string]string{"site": "here", "rack": "none"}
	j.Files = []string{filepath.Join(dir, "*.json"), filepath.Join(dir, "*.yml")}
	list, _, err := j.targets()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, one := range list {
		got = append(got, fmt.Sprint(one.url, " ", one.labels))
	}
	want := []string{
		"http://fs0:9100/metrics map[instance:fs0:9100 job:node rack:none site:here]",
		"http://fs1:9100/m map[instance:fs1:9100 job:node rack:a site:here]",
		"http://fs2:9100/m map[instance:fs2:9100 job:node rack:a site:here]",
		"http://fs3:9100/metrics map[instance:third job:node rack:none site:here]",
		"https://fs4/metrics map[instance:third job:node rack:none site:here]",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q", got)
	}
	write("c.yml", "targets: [fs9]\n")
	write("d.json", `[{"targets": ["http://user:secret@fs1/"]}]`)
	j.Files = append(j.Files, filepath.Join(dir, "*.none"))
	list, failed, err := j.targets()
	if len(list) != 5 || len(failed) != 1 || err == nil {
		t.Errorf("%d targets, %q, %v", len(list), failed, err)
	}
	for _, word := range []string{"c.yml", "write a list of entries", "none: this file does not exist", "is not an address"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not in %v", word, err)
		}
	}
}

// TestRun: targets are pulled once an interval; those that a file adds are
// pulled too, those that it no longer has are not, and those of a file that
// cannot be read stay.
func TestRun(t *testing.T) {
	endpoint := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Write(nodeText(t)) })
	file := filepath.Join(t.TempDir(), "targets.yml")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("[]")
	j := job(endpoint)
	j.Files = []string{file}
	sink := &taken{}
	s, err := New([]Job{j}, sink, "instance", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { s.Run(ctx); close(done) }()
	until := func(what string, ok func() bool) {
		t.Helper()
		for range 300 {
			if ok() {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		list, trouble := s.Status()
		t.Fatalf("%s: %+v %v", what, list, trouble)
	}
	again := func() { // as the ticker does, sooner
		if err := s.SetJobs([]Job{j}); err != nil {
			t.Fatal(err)
		}
	}
	count := func() int { list, _ := s.Status(); return len(list) }
	until("pulled twice", func() bool { return sink.of(endpoint) >= 2 })
	write("- targets: [" + endpoint + "/more]\n")
	again()
	until("added", func() bool { return count() == 2 })
	write("- targets: [")
	again()
	until("trouble is said", func() bool { _, trouble := s.Status(); return strings.Contains(trouble["node"], file) })
	if count() != 2 {
		t.Error("targets of a file that cannot be read are gone")
	}
	write("[]")
	again()
	until("removed", func() bool { return count() == 1 })
	cancel()
	<-done
}

// TestSpread: targets are spread over the interval, and each keeps its place.
func TestSpread(t *testing.T) {
	j := job()
	j.Interval = 15 * time.Second
	var places [15]int
	for i := range 3000 {
		j.Targets = []string{fmt.Sprintf("fs%d:9100", i)}
		list, _, _ := j.targets()
		places[list[0].offset()/time.Second]++
	}
	for second, n := range places {
		if n < 140 || n > 260 {
			t.Errorf("%d of 3000 targets are pulled in second %d", n, second)
		}
	}
	now := time.Unix(1_750_000_003, 5e8)
	wait := untilNext(now, 15*time.Second, 2*time.Second)
	if at := now.Add(wait).UnixNano() % int64(15*time.Second); at != int64(2*time.Second) || wait > 15*time.Second || wait <= 0 {
		t.Errorf("in %v", wait)
	}
}

// TestValidate: every mistake is said.
func TestValidate(t *testing.T) {
	if err := Validate([]Job{job("fs1:9100")}); err != nil {
		t.Error(err)
	}
	bad := Job{Targets: []string{"http://a:b@c/", ":::"}, Interval: time.Millisecond, Scheme: "ftp", TLS: TLS{CertFile: "x"}, Basic: Basic{User: "u"}, BearerFile: "f"}
	err := Validate([]Job{bad, bad})
	for _, word := range []string{"no name", "interval", "timeout", "scheme", "bytes", "key", "user u has no password file", "a user and a token", "not an address", "two jobs"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not in %v", word, err)
		}
	}
}
