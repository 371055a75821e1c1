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

// Options are those of a handler.
type Options struct {
	Site api.Site
	Gate *access.Gate
	Now  func() time.Time
	// Report is told of errors whose text is not for whoever asked.
	Report func(error)
	Stream StreamOptions
	// Link is the page of an incident, for metrics; nil: there is none.
	Link func(id string) string
	// Receivers take samples from whoever has the role ingest.
	Receivers []Receiver
}

// Receiver takes what is posted to a path.
type Receiver struct {
	Path    string
	Handler http.Handler
	Bytes   int64 // of a body, at most
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
	h.Metrics = NewMetrics(Sources{Standing: o.Site.Standing, Link: o.Link, Clients: h.hub.Counts, FailedLogins: o.Gate.Failed.Load})
	h.router = newRouter(options{
		Gate: o.Gate, Now: o.Now, Report: o.Report, Translate: translate, Answered: h.Metrics.Request,
		Nothing: fmt.Sprintf("the API does not have this path; %s/openapi.yaml lists all paths", api.Base),
	}, h.Routes())
	return h
}

// ServeHTTP answers a request. The date of an answer is that of the server's clock, which
// tells a page how old its data are, whatever the clock of whoever looks.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Date", h.Now().UTC().Format(http.TimeFormat))
	h.router.ServeHTTP(w, r)
}

// Close ends all streams of events.
func (h *Handler) Close() { h.hub.Close() }

// translate makes problems of a site's errors that may be told.
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

// Publish tells whoever listens of an event, which the site's archive has already.
// It never waits.
func (h *Handler) Publish(e api.Event) {
	m, err := message(e)
	if err != nil {
		h.Report(err)
		return
	}
	h.hub.Publish(m)
}

// message is an event as it is streamed.
func message(e api.Event) (hubMessage, error) {
	data, err := json.Marshal(e)
	return hubMessage{Number: e.Number, Kind: "incident", Data: data}, err
}

// Changed tells whoever listens that there is a new standing. It never waits.
func (h *Handler) Changed() {
	if clients, _ := h.hub.Counts(); clients == 0 {
		return
	}
	s := h.Site.Standing()
	data, err := json.Marshal(map[string]any{"at": document.Time(s.To), "event": s.Event})
	if err == nil {
		h.hub.Publish(hubMessage{Kind: "standing", Data: data})
	}
}

// metric is one that the system has, the leading one where none is given.
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
