package handler

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/limpet-storage/limpet/server/access"
)

// router answers a few routes without users.
func testRouter(t *testing.T, table []Route, reported *[]string) *router {
	t.Helper()
	gate, err := access.NewGate(access.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	return newRouter(options{
		Gate: gate, Now: time.Now, Report: func(err error) { *reported = append(*reported, err.Error()) },
		Answered: func(string, int, time.Duration, bool) {}, Nothing: "nothing here",
	}, table)
}

func table(make func(*http.Request) (any, error)) []Route {
	return []Route{
		{Method: http.MethodGet, Path: "/thing", Role: access.Viewer, Parameters: []string{"limit"}, Serve: answerJSON(make)},
		{Method: http.MethodPost, Path: "/thing", Role: access.Operator, Bytes: 100, Serve: answerJSON(make)},
		{Method: http.MethodPost, Path: "/samples", Role: access.Ingest, Bytes: 100, Receives: true, Serve: func(w *Response, r *http.Request) error {
			_, err := io.Copy(w, r.Body)
			return err
		}},
	}
}

func ask(h http.Handler, method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	if body == "" {
		r.Body = http.NoBody
		r.ContentLength = 0
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestRefusals: what is not a route's is refused, each with a sentence.
func TestRefusals(t *testing.T) {
	var reported []string
	h := testRouter(t, table(func(r *http.Request) (any, error) {
		var body struct{ Verb string }
		if r.Method == http.MethodPost {
			return body, decode(r, &body)
		}
		p := parametersOf(r)
		return p.Limit(), p.Err
	}), &reported)
	json := []string{"Content-Type", "application/json"}
	for _, c := range []struct {
		method, path, body string
		header             []string
		status             int
		says               string
	}{
		{http.MethodGet, "/thing", "", nil, 200, "100"},
		{http.MethodHead, "/thing", "", nil, 200, ""},
		{http.MethodGet, "/thing?limit=7", "", nil, 200, "7"},
		{http.MethodGet, "/thing?limit=0", "", nil, 400, `limit must be a whole number between 1 and 1000, not \"0\"`},
		{http.MethodGet, "/thing?limit=1&limit=2", "", nil, 400, `limit\" is given 2 times`},
		{http.MethodGet, "/thing?limt=1", "", nil, 400, `this URL has no parameter \"limt\"; the URL takes limit`},
		{http.MethodGet, "/thing?limit=" + strings.Repeat("1", 300), "", nil, 400, `limit\" must be a text of at most 256 bytes`},
		{http.MethodGet, "/thing?limit=%ff", "", nil, 400, `limit\" must be a text`},
		{http.MethodGet, "/other", "", nil, 404, "nothing here"},
		{http.MethodDelete, "/thing", "", nil, 405, "the HTTP method DELETE is not possible for this path; use GET or POST"},
		{http.MethodPost, "/thing", `{"verb":"x"}`, nil, 415, "the body must be JSON"},
		{http.MethodPost, "/thing", `{"verb":"x"}`, []string{"Content-Type", "text/plain"}, 415, "the body must be JSON"},
		{http.MethodPost, "/thing", `{"verb":"x"}`, json, 200, `"Verb":"x"`},
		{http.MethodPost, "/thing", `{"verb":"x"} {}`, json, 400, "the body has more text after the JSON object; send exactly one JSON object"},
		{http.MethodPost, "/thing", `{"verd":"x"}`, json, 400, "unknown field"},
		{http.MethodPost, "/thing", `nonsense`, json, 400, "the body cannot be read"},
		{http.MethodPost, "/thing", strings.Repeat(" ", 101), json, 413, "the body of the request has 101 bytes, and at most 100 bytes are allowed"},
		{http.MethodPost, "/thing", `{}`, append([]string{"Origin", "https://evil.example"}, json...), 403, "a web page of another site"},
		{http.MethodPost, "/thing", `{}`, append([]string{"Sec-Fetch-Site", "cross-site"}, json...), 403, "a web page of another site"},
		{http.MethodPost, "/thing", `{}`, append([]string{"Sec-Fetch-Site", "same-origin", "Origin", "http://localhost"}, json...), 200, ""},
		{http.MethodPost, "/samples?whatever=1", "abc", nil, 200, "abc"},
		{http.MethodPost, "/samples", "abc", []string{"Sec-Fetch-Site", "cross-site"}, 403, "a web page of another site"},
	} {
		w := ask(h, c.method, c.path, c.body, c.header...)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s %s %s: %d %s, want %d %s", c.method, c.path, c.body, w.Code, w.Body, c.status, c.says)
		}
		if w.Header().Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(w.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s %s: the headers are %v", c.method, c.path, w.Header())
		}
	}
	if w := ask(h, http.MethodDelete, "/thing", ""); w.Header().Get("Allow") != "GET, POST" {
		t.Errorf("allowed are %s", w.Header().Get("Allow"))
	}
	if len(reported) > 0 {
		t.Errorf("reported were %q", reported)
	}
}

// TestUnannouncedBodies: one that does not say its length ends at the bound.
func TestUnannouncedBodies(t *testing.T) {
	var reported []string
	h := testRouter(t, table(func(r *http.Request) (any, error) { return nil, decode(r, &struct{}{}) }), &reported)
	r := httptest.NewRequest(http.MethodPost, "http://localhost/thing", io.MultiReader(strings.NewReader(strings.Repeat(" ", 1000))))
	r.ContentLength = -1
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 413 || !strings.Contains(w.Body.String(), "more than 100 bytes") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestSecretErrors: the text of an error that nobody has translated is reported, and
// not told; neither is that of a panic.
func TestSecretErrors(t *testing.T) {
	var reported []string
	h := testRouter(t, table(func(r *http.Request) (any, error) {
		if r.URL.Query().Has("limit") {
			panic("canary")
		}
		return nil, errors.New("canary")
	}), &reported)
	for i, path := range []string{"/thing", "/thing?limit=1"} {
		w := ask(h, http.MethodGet, path, "")
		if w.Code != 500 || strings.Contains(w.Body.String(), "canary") || len(reported) != i+1 || !strings.Contains(reported[i], "canary") {
			t.Errorf("%d %s, reported %q", w.Code, w.Body, reported)
		}
	}
}

// TestAnswerThatBroke: a part is never taken for the whole.
func TestAnswerThatBroke(t *testing.T) {
	var reported []string
	h := testRouter(t, []Route{{Method: http.MethodGet, Path: "/long", Serve: func(w *Response, _ *http.Request) error {
		fmt.Fprint(w, strings.Repeat("x", 10000))
		return errors.New("the disk is gone")
	}}}, &reported)
	s := httptest.NewServer(h)
	defer s.Close()
	answer, err := http.Get(s.URL + "/long")
	if err == nil {
		_, err = io.ReadAll(answer.Body)
		answer.Body.Close()
	}
	if err == nil || len(reported) != 1 {
		t.Errorf("%v, reported %q", err, reported)
	}
}

// TestPacking: what is large is packed for who takes it; the tag is the same.
func TestPacking(t *testing.T) {
	var reported []string
	text := strings.Repeat("limpet ", 1000)
	h := testRouter(t, table(func(*http.Request) (any, error) { return text, nil }), &reported)
	plain := ask(h, http.MethodGet, "/thing", "")
	packed := ask(h, http.MethodGet, "/thing", "", "Accept-Encoding", "br, gzip;q=0.5")
	if packed.Header().Get("Content-Encoding") != "gzip" || packed.Body.Len() > 500 || plain.Header().Get("ETag") != packed.Header().Get("ETag") {
		t.Errorf("%v, %d bytes", packed.Header(), packed.Body.Len())
	}
	reader, err := gzip.NewReader(packed.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(reader); err != nil || string(got) != plain.Body.String() {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	for _, coding := range []string{"", "gzip;q=0", "identity", "xgzip"} {
		if w := ask(h, http.MethodGet, "/thing", "", "Accept-Encoding", coding); w.Header().Get("Content-Encoding") != "" {
			t.Errorf("packed for %q", coding)
		}
	}
	tag := plain.Header().Get("ETag")
	for have, want := range map[string]int{tag: 304, `"x", ` + strings.TrimPrefix(tag, "W/"): 304, "*": 304, `"x"`: 200} {
		if w := ask(h, http.MethodGet, "/thing", "", "If-None-Match", have); w.Code != want {
			t.Errorf("who has %s gets %d", have, w.Code)
		}
	}
}

// TestAnswersAtOnce: only so many are made, and who waited too long is told.
func TestAnswersAtOnce(t *testing.T) {
	var reported []string
	release, began := make(chan struct{}), make(chan struct{}, 100)
	h := testRouter(t, table(func(*http.Request) (any, error) { began <- struct{}{}; <-release; return 1, nil }), &reported)
	var all sync.WaitGroup
	for range answersAtOnce {
		all.Go(func() { ask(h, http.MethodGet, "/thing", "") })
	}
	for range answersAtOnce {
		<-began
	}
	w := ask(h, http.MethodGet, "/thing", "")
	if w.Code != 503 || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "try again in a second") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	close(release)
	all.Wait()
}

// TestSlowReaders: however many clients do not take their answers, others are
// answered, and memory is bounded.
func TestSlowReaders(t *testing.T) {
	var reported []string
	large := bytes.Repeat([]byte("x"), 16<<20)
	h := testRouter(t, append(table(func(*http.Request) (any, error) { return large, nil }),
		Route{Method: http.MethodGet, Path: "/small", Serve: answerJSON(func(*http.Request) (any, error) { return 1, nil })}), &reported)
	s := httptest.NewServer(h)
	defer s.Close()
	for range maxHeldBytes/len(large) + 4 {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET /thing HTTP/1.1\r\nHost: localhost\r\n\r\n")
	}
	for began := time.Now(); h.held.Load() != maxHeldBytes; time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("%d bytes are held", h.held.Load())
		}
	}
	for path, want := range map[string]int{"/small": 200, "/thing": 503} {
		r, _ := http.NewRequest(http.MethodGet, s.URL+path, nil)
		r.Header.Set("Accept-Encoding", "identity")
		answer, err := http.DefaultClient.Do(r)
		if err != nil || answer.StatusCode != want {
			t.Errorf("%s: %v, %v", path, answer, err)
			continue
		}
		answer.Body.Close()
	}
}

// TestGuessersAndSenders: who guesses passwords is told 429, and a sender of samples
// 503, as Prometheus drops what is answered 429.
func TestGuessersAndSenders(t *testing.T) {
	users := filepath.Join(t.TempDir(), "users.yaml")
	const nobodys = "users: [{name: ada, role: operator, bcrypt: $2a$10$y4Mfi0CcIvb7RzWnMfVa9.mBq8F4sDCdwD3eVt9HpS0WxaC9FianS}]"
	if err := os.WriteFile(users, []byte(nobodys), 0o600); err != nil {
		t.Fatal(err)
	}
	gate, err := access.NewGate(access.Options{UsersFile: users, Now: func() time.Time { return time.Unix(1_800_000_000, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	h := newRouter(options{Gate: gate, Now: time.Now, Answered: func(string, int, time.Duration, bool) {}}, table(nil))
	guess := []string{"Authorization", "Basic YWRhOmd1ZXNz"} // ada:guess
	for range 5 {
		if w := ask(h, http.MethodGet, "/thing", "", guess...); w.Code != 401 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	for path, want := range map[string]int{"/thing": 429, "/samples": 503} {
		w := ask(h, map[string]string{"/thing": http.MethodGet, "/samples": http.MethodPost}[path], path, "", guess...)
		if w.Code != want || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "too many logins from your address have failed") {
			t.Errorf("%s: %d %s, want %d", path, w.Code, w.Body, want)
		}
	}
	if gate.Failed.Load() != 5 {
		t.Errorf("%d logins have failed", gate.Failed.Load())
	}
}

func FuzzParameters(f *testing.F) {
	f.Add("limit=1&from=2026-01-01T00:00:00Z&what=a&list=a,b")
	f.Add("limit=-1&to=x")
	f.Fuzz(func(t *testing.T, query string) {
		r := &http.Request{Method: http.MethodGet, URL: httptest.NewRequest(http.MethodGet, "/", nil).URL}
		r.URL.RawQuery = query
		if checkParameters(r, &Route{Parameters: []string{"limit", "from", "to", "what", "list"}}) != nil {
			return
		}
		p := parametersOf(r)
		limit := p.Limit()
		from, to := p.Span(1000, 10)
		what, list := p.One("what", "a", "b"), p.Some("list", []string{"a", "b"})
		if p.Err == nil && (limit < 1 || limit > mostPage || from >= to || what != "a" && what != "b" || len(list) == 0) {
			t.Errorf("%q: %d, %d to %d, %s, %v", query, limit, from, to, what, list)
		}
	})
}
