package results

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/snappy"
	"github.com/prometheus/client_golang/prometheus"
)

// TestSend: what is shown is written, what is no more is ended, and what the store does
// not take is sent again, in order.
func TestSend(t *testing.T) {
	var bodies []string
	down := false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		packed, _ := io.ReadAll(r.Body)
		body, err := snappy.Decode(nil, packed)
		if err != nil || r.Header.Get("X-Scope-OrgID") != "team" || r.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("%v %v", err, r.Header)
		}
		if down {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		bodies = append(bodies, string(body))
	}))
	defer s.Close()
	registry := prometheus.NewRegistry()
	active := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "limpet_incident_active", Help: "x"}, []string{"component"})
	took := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "limpet_window_duration_seconds", Help: "x", Buckets: []float64{1}})
	other := prometheus.NewGauge(prometheus.GaugeOpts{Name: "go_threads", Help: "x"})
	registry.MustRegister(active, took, other)
	active.WithLabelValues("1.07").Set(1)
	took.Observe(0.5)
	o := DefaultOptions()
	o.Post.URL, o.Tenant = s.URL+"/api/v1/write", "team"
	now := time.Unix(1_800_000_000, 0)
	sender, err := New(o, registry, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	has := func(i int, words ...string) bool {
		return i < len(bodies) && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(bodies[i], w) })
	}
	sender.Send(t.Context())
	if !has(0, "limpet_incident_active", "1.07", "limpet_window_duration_seconds_bucket", "+Inf", "limpet_window_duration_seconds_sum", "job", "limpet") || has(0, "go_threads") {
		t.Fatalf("%q", bodies)
	}
	down = true
	active.Reset()
	sender.Send(t.Context())
	if len(bodies) != 1 || !strings.Contains(sender.Trouble(), "results of 1 time steps could not be sent yet") {
		t.Errorf("%q %s", bodies, sender.Trouble())
	}
	down, now = false, now.Add(15*time.Second)
	sender.Send(t.Context())
	const stale = "\x02\x00\x00\x00\x00\x00\xf0\x7f"
	if len(bodies) != 3 || !has(1, "1.07", stale) || has(2, "1.07") || sender.Trouble() != "" {
		t.Errorf("%q %s", bodies, sender.Trouble())
	}
}
