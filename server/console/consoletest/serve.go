package consoletest

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
	API *handler.Handler
	mux *http.ServeMux
}

// Serve returns the server of a site, with a clock. Errors that are not for whoever
// asked go to trouble. Close ends its streams.
func Serve(site *Site, clock func() time.Time, trouble func(error)) (*Server, error) {
	gate, err := access.NewGate(access.Options{Now: clock})
	if err != nil {
		return nil, err
	}
	s := &Server{Site: site, mux: http.NewServeMux()}
	site.fleet = prevalence.New(site.hours, clock)
	s.API = handler.New(handler.Options{Site: site, Gate: gate, Now: clock, Report: trouble, Stream: handler.DefaultStreamOptions()})
	s.mux.Handle("/", console.New(func() report.Subject { return site.Standing().Subject }))
	for _, path := range []string{"/api/", "/-/", "/metrics"} {
		s.mux.Handle(path, s.API)
	}
	return s, nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Close ends all streams of events, and what is counted.
func (s *Server) Close() {
	s.API.Close()
	s.fleet.Close()
}

// Tick lets a step pass, and tells all consoles.
func (s *Server) Tick() {
	s.Pass(stepSeconds)
	s.API.Changed()
}

// Happen has the first incident become so many times slower, and tells all consoles.
func (s *Server) Happen(times float64) {
	s.API.Publish(s.Worsen(times))
	s.API.Changed()
}
