package handler_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/handler"
	"github.com/limpet-storage/limpet/server/sitetest"
	"github.com/limpet-storage/limpet/topology"
)

func scrape(t *testing.T, site *sitetest.Site) string {
	t.Helper()
	m := handler.NewMetrics(handler.Sources{
		Result: site.Result, Clients: func() (int, int64) { return 2, 3 }, FailedLogins: func() int64 { return 4 },
	})
	m.Window(20 * time.Millisecond)
	m.Request("/x", 200, time.Millisecond, false)
	return askMetrics(t, m)
}

func askMetrics(t *testing.T, m *handler.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return w.Body.String()
}

// TestNames: what dashboards and alerts of sites rely on.
func TestNames(t *testing.T) {
	got := scrape(t, sitetest.New())
	for _, want := range []string{
		`limpet_build_info{goversion="go`,
		`limpet_incident_active{cause="LUN",component="1.0",group="primary",kind="single LUN"} 1`,
		`limpet_incident_active{cause="controller",component="ddn2a",group="primary",kind="lost attachment"} 1`,
		"limpet_incidents_total 5", "limpet_suspects 1",
		`limpet_component_score{component="1.0.1",group="primary",metric="await"} 4`,
		"limpet_window_duration_seconds_count 1",
		"limpet_window_last_success_timestamp_seconds 1.7723376e+09",
		"limpet_last_row_timestamp_seconds 1.7723376e+09",
		`limpet_samples_read_total{source="/srv/activity"} 4096`,
		`limpet_samples_dropped_total{source="push"} 0`,
		`limpet_source_live{source="push"} 0`,
		`limpet_source_lag_seconds{source="/srv/activity"} 0`,
		`limpet_peer_group_size{group="primary"} 16`,
		`limpet_troubles{kind="disk"} 1`, "limpet_ready 1",
		`limpet_notifications_queued{receiver="pager"} 2`, `limpet_notifications_behind_seconds{receiver="pager"} 120`, `limpet_receiver_delivered_here{receiver="pager"} 1`,
		`limpet_notifications_queued{receiver="tickets"} 0`, `limpet_notifications_behind_seconds{receiver="tickets"} 0`, `limpet_receiver_delivered_here{receiver="tickets"} 0`,
		"limpet_event_clients 2", "limpet_event_clients_dropped_total 3", "limpet_logins_failed_total 4",
		`limpet_http_requests_total{code="200",route="/x"} 1`,
		`limpet_metrics_left_out{of="scores"} 0`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %s in\n%s", want, grep(got, "limpet_"))
		}
	}
	if strings.Contains(got, `limpet_source_lag_seconds{source="push"}`) {
		t.Error("a lag that nobody knows is shown")
	}
	if strings.Contains(got, `component="1.4"`) {
		t.Error("a muted incident is shown as active")
	}
}

func grep(text, part string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return !strings.HasPrefix(l, part) }), "\n")
}

// TestCardinality: a system of 20,000 drives in 5,000 groups, 1,000 incidents, 1,000
// sources and 500 kinds of trouble has no more than a thousand series.
func TestCardinality(t *testing.T) {
	site := sitetest.New()
	site.Set(func(s *api.Result) {
		system := &topology.System{Name: "large"}
		s.Incidents, s.Windows, s.Sources, s.Troubles = nil, nil, nil, nil
		for i := range 20000 {
			system.Components = append(system.Components, topology.Component{Name: fmt.Sprint("drive", i), Group: i/4 + 1})
		}
		for g := range 5000 {
			system.Groups = append(system.Groups, topology.PeerGroup{ID: g + 1, Name: fmt.Sprint("group", g/2), Members: []int{4 * g, 4*g + 1, 4*g + 2, 4*g + 3}})
			w := persistence.Window{Group: g, End: sitetest.Now}
			for _, c := range system.Groups[g].Members {
				w.Verdicts = append(w.Verdicts, persistence.Verdict{Component: c})
			}
			s.Windows = append(s.Windows, w)
		}
		for i := range 1000 {
			in := incident.Incident{ID: fmt.Sprint(i), Phase: incident.Active, Class: finding.Slow, Kind: finding.SlowDrive, Members: []finding.Member{{Component: i}}}
			in.Place.Name = fmt.Sprint("drive", i)
			s.Incidents = append(s.Incidents, in)
			s.Sources = append(s.Sources, api.Source{Name: fmt.Sprint(i)})
			s.Troubles = append(s.Troubles, api.Trouble{Kind: fmt.Sprint(i / 2)})
		}
		s.Subject.System = system
	})
	got := grep(scrape(t, site), "limpet_")
	if n := strings.Count(got, "\n"); n > 1200 {
		t.Errorf("%d series", n)
	}
	for _, want := range []string{`{of="incidents"} 800`, `{of="scores"} 900`, `{of="sources"} 900`, `{of="peer groups"} 4800`} {
		if !strings.Contains(got, "limpet_metrics_left_out"+want) {
			t.Errorf("there is no %s in %s", want, grep(got, "limpet_metrics_left_out"))
		}
	}
}

// TestTwice: two incidents that share all labels are counted, and do not break the
// answer.
func TestTwice(t *testing.T) {
	site := sitetest.New()
	site.Set(func(s *api.Result) { s.Incidents = append(slices.Clone(s.Incidents), s.Incidents[0]) })
	if got := scrape(t, site); !strings.Contains(got, `component="1.0",group="primary",kind="single LUN"} 2`) {
		t.Errorf("%s", grep(got, "limpet_incident_active"))
	}
}

func TestOthersAreRegistered(t *testing.T) {
	m := handler.NewMetrics(handler.Sources{Result: sitetest.New().Result, Clients: func() (int, int64) { return 0, 0 }, FailedLogins: func() int64 { return 0 }})
	c := prometheus.NewCounter(prometheus.CounterOpts{Name: "limpet_alerts_sent_total", Help: "x"})
	if err := m.Register(c); err != nil {
		t.Fatal(err)
	}
	if got := askMetrics(t, m); !strings.Contains(got, "limpet_alerts_sent_total 0") {
		t.Error(got)
	}
}
