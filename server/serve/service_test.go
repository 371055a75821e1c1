package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/ingest/intake"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/serve/config"
	"github.com/limpet-storage/limpet/topology"
)

// recorded writes what the servers of the demonstration recorded.
func recorded(tb testing.TB) string {
	tb.Helper()
	recordings.Lock()
	defer recordings.Unlock()
	if recordings.dir == "" {
		dir, err := os.MkdirTemp("", "serve")
		if err != nil {
			tb.Fatal(err)
		}
		recordings.dir = dir
		s := arrays.Demo(1)
		s.Compressed = nil
		s.Events[0].To = s.Start.Add(4 * time.Hour) // the slow LUN is repaired
		if _, err := s.Write(tb.Context(), dir, nil); err != nil {
			tb.Fatal(err)
		}
	}
	dir := tb.TempDir()
	if err := os.CopyFS(dir, os.DirFS(recordings.dir)); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// recordings has the directory of the first test that needed one. The others copy it, as
// simulating its hours takes longer. TestMain removes it.
var recordings struct {
	sync.Mutex
	dir string
}

// hook is a receiver of notifications.
type hook struct {
	*httptest.Server
	mu   sync.Mutex
	told []alert.Notification
}

func newHook(tb testing.TB) *hook {
	tb.Helper()
	h := &hook{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n alert.Notification
		if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		h.mu.Lock()
		h.told = append(h.told, n)
		h.mu.Unlock()
	}))
	tb.Cleanup(h.Close)
	return h
}

func (h *hook) heard() []alert.Notification {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.told)
}

// settings watch a directory and tell a hook.
func settings(dir, state string, h *hook) config.Config {
	c := config.Default()
	c.Directories, c.State, c.Topology = []string{filepath.Join(dir, "activity")}, state, filepath.Join(dir, simulate.TopologyFile)
	c.Listen = "127.0.0.1:0"
	w := config.Webhook{Receiver: alert.Receiver{Name: "hook"}}
	w.Options.URL = h.URL
	c.Alerts.To = []config.Receiver{w}
	return c
}

// running is a service that runs.
type running struct {
	*Service
	tb    testing.TB
	stop  context.CancelFunc
	ended chan error
}

func start(tb testing.TB, c config.Config, load func() (config.Config, error)) *running {
	tb.Helper()
	// The server is opened before anything was recorded. When it runs, it is the day after. If it ran
	// earlier, it could be ready without data, because no data are of the future.
	var hours atomic.Int64
	now := func() time.Time { return arrays.Demo(1).Start.Add(time.Duration(hours.Load()) * time.Hour) }
	ctx, stop := context.WithCancel(context.Background())
	s, err := Open(ctx, c, Options{
		Version: "1.2.3", Now: now, Report: func(s string) { tb.Log(s) }, Stdout: io.Discard, Stderr: io.Discard, Load: load,
	})
	if err != nil {
		stop()
		tb.Fatal(err)
	}
	hours.Store(24)
	r := &running{s, tb, stop, make(chan error, 1)}
	go func() { r.ended <- s.Run(ctx) }()
	return r
}

// end stops the service. It takes milliseconds, on a loaded machine longer.
func (r *running) end() {
	r.tb.Helper()
	r.stop()
	select {
	case err := <-r.ended:
		if err != nil {
			r.tb.Error(err)
		}
	case <-time.After(time.Minute):
		r.tb.Error("the service does not end within a minute")
	}
	if err := r.Close(); err != nil {
		r.tb.Error(err)
	}
}

// ask asks the API.
func (r *running) ask(method, path string, body any, into any) int {
	r.tb.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		r.tb.Fatal(err)
	}
	if body == nil {
		data = nil
	}
	req, err := http.NewRequestWithContext(r.tb.Context(), method, r.Address()+path, bytes.NewReader(data))
	if err != nil {
		r.tb.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		r.tb.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		r.tb.Fatal(err)
	}
	if s, ok := into.(*string); ok {
		*s = string(text)
	} else if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			r.tb.Fatalf("%s %s: %v: %.200s", method, path, err, text)
		}
	}
	return answer.StatusCode
}

// until waits for something.
func until(tb testing.TB, what string, holds func() bool) {
	tb.Helper()
	for end := time.Now().Add(10 * time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			tb.Fatalf("not within ten minutes: %s", what)
		}
	}
}

// diagnosed is the JSON that diagnose prints of the same files until a time.
func diagnosed(tb testing.TB, dir string, o engine.Options, until int64) string {
	tb.Helper()
	return reported(tb, dir, "json", o, until)
}

// reported is the report that diagnose prints of the same files until a time.
func reported(tb testing.TB, dir, format string, o engine.Options, until int64) string {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(dir, simulate.TopologyFile))
	if err != nil {
		tb.Fatal(err)
	}
	system, _, err := topology.Parse(filepath.Join(dir, simulate.TopologyFile), text)
	if err != nil {
		tb.Fatal(err)
	}
	read := activity.ForDiagnosis(&o)
	read.System = system
	src, err := activity.Open(context.Background(), files(dir), read)
	if err != nil {
		tb.Fatal(err)
	}
	defer src.Close()
	o.FitTo(src.Schema())
	var out bytes.Buffer
	subject := report.Subject{System: system, Schema: src.Schema(), Options: o, Version: "1.2.3"}
	if subject.Why = format == "why"; subject.Why {
		format = "text"
	}
	w, err := report.New(format, &out, subject)
	if err != nil {
		tb.Fatal(err)
	}
	engine, err := engine.New(o, system, src.Schema(), nil, w)
	if err != nil {
		tb.Fatal(err)
	}
	if err := engine.Run(streamOf{src, until}); err != nil {
		tb.Fatal(err)
	}
	s := report.Summary{Summary: engine.Summary(incident.Combined)}
	for _, one := range src.Warnings() {
		s.Warnings = append(s.Warnings, one.String())
	}
	if err := w.Finish(s); err != nil {
		tb.Fatal(err)
	}
	return out.String()
}

// files are the activity files below a directory, where they were written or where they
// grew.
func files(dir string) []string {
	if grew := filepath.Join(dir, "grows", "activity"); exists(grew) {
		return []string{grew}
	}
	return []string{filepath.Join(dir, "activity")}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// streamOf is the rows of a source, without those that end after a time.
type streamOf struct {
	src   *activity.Source
	until int64
}

func (s streamOf) Schema() table.Schema { return s.src.Schema() }

func (s streamOf) Next() (*table.Row, error) {
	row, err := s.src.Next(context.Background())
	if err == nil && row.End > s.until {
		return nil, io.EOF
	}
	return row, err
}

// A service says what diagnose says, tells it, hears answers, and goes on after a restart
// without telling anything twice.
func TestService(t *testing.T) {
	dir, state, h := recorded(t), t.TempDir(), newHook(t)
	want := diagnosed(t, dir, engine.DefaultOptions(), math.MaxInt64)
	c := settings(dir, state, h)
	load := func() (config.Config, error) { return c, nil }
	s := start(t, c, load)
	var got string
	until(t, "the diagnosis is that of diagnose", func() bool {
		s.ask("GET", "/api/v1/diagnosis", nil, &got)
		return strings.Contains(got, `"to": "2026-03-01T08:00:00Z"`) && s.Ready()
	})
	for i, line := range strings.Split(got, "\n") {
		if all := strings.Split(want, "\n"); i >= len(all) || all[i] != line {
			t.Fatalf("line %d of the diagnosis is\n%.800s\nwant\n%.800s", i, line, all[min(i, len(all)-1)])
		}
	}
	until(t, "four notifications", func() bool { return len(h.heard()) >= 4 })

	var all struct {
		Incidents []struct {
			Incident struct{ ID, Headline string }
		}
	}
	s.ask("GET", "/api/v1/incidents", nil, &all)
	if len(all.Incidents) < 2 {
		t.Fatalf("%d incidents", len(all.Incidents))
	}
	id := all.Incidents[0].Incident.ID
	if code := s.ask("POST", "/api/v1/incidents/"+id[:6]+"/feedback", map[string]any{"verb": "mute", "text": "known", "until": "2126-05-09T08:00:00Z"}, nil); code >= 300 {
		t.Errorf("muting is answered with %d", code)
	}
	var one struct {
		Incident struct{ Muted bool }
		Events   []struct{ Change string }
		Said     []struct{ Verb string }
	}
	until(t, "the mute is heard", func() bool {
		s.ask("GET", "/api/v1/incidents/"+id, nil, &one)
		return one.Incident.Muted
	})
	if len(one.Said) != 1 || one.Said[0].Verb != "mute" || len(one.Events) < 2 {
		t.Errorf("%+v", one)
	}
	if code := s.ask("POST", "/api/v1/incidents/"+id+"/feedback", map[string]any{"verb": "was", "text": "worn-out SSD"}, nil); code >= 300 {
		t.Errorf("naming the cause is answered with %d", code)
	}
	demandCause(s, id, "worn-out SSD")
	s.end()

	before := len(h.heard())
	again := start(t, c, load)
	demandCause(again, id, "worn-out SSD")
	until(t, "it is up", func() bool {
		return again.ask("GET", "/api/v1/incidents/"+id, nil, &one) == http.StatusOK && again.Rows() >= 0
	})
	if !one.Incident.Muted {
		t.Error("after a restart the incident is not muted any more")
	}
	again.end()
	keys := map[string]bool{}
	for _, n := range h.heard() {
		if keys[n.Key] {
			t.Errorf("%s was told twice", n.Key)
		}
		keys[n.Key] = true
	}
	if n := len(h.heard()); n > before+1 { // the mute resolves one
		t.Errorf("after the restart %d more were told", n-before)
	}
}

// demandCause demands that an incident is listed with its true cause, and is muted until
// its time, by the user of before.
func demandCause(s *running, id, cause string) {
	s.tb.Helper()
	until(s.tb, "the cause is listed", func() bool {
		var all api.IncidentList
		s.ask("GET", "/api/v1/incidents", nil, &all)
		return slices.ContainsFunc(all.Incidents, func(r api.Record) bool {
			return r.Incident.ID == id && r.Was != nil && r.Was.Text == cause && r.MutedUntil > 0 && r.MutedBy == "local"
		})
	})
}

// The console is at the address that people look at, for whoever may look.
func TestConsole(t *testing.T) {
	dir, h := recorded(t), newHook(t)
	c := settings(dir, t.TempDir(), h)
	s := start(t, c, nil)
	var page string
	if code := s.ask("GET", "/", nil, &page); code != http.StatusOK || !strings.Contains(page, "/console/") {
		t.Errorf("%d %.200s", code, page)
	}
	until(t, "the system is known", func() bool {
		return s.ask("GET", "/console/system.json", nil, &page) == http.StatusOK && strings.Contains(page, "1.07.4")
	})
	if code := s.ask("GET", "/api/v1/map?metric=await", nil, &page); code != http.StatusOK {
		t.Errorf("a map is answered with %d %.200s", code, page)
	}
	streams(t, s.Address())
	s.end()

	users := filepath.Join(t.TempDir(), "users.yaml")
	if err := os.WriteFile(users, []byte("tokens:\n  - {name: sender, role: ingest, sha256: 01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.State, c.Access.Gate.UsersFile = t.TempDir(), users
	s = start(t, c, nil)
	defer s.end()
	for _, path := range []string{"/", "/console/system.json"} {
		if code := s.ask("GET", path, nil, &page); code != http.StatusUnauthorized {
			t.Errorf("%s is answered with %d to a stranger", path, code)
		}
	}
}

// streams demands that events can be listened to.
func streams(t *testing.T, address string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/api/v1/events?after=0", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if kind := answer.Header.Get("Content-Type"); answer.StatusCode != http.StatusOK || !strings.HasPrefix(kind, "text/event-stream") {
		t.Errorf("events are answered with %d %s", answer.StatusCode, kind)
	}
}

// Who listens is told that the diagnosis has moved on, where no incident is, too.
func TestStandingIsTold(t *testing.T) {
	dir := t.TempDir()
	calm := arrays.Demo(1)
	calm.End, calm.Events, calm.Compressed = calm.Start.Add(time.Hour), nil, nil
	if _, err := calm.Write(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	s := start(t, settings(dir, t.TempDir(), newHook(t)), nil)
	defer s.end()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Address()+"/api/v1/events?after=0", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); ; {
		if !lines.Scan() {
			t.Fatalf("nobody is told that the diagnosis has moved on: %v", lines.Err())
		}
		if lines.Text() == "event: standing" {
			return
		}
	}
}

// Of a sender it is shown when it was last heard.
func TestSenderIsHeard(t *testing.T) {
	now := time.Unix(1000, 0)
	s := sender(intake.SourceStatus{Kind: intake.Push, Up: true, Heard: now.Add(-3 * time.Second)}, now)
	if s.Last != 997 || s.LagSeconds != 3 || s.State != api.SourceLive {
		t.Errorf("%+v", s)
	}
}

// A reload changes who is told and the topology, says what only a restart changes, and
// refuses mistakes whole. The copy of a backup that a kill has left is removed at the start.
func TestReload(t *testing.T) {
	dir, h := recorded(t), newHook(t)
	c := settings(dir, t.TempDir(), h)
	left := filepath.Join(c.State, ".backup-7")
	if err := os.MkdirAll(filepath.Join(left, "limpet-20260301T000000Z", "journal"), 0o700); err != nil {
		t.Fatal(err)
	}
	next := c
	s := start(t, c, func() (config.Config, error) { return next, nil })
	defer s.end()
	until(t, "it is read", s.Ready)
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Error("the copy of an earlier backup is there: ", err)
	}
	other := newHook(t)
	w := c.Alerts.To[0].(config.Webhook)
	w.Receiver.Name, w.Options.URL = "other", other.URL
	next.Alerts.To = []config.Receiver{w}
	next.Listen = "127.0.0.1:1"
	var said struct{ Changed, Restart []string }
	if code := s.ask("POST", "/api/v1/reload", map[string]any{}, &said); code != http.StatusOK {
		t.Fatalf("%d", code)
	}
	if !slices.Contains(said.Changed, "the receivers of alerts were changed") || !slices.Contains(said.Restart, "the setting \"listen\" of the configuration was changed: restart the server to use the new value") {
		t.Errorf("%+v", said)
	}
	next.Policy = filepath.Join(t.TempDir(), "policy.yaml")
	var text string
	for _, tt := range []struct{ policy, want string }{{"mode: always", "is unknown"}, {"mode: propose", ""}, {"mode: never", "is unknown"}} {
		if err := os.WriteFile(next.Policy, []byte(tt.policy), 0o600); err != nil {
			t.Fatal(err)
		}
		var into any = &said
		if tt.want != "" {
			into = &text
		}
		if code := s.ask("POST", "/api/v1/reload", map[string]any{}, into); (code >= 400) != (tt.want != "") || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %d %s", tt.policy, code, text)
		}
		if tt.want == "" && !slices.Contains(said.Changed, "the policy of actions was changed") {
			t.Errorf("%+v", said)
		}
	}
	var list api.IncidentList
	if code := s.ask("GET", "/api/v1/incidents", nil, &list); code != http.StatusOK || len(list.Incidents) == 0 || list.Incidents[0].Incident.Action == nil {
		t.Errorf("after a policy was refused, that of before does not count: %d %+v", code, list)
	}
	next.Topology = filepath.Join(dir, "none.yaml")
	if code := s.ask("POST", "/api/v1/reload", map[string]any{}, &text); code < 400 || !strings.Contains(text, "none.yaml") {
		t.Errorf("%d %s", code, text)
	}
	was, err := os.ReadFile(c.Topology)
	if err != nil {
		t.Fatal(err)
	}
	next.Topology = filepath.Join(t.TempDir(), "other.yaml")
	if err := os.WriteFile(next.Topology, bytes.ReplaceAll(was, []byte("ddn[1-2]"), []byte("ddn[5-6]")), 0o600); err != nil {
		t.Fatal(err)
	}
	if code := s.ask("POST", "/api/v1/reload", map[string]any{}, &text); code < 400 || !strings.Contains(text, "--change-topology") {
		t.Errorf("a topology of another system: %d %s", code, text)
	}
}
