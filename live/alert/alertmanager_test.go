package alert

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/post"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return now }

// note returns a notification of an alert from the given number of minutes ago.
func note(name, kind string, s State, minutes int) Notification {
	at := now.Add(-time.Duration(minutes) * time.Minute)
	n := Notification{
		State: s, Alert: name, Headline: "LUN 1.1 is slow", Number: "2.49 times slower than 15 peers", Action: "Look.",
		Link: "https://limpet.example/#/incident/" + name, Time: at, Starts: now.Add(-time.Hour),
		Labels: map[string]string{"alertname": "LimpetIncident", "incident": name, "kind": kind},
	}
	if s == Resolved {
		n.Ends = at
	}
	return n
}

// brief returns what is posted: "a/slow firing, b/slow ended 10 min ago".
func brief(list []posted) string {
	var lines []string
	for _, p := range list {
		state := "firing"
		if !p.Ends.IsZero() {
			state = fmt.Sprintf("ended %.0f min ago", now.Sub(p.Ends).Minutes())
		}
		lines = append(lines, fmt.Sprintf("%s/%s %s", p.Labels["incident"], p.Labels["kind"], state))
	}
	return strings.Join(lines, ", ")
}

// Of several notifications of an alert only the latest is sent.
func TestFold(t *testing.T) {
	m := &Alertmanager{now: clock}
	changed := note("a", "drawer", Firing, 20)
	changed.Previous = map[string]string{"alertname": "LimpetIncident", "incident": "a", "kind": "slow"}
	for name, tt := range map[string]struct {
		batch Batch
		want  string
	}{
		"a reminder":                           {Batch{Firing: []Notification{note("b", "slow", Firing, 5), note("a", "slow", Firing, 5)}}, "a/slow firing, b/slow firing"},
		"fired and resolved while it was down": {Batch{New: []Notification{note("a", "slow", Firing, 30), note("a", "slow", Resolved, 10)}}, "a/slow ended 10 min ago"},
		"resolved while what fires was read":   {Batch{Firing: []Notification{note("a", "slow", Firing, 30)}, New: []Notification{note("a", "slow", Resolved, 10)}}, "a/slow ended 10 min ago"},
		"resolved and back":                    {Batch{New: []Notification{note("a", "slow", Resolved, 30), note("a", "slow", Firing, 10)}}, "a/slow firing"},
		"another kind":                         {Batch{New: []Notification{note("a", "slow", Firing, 30), changed}}, "a/drawer firing, a/slow ended 20 min ago"},
		"another kind, and over":               {Batch{New: []Notification{changed, note("a", "drawer", Resolved, 1)}}, "a/drawer ended 1 min ago, a/slow ended 20 min ago"},
		"rows from a clock that is ahead":      {Batch{New: []Notification{note("a", "slow", Resolved, -90)}}, "a/slow ended 0 min ago"},
	} {
		if got := brief(m.fold(tt.batch)); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestWhatIsPosted(t *testing.T) {
	var path string
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		path = r.URL.Path
		body, _ = io.ReadAll(r.Body)
	}))
	defer server.Close()
	m, err := NewAlertmanager(AlertmanagerOptions{Options: post.Options{URL: server.URL + "/alerts/"}, Labels: map[string]string{"site": "north"}, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Send(t.Context(), Batch{New: []Notification{note("a", "slow", Firing, 3)}}); err != nil {
		t.Fatal(err)
	}
	want := `[{"labels":{"alertname":"LimpetIncident","incident":"a","kind":"slow","site":"north"},` +
		`"annotations":{"action":"Look.","number":"2.49 times slower than 15 peers","summary":"LUN 1.1 is slow"},` +
		`"startsAt":"2026-03-01T11:00:00Z","generatorURL":"https://limpet.example/#/incident/a"}]`
	if path != "/alerts/api/v2/alerts" || string(body) != want || !json.Valid(body) {
		t.Errorf("to %s\n%s\nwant\n%s", path, body, want)
	}
}

func TestLabelsThatAlertmanagerWouldRefuse(t *testing.T) {
	_, err := NewAlertmanager(AlertmanagerOptions{Options: post.Options{URL: "http://127.0.0.1:9093"}, Labels: map[string]string{"my-site": "north"}, Now: clock})
	if err == nil || !strings.Contains(err.Error(), "label my-site is not allowed: a label has only letters, digits and _") {
		t.Error(err)
	}
}
