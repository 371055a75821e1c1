package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/checkout"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/ingest/intake"
	"github.com/limpet-storage/limpet/ingest/store/results"
	"github.com/limpet-storage/limpet/ingest/store/storetest"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
)

// TestStores: a server that polls Prometheus finds the incident that is known
// of the files; what it finds is written back, and Prometheus evaluates every
// query of the dashboard and of the rules on it.
func TestStores(t *testing.T) {
	prometheus := storetest.Start(t, storetest.Prometheus, "")
	dir := t.TempDir()
	scenario := arrays.Demo(1)
	scenario.Interval = 15 * time.Second
	if _, err := scenario.Write(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	load(t, prometheus, dir, scenario.Start.Add(160*time.Minute)) // the slow LUN is known by then

	c := settings(dir, t.TempDir(), newHook(t))
	polled := intake.DefaultStore()
	polled.Name, polled.Connect.Post.URL, polled.Interval = "site", prometheus, time.Second
	polled.Since, polled.Reach = 30*time.Hour, 30*time.Hour
	c.Directories, c.Intake.Stores, c.Push = nil, []intake.Store{polled}, false
	r := start(t, c, nil)
	defer r.end()
	var now struct {
		Incidents []struct {
			Incident struct{ ID string }
		}
	}
	const patience = 10 * time.Minute // some hours are read on a loaded machine
	for begin := time.Now(); len(now.Incidents) == 0; time.Sleep(100 * time.Millisecond) {
		if r.ask(http.MethodGet, "/api/v1/incidents?section=now", nil, &now); time.Since(begin) > patience {
			t.Fatal("the incident is not found")
		}
	}
	var ids []string
	for _, in := range now.Incidents {
		ids = append(ids, in.Incident.ID)
	}
	if want := []string{"ec082432"}; !slices.Equal(ids, want) { // as limpet demo names it
		t.Errorf("%q, not %q", ids, want)
	}
	writeBack(t, r, prometheus)
	boards, rules := dashboardQueries(t), ruleQueries(t)
	for _, q := range append(boards, rules...) {
		n, err := evaluate(prometheus, q)
		if err != nil {
			t.Errorf("%s: %v", q, err)
		}
		t.Logf("%3d series: %s", n, q)
	}
	for q, want := range map[string]int{"limpet_incident_info": 1, "sum by (kind) (limpet_incident_active)": 1, "limpet_incident_info == 1": 1} {
		if n, err := evaluate(prometheus, q); err != nil || n != want {
			t.Errorf("%s has %d series, not %d: %v", q, n, want, err)
		}
	}
}

func load(t *testing.T, store, dir string, until time.Time) {
	t.Helper()
	l, err := storetest.NewLoader(store)
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(dir, simulate.ActivityDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.LoadActivity(t.Context(), paths, until.Unix()); err != nil {
		t.Fatal(err)
	}
}

// writeBack writes what a server shows into a store, as of now.
func writeBack(t *testing.T, r *running, store string) {
	t.Helper()
	o := results.DefaultOptions()
	o.Post.URL = store + "/api/v1/write"
	s, err := results.New(o, r.handler.Metrics, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if s.Send(t.Context()); s.Trouble() != "" {
		t.Fatal(s.Trouble())
	}
}

// dashboardQueries are those of the dashboard.
func dashboardQueries(t *testing.T) (list []string) {
	t.Helper()
	var board struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	text, err := os.ReadFile(checkout.Path(t, "packaging/grafana/limpet.json"))
	if err == nil {
		err = json.Unmarshal(text, &board)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range board.Panels {
		for _, q := range p.Targets {
			list = append(list, q.Expr)
		}
	}
	return list
}

// ruleQueries are those of the rules.
func ruleQueries(t *testing.T) (list []string) {
	t.Helper()
	var file struct {
		Groups []struct{ Rules []struct{ Expr string } }
	}
	text, err := os.ReadFile(checkout.Path(t, "packaging/prometheus/limpet.rules.yml"))
	if err == nil {
		err = yaml.Unmarshal(text, &file)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			list = append(list, r.Expr)
		}
	}
	return list
}

// evaluate is how many series the answer to a query has.
func evaluate(store, query string) (int, error) {
	r, err := http.PostForm(store+"/api/v1/query", url.Values{"query": {query}})
	if err != nil {
		return 0, err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return 0, err
	}
	var answer struct {
		Status string
		Data   struct{ Result []json.RawMessage }
	}
	if err := json.Unmarshal(text, &answer); err != nil || answer.Status != "success" {
		return 0, fmt.Errorf("%s: %w", text, err)
	}
	return len(answer.Data.Result), nil
}
