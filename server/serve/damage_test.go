package serve

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/server/serve/config"
)

// seen is what the API says of a state, as far as damage must not change it.
type seen struct {
	id       string
	Incident struct {
		Muted    bool
		Comments []struct{ Text string }
	}
	Events []struct{ Number int }
	Said   []struct{ Verb string }
	last   int // number of the last event of all
}

func (r *running) see(id string) (s seen) {
	r.tb.Helper()
	r.ask("GET", "/api/v1/incidents/"+id, nil, &s)
	var events struct{ Events []struct{ Number int } }
	r.ask("GET", "/api/v1/events?limit=1000", nil, &events)
	for _, e := range events.Events {
		s.last = max(s.last, e.Number)
	}
	s.id = id
	return s
}

// troubled is the text of a trouble of a kind, of status and of the metrics.
func (r *running) troubled(kind string) string {
	r.tb.Helper()
	var status struct{ Troubles []struct{ Kind, Text string } }
	r.ask("GET", "/api/v1/status", nil, &status)
	for _, one := range status.Troubles {
		if one.Kind == kind {
			var metrics string
			if r.ask("GET", "/metrics", nil, &metrics); !strings.Contains(metrics, `limpet_troubles{kind="`+kind+`"} 1`) {
				r.tb.Errorf("no metric of the trouble %s", kind)
			}
			return one.Text
		}
	}
	return ""
}

// harm does something to each file of a state that a pattern names.
func harm(t *testing.T, state, pattern string, do func(path string, size int64) error) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(state, pattern))
	if err != nil || len(found) == 0 {
		t.Fatal(pattern, found, err)
	}
	for _, path := range found {
		info, err := os.Stat(path)
		if err == nil {
			err = do(path, info.Size())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func halve(path string, size int64) error { return os.Truncate(path, size/2) }

// TestDamagedState: a killed server whose files are damaged afterwards loses nothing that was
// answered with 200, tells nobody twice, and says what is damaged.
func TestDamagedState(t *testing.T) {
	dir, state, h := recorded(t), t.TempDir(), newHook(t)
	c := settings(dir, state, h)
	load := func() (config.Config, error) { return c, nil }
	s := start(t, c, load)
	var all struct {
		Incidents []struct{ Incident struct{ ID string } }
	}
	var diagnosis string
	until(t, "all is read, with incidents", func() bool {
		s.ask("GET", "/api/v1/incidents", nil, &all)
		s.ask("GET", "/api/v1/diagnosis", nil, &diagnosis)
		return strings.Contains(diagnosis, `"to": "2026-03-01T08:00:00Z"`) && s.Ready() && len(all.Incidents) > 1 && len(h.heard()) >= 4
	})
	id := all.Incidents[0].Incident.ID
	for _, body := range []map[string]any{{"verb": "mute", "text": "known"}, {"verb": "comment", "text": "ticket 4711"}} {
		if code := s.ask("POST", "/api/v1/incidents/"+id+"/feedback", body, nil); code != http.StatusOK {
			t.Fatalf("%v is answered with %d", body, code)
		}
	}
	want := s.see(id)
	if !want.Incident.Muted || len(want.Incident.Comments) != 1 || len(want.Said) != 2 {
		t.Fatalf("%+v", want)
	}
	until(t, "the end of the muted alert is told", func() bool {
		return slices.ContainsFunc(s.receivers(), func(r alert.ReceiverStatus) bool { return r.Queued == 0 })
	})
	killed := t.TempDir()
	if err := os.CopyFS(killed, os.DirFS(state)); err != nil { // what a kill leaves
		t.Fatal(err)
	}
	s.end()
	told := len(h.heard())

	for name, one := range map[string]struct {
		harm func(t *testing.T, state string)
		says string
	}{
		"log cut in half": {func(t *testing.T, state string) { harm(t, state, "journal/*.log", halve) }, "but the ledger has "},
		"snapshot cut":    {func(t *testing.T, state string) { harm(t, state, "journal/*.snapshot", halve) }, "limpet can read no snapshot of the journal in"},
	} {
		t.Run(name, func(t *testing.T) {
			state := t.TempDir()
			if err := os.CopyFS(state, os.DirFS(killed)); err != nil {
				t.Fatal(err)
			}
			one.harm(t, state)
			c := settings(dir, state, h)
			again := start(t, c, load)
			defer again.end()
			until(t, "it is ready", func() bool { return again.ask("GET", "/-/ready", nil, nil) == http.StatusOK })
			until(t, "the commands are executed", func() bool {
				now := again.see(id)
				return now.Incident.Muted && len(now.Incident.Comments) == 1
			})
			if got := again.see(id); got.last != want.last || len(got.Events) != len(want.Events) || len(got.Said) != len(want.Said) {
				t.Errorf("%+v, want %+v", got, want)
			}
			if text := again.troubled("damage"); !strings.Contains(text, one.says) {
				t.Errorf("damage %q, want %q", text, one.says)
			}
			if n := len(h.heard()); n != told {
				t.Errorf("%d notifications were sent again", n-told)
			}
		})
	}
	t.Run("history cut", func(t *testing.T) {
		state := t.TempDir()
		if err := os.CopyFS(state, os.DirFS(killed)); err != nil {
			t.Fatal(err)
		}
		harm(t, state, "history/steps/*.parquet", halve)
		c := settings(dir, state, h)
		again := start(t, c, load)
		defer again.end()
		until(t, "it is ready", func() bool { return again.ask("GET", "/-/ready", nil, nil) == http.StatusOK })
		if text := again.troubled("gaps"); !strings.Contains(text, "cannot be read (the file is damaged), so the history has no data from 2026-03-01 ") {
			t.Errorf("gaps %q", text)
		}
		name := again.watch.Result().Subject.System.Components[0].Name
		var series struct{ Warnings []string }
		q := "?component=" + url.QueryEscape(name) + "&metric=await&from=2026-03-01T01:00:00Z&to=2026-03-01T03:00:00Z"
		if code := again.ask("GET", "/api/v1/series"+q, nil, &series); code != http.StatusOK || len(series.Warnings) == 0 || !strings.Contains(series.Warnings[0], "the history has no data from") {
			t.Errorf("%d, %q", code, series.Warnings)
		}
		var plan struct{ Warnings []string }
		if code := again.ask("GET", "/api/v1/map?metric=await&at=2026-03-01T02:00:00Z", nil, &plan); code != http.StatusOK || len(plan.Warnings) == 0 {
			t.Errorf("%d, %q", code, plan.Warnings)
		}
	})
}
