package sitetest

import (
	"net/http"
	"time"

	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/console"
	"github.com/limpet-storage/limpet/server/handler"
	"github.com/limpet-storage/limpet/server/prevalence"
)

// Server serves a site as limpet serve does: the API and the console.
type Server struct {
	*Site
	API   *handler.Handler
	mux   *http.ServeMux
	fleet *prevalence.Keeper // nil: the site does not count
}

// Serve returns the server of a site. It calls trouble with errors that the client must not see.
// Close ends its streams.
func Serve(site *Site, clock func() time.Time, trouble func(error)) (*Server, error) {
	gate, err := access.NewGate(access.Options{Now: clock})
	if err != nil {
		return nil, err
	}
	s := &Server{Site: site, mux: http.NewServeMux()}
	if p, ok := site.plots.(*formulaPlots); ok {
		p.fleet = prevalence.New(p.hours, clock)
		s.fleet = p.fleet
	}
	s.API = handler.New(handler.Options{Site: site, Gate: gate, Now: clock, Report: trouble, Stream: handler.DefaultStreamOptions()})
	s.mux.Handle("/", console.New(func() report.Subject { return site.Result().Subject }))
	for _, path := range []string{"/api/", "/-/", "/metrics"} {
		s.mux.Handle(path, s.API)
	}
	return s, nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Close ends all streams of events and the count of the fleet.
func (s *Server) Close() {
	s.API.Close()
	if s.fleet != nil {
		s.fleet.Close()
	}
}

// Tick advances the site by one step, and notifies all consoles.
func (s *Server) Tick() {
	s.pass(stepSeconds)
	s.API.Changed()
}

// Worsen makes the first incident slower by the factor times, and publishes the change to all
// consoles.
func (s *Server) Worsen(times float64) {
	s.API.Publish(s.worsen(times))
	s.API.Changed()
}
