package handler

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/api"
)

// Options are the options of a [Handler].
type Options struct {
	Site api.Site
	Gate *access.Gate
	Now  func() time.Time
	// Report is called with errors whose text the client must not see.
	Report func(error)
	Stream StreamOptions
	// Link returns the address of the page of an incident, for metrics; nil: there is no page.
	Link func(id string) string
	// Receivers take samples from callers with the role ingest.
	Receivers []Receiver
}

// Receiver takes the bodies of POST requests to a path.
type Receiver struct {
	Path    string
	Handler http.Handler
	Bytes   int64 // largest size of a body
}

// A Handler answers requests.
type Handler struct {
	Options
	Metrics *Metrics

	router  *router
	hub     *hub
	view    atomic.Pointer[view]
	backing sync.Mutex // one backup at a time
}

// New returns the handler of a site.
func New(o Options) *Handler {
	h := &Handler{Options: o, hub: newHub(o.Stream)}
	h.Metrics = NewMetrics(Sources{Result: o.Site.Result, Link: o.Link, Clients: h.hub.Counts, FailedLogins: o.Gate.Failed.Load})
	h.router = newRouter(options{
		Gate: o.Gate, Now: o.Now, Report: o.Report, Translate: translate, Answered: h.Metrics.Request,
		Nothing: fmt.Sprintf("the API does not have this path; %s/openapi.yaml lists all paths", api.Base),
	}, h.Routes())
	return h
}

// ServeHTTP answers a request. The header Date has the time of the server's clock, so that a page
// can tell the age of its data even if the clock of the browser is wrong.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Date", h.Now().UTC().Format(http.TimeFormat))
	h.router.ServeHTTP(w, r)
}

// Close ends all streams of events.
func (h *Handler) Close() { h.hub.Close() }

// translate converts errors that the client may see into problems, and returns others unchanged.
func translate(err error) error {
	if refused, ok := errors.AsType[*api.Refusal](err); ok {
		return badf("%s", refused.Text)
	}
	switch {
	case errors.Is(err, api.ErrNotFound):
		return missingf("%v", api.ErrNotFound)
	case errors.Is(err, errFull):
		return busyf("%v", err)
	}
	return err
}

// Publish sends an event to all clients of the stream. The archive of the site must already hold
// the event. Publish never waits.
func (h *Handler) Publish(e api.Event) {
	m, err := message(e)
	if err != nil {
		h.Report(err)
		return
	}
	h.hub.Publish(m)
}

// message returns an event as a message of the stream.
func message(e api.Event) (hubMessage, error) {
	data, err := json.Marshal(e)
	return hubMessage{Number: e.Number, Kind: "incident", Data: data}, err
}

// Changed notifies all clients of the stream of a new result. It never waits.
func (h *Handler) Changed() {
	if clients, _ := h.hub.Counts(); clients == 0 {
		return
	}
	s := h.Site.Result()
	data, err := json.Marshal(map[string]any{"at": document.Time(s.To), "event": s.Event})
	if err == nil {
		h.hub.Publish(hubMessage{Kind: "standing", Data: data})
	}
}

// metric returns the metric that the request names; without a name, the leading metric.
func (v *view) metric(p *parameters) string {
	name := p.Text("metric")
	if name == "" {
		return v.sentences.Lead.Name
	}
	var known []string
	for _, m := range v.Subject.Schema.Metrics {
		known = append(known, m.Name)
	}
	if !slices.Contains(known, name) {
		p.Fail("this storage system has no metric %q; its metrics are %s", name, strings.Join(known, ", "))
	}
	return name
}
