package handler_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/handler"
	"github.com/limpet-storage/limpet/server/sitetest"
	"github.com/limpet-storage/limpet/topology"
)

// TestStream: a browser that comes back hears what it missed and what operators say
// now, each with its number.
func TestStream(t *testing.T) {
	site := sitetest.New()
	h := sitetest.NewHandler(t, site, "", nil)
	s := httptest.NewServer(h)
	defer s.Close()
	site.Happen(10)
	r, _ := http.NewRequest(http.MethodGet, s.URL+api.Base+"/events", nil)
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Last-Event-ID", "7")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("it is %s", kind)
	}
	go func() {
		h.Changed()
		ask(h, "", http.MethodPost, api.Base+"/incidents/slow-1.0/feedback", `{"verb":"comment","text":"seen"}`)
	}()
	lines := bufio.NewScanner(answer.Body)
	for want := int64(8); want <= 14 && lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: {\"number\"")
		if !ok {
			continue
		}
		var e api.Event
		if err := json.Unmarshal([]byte(`{"number"`+data), &e); err != nil || e.Number != want || e.Incident == nil {
			t.Fatalf("event %d: %v, %v", want, e, err)
		}
		if want++; want == 15 && (e.Change != incident.Commented || !strings.Contains(e.Text, `"seen"`)) {
			t.Errorf("the last one is %s: %s", e.Change, e.Text)
		}
	}
	list := get[api.EventList](t, h, "/events?after=11&limit=1")
	if len(list.Events) != 1 || list.Events[0].Number != 12 || list.Last != 14 {
		t.Errorf("%+v", list)
	}
}

// TestStreamsAreBounded: one browser too many is told so.
func TestStreamsAreBounded(t *testing.T) {
	h := sitetest.NewHandler(t, sitetest.New(), "", func(o *handler.Options) { o.Stream.Clients = 0 })
	r := httptest.NewRequest(http.MethodGet, "http://localhost"+api.Base+"/events", nil)
	r.Header.Set("Accept", "text/event-stream")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 503 || !strings.Contains(w.Body.String(), "too many clients are connected to the stream of events") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestReady(t *testing.T) {
	site := sitetest.New()
	h := sitetest.NewHandler(t, site, sitetest.Users(t), nil)
	if w := ask(h, "", http.MethodGet, "/-/ready", ""); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	site.Set(func(s *api.Result) { s.Waiting = "3 of 4 servers have been read." })
	if w := ask(h, "", http.MethodGet, "/-/ready", ""); w.Code != 503 || w.Body.String() != "3 of 4 servers have been read.\n" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(h, "", http.MethodGet, "/-/healthy", ""); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestNoSecrets: neither tokens nor what a configuration calls a secret are in any
// answer.
func TestNoSecrets(t *testing.T) {
	site := sitetest.New()
	site.Config = map[string]any{
		"receivers": []any{map[string]any{"url": "https://hooks.example", "hmac_secret": "canary-1", "password": "canary-2", "password_file": "/etc/limpet/pw"}},
		"api_token": "canary-3",
	}
	h := sitetest.NewHandler(t, site, sitetest.Users(t), nil)
	for _, route := range h.Routes() {
		path := strings.NewReplacer("{$}", "", "{id}", "slow-1.0", "{name...}", "1.0.1", "{group}", "1").Replace(route.Path)
		for _, role := range append(access.Roles(), access.Anyone) {
			w := ask(h, role, http.MethodGet, path, "")
			for _, secret := range []string{"canary", sitetest.Token(access.Viewer), sitetest.Token(access.Operator)} {
				if strings.Contains(w.Body.String()+fmt.Sprint(w.Header()), secret) {
					t.Errorf("%s tells %s", path, secret)
				}
			}
		}
	}
	if w := ask(h, access.Viewer, http.MethodGet, api.Base+"/configuration", ""); !strings.Contains(w.Body.String(), "/etc/limpet/pw") || strings.Count(w.Body.String(), "(not shown)") != 3 {
		t.Errorf("%s", w.Body)
	}
}

// TestHostileNames: names that would steer a page or a terminal are shown, and do
// nothing.
func TestHostileNames(t *testing.T) {
	const name = "</style><script>alert(1)</script>\x1b[31m\u202e\"'"
	site := sitetest.New()
	site.Set(func(s *api.Result) {
		system := *s.Subject.System
		system.Name = name
		system.Components = append([]topology.Component{}, system.Components...)
		system.Components[0].Server, system.Components[0].Model = name, name
		s.Subject.System = &system
		s.Incidents = append([]incident.Incident{}, s.Incidents...)
		s.Incidents[0].Place.Name, s.Incidents[0].ID = name, name
		s.Troubles = []api.Trouble{{Kind: name, Text: name}}
		s.Sources = []api.Source{{Name: name, Text: name}}
		s.Waiting = name
	})
	h := sitetest.NewHandler(t, site, "", nil)
	for _, path := range []string{"/metrics", api.Base + "/diagnosis", api.Base + "/incidents", api.Base + "/components", api.Base + "/status"} {
		w := ask(h, "", http.MethodGet, path, "")
		if w.Code != 200 || strings.Contains(w.Body.String(), "<script>") && path != "/metrics" || strings.Contains(w.Body.String(), "\x1b") && path != "/metrics" {
			t.Errorf("%s: %d %.300s", path, w.Code, w.Body)
		}
		if path == "/metrics" && !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
			t.Errorf("metrics are %s", w.Header().Get("Content-Type"))
		}
	}
}

// TestManyAtOnce: readers, an operator and a diagnosis that goes on; for the race
// detector.
func TestManyAtOnce(t *testing.T) {
	site := sitetest.New()
	h := sitetest.NewHandler(t, site, "", nil)
	var all sync.WaitGroup
	stop := time.Now().Add(300 * time.Millisecond)
	for _, path := range []string{"/metrics", api.Base + "/incidents", api.Base + "/diagnosis", api.Base + "/components", api.Base + "/incidents/slow-1.0"} {
		all.Go(func() {
			for time.Now().Before(stop) {
				if w := ask(h, "", http.MethodGet, path, ""); w.Code != 200 {
					t.Errorf("%s: %d %s", path, w.Code, w.Body)
				}
			}
		})
	}
	all.Go(func() {
		for time.Now().Before(stop) {
			ask(h, "", http.MethodPost, api.Base+"/incidents/slow-1.0/feedback", `{"verb":"comment","text":"x"}`)
			site.Happen(1)
			h.Changed()
		}
	})
	all.Wait()
}

// FuzzPaths: whatever is asked, the answer is JSON or a page, and never an error of
// the server.
func FuzzPaths(f *testing.F) {
	for _, path := range []string{"/incidents?section=now", "/series?component=1.0.1&points=9", "/components/a/b%2fc", "/events?after=1", "/groups/1", "/incidents/%00"} {
		f.Add(path)
	}
	h := sitetest.NewHandler(f, sitetest.New(), "", nil)
	f.Fuzz(func(t *testing.T, path string) {
		r, err := http.NewRequest(http.MethodGet, "http://localhost"+api.Base+path, nil)
		if err != nil || r.Host != "localhost" {
			return
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code >= 500 || strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") && !json.Valid(w.Body.Bytes()) && w.Header().Get("Content-Encoding") == "" {
			t.Errorf("%q: %d %s", path, w.Code, w.Body)
		}
	})
}
