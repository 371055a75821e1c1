package serve

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/console"
)

// withConsole serves the console at its paths, and the API at all other paths. The console shows
// names of the system, so it is served only to viewers.
func (s *Service) withConsole(api http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", api)
	page := s.viewers(console.New(func() report.Subject { return s.watch.Result().Subject }))
	mux.Handle("/{$}", page)
	mux.Handle(console.Prefix, page)
	return mux
}

// viewers passes requests on to next only if the caller is a viewer.
func (s *Service) viewers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, err := s.gate.Identify(r)
		switch {
		case err != nil:
			http.Error(w, err.Error(), refusal(w.Header(), err))
		case !caller.May(access.Viewer):
			http.Error(w, "user "+caller.Name+" may not read this: the role viewer is needed", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// refusal returns the HTTP status for a caller that is not admitted, and sets the matching headers.
func refusal(header http.Header, err error) int {
	var soon *access.TooSoon
	switch {
	case errors.As(err, &soon):
		header.Set("Retry-After", strconv.Itoa(soon.Seconds()))
		return http.StatusTooManyRequests
	case errors.Is(err, access.ErrHost):
		return http.StatusForbidden
	case errors.Is(err, access.ErrBusy):
		return http.StatusServiceUnavailable
	}
	header.Set("WWW-Authenticate", `Basic realm="limpet", charset="UTF-8"`)
	return http.StatusUnauthorized
}
