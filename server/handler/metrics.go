// This file exports the state of a running diagnosis to Prometheus: which components limp, how far
// its sources are, and the problems of the server itself.
//
// However large a system is, there are no more than a few hundred series. Scores are exported only
// for the top of the list and for the members of incidents. The number of series that are left out
// is exported, too.

package handler

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"

	"github.com/limpet-storage/limpet/server/api"
)

// Sources are the functions that each scrape calls.
type Sources struct {
	Result func() *api.Result
	// Link returns the address of the page of an incident; nil: there is no page.
	Link func(id string) string
	// Clients returns how many clients read the stream of events, and how many were dropped.
	Clients func() (now int, dropped int64)
	// FailedLogins returns the number of failed logins since the start.
	FailedLogins func() int64
}

// Metrics are the metrics of a server.
type Metrics struct {
	registry *prometheus.Registry
	window   prometheus.Histogram
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

// NewMetrics returns metrics of a server.
func NewMetrics(s Sources) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		window: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "limpet_window_duration_seconds", Help: "Time to compare all components of the storage system in one window, in seconds.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 9), // up to a minute
		}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "limpet_http_requests_total", Help: "Number of HTTP requests, by path and status.",
		}, []string{"route", "code"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "limpet_http_request_duration_seconds", Help: "Time to answer a request, in seconds. Requests for the stream of events are not counted.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 7), // up to four seconds
		}, []string{"route"}),
	}
	m.registry.MustRegister(m.window, m.requests, m.duration, &resultCollector{s.Result, s.Link},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "limpet_event_clients", Help: "Number of clients that are connected to the stream of events."},
			func() float64 { now, _ := s.Clients(); return float64(now) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "limpet_event_clients_dropped_total", Help: "Number of clients that the server disconnected because they read events too slowly."},
			func() float64 { _, dropped := s.Clients(); return float64(dropped) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "limpet_logins_failed_total", Help: "Number of logins with a wrong user name, password or token."},
			func() float64 { return float64(s.FailedLogins()) }),
	)
	return m
}

// Gather returns all metrics, for a program that sends them to another server.
func (m *Metrics) Gather() ([]*dto.MetricFamily, error) { return m.registry.Gather() }

// Register adds metrics of another part of the server.
func (m *Metrics) Register(c prometheus.Collector) error { return m.registry.Register(c) }

// Window records how long the comparison in one window took.
func (m *Metrics) Window(took time.Duration) { m.window.Observe(took.Seconds()) }

// Request records an answer. The route is a pattern, so that there are few series.
func (m *Metrics) Request(route string, status int, took time.Duration, stream bool) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	if !stream {
		m.duration.WithLabelValues(route).Observe(took.Seconds())
	}
}

// mostScrapes is the largest number of scrapes that are answered at the same time.
const mostScrapes = 4

// Handler answers scrapes.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{EnableOpenMetrics: true, MaxRequestsInFlight: mostScrapes})
}
