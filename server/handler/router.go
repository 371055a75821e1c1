package handler

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/server/access"
)

// Route is a kind of request that the server answers.
type Route struct {
	Method     string
	Path       string // a pattern of net/http
	Role       access.Role
	Parameters []string // parameters of the query; others are refused
	Bytes      int64    // largest size of the body
	// Receives is true if the function Serve itself checks the type of the body and the parameters.
	// Otherwise the body must be JSON.
	Receives bool
	Serve    func(*Response, *http.Request) error
}

// options are the options of a router.
type options struct {
	Gate *access.Gate
	Now  func() time.Time
	// Report is called with errors whose text the client must not see.
	Report func(error)
	// Translate converts errors that the client may see into problems; nil: the client may see only
	// errors that are already problems.
	Translate func(error) error
	// Answered is called after every answer, with the path of its route.
	Answered func(path string, status int, took time.Duration, stream bool)
	// Nothing is the text of the answer if no route matches.
	Nothing string
}

// Bounds of answers.
const (
	answersAtOnce = 32
	waitForAnswer = 2 * time.Second
	smallAnswer   = 64 << 10
	maxHeldBytes  = 128 << 20        // largest size of all large answers that clients have not read yet
	longestAnswer = 30 * time.Second // longest time in which a function must return its answer
)

// A router answers requests along a table of routes.
type router struct {
	options
	mux       *http.ServeMux
	origin    *http.CrossOriginProtection
	answering chan struct{}
	held      atomic.Int64 // number of bytes of large answers that clients have not read yet
}

// newRouter returns a router for a table of routes.
func newRouter(o options, table []Route) *router {
	t := &router{options: o, mux: http.NewServeMux(), origin: http.NewCrossOriginProtection(), answering: make(chan struct{}, answersAtOnce)}
	paths := map[string][]Route{"/": nil}
	for _, route := range table {
		paths[route.Path] = append(paths[route.Path], route)
	}
	for path, routes := range paths {
		t.mux.Handle(path, &endpoint{t, path, routes})
	}
	return t
}

// ServeHTTP answers a request.
func (t *router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	t.mux.ServeHTTP(w, r)
}

// secure sets headers that forbid browsers to run scripts, to show the answer inside another page,
// and to send the address of the page to other sites.
func secure(header http.Header) {
	header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// endpoint is a path with its methods.
type endpoint struct {
	*router
	path   string
	routes []Route
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := e.Now()
	out := &Response{ResponseWriter: w, router: e.router}
	defer func() {
		v := recover()
		if v != nil && v != http.ErrAbortHandler {
			e.Report(fmt.Errorf("a request for %s failed because of an error in limpet: %v; report this error to the developers", e.path, v))
			if out.code == 0 {
				writeError(out, http.StatusInternalServerError, unanswered)
			}
		}
		e.Answered(e.path, out.status(), e.Now().Sub(began), out.Streams)
		if v == http.ErrAbortHandler { // net/http closes the connection
			panic(v)
		}
	}()
	if err := e.serve(out, r); err != nil {
		e.fail(out, r, err)
	}
}

// serve finds the route, checks that the caller may use it, and answers.
func (e *endpoint) serve(w *Response, r *http.Request) error {
	if len(e.routes) == 0 {
		return &problem{http.StatusNotFound, e.Nothing}
	}
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	at := slices.IndexFunc(e.routes, func(t Route) bool { return t.Method == method })
	if at < 0 {
		return e.wrongMethod(w, r)
	}
	r, err := e.admit(w, r, &e.routes[at])
	if err != nil {
		return err
	}
	return e.routes[at].Serve(w, r)
}

func (e *endpoint) wrongMethod(w http.ResponseWriter, r *http.Request) error {
	var allowed []string
	for _, t := range e.routes {
		allowed = append(allowed, t.Method)
	}
	slices.Sort(allowed)
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return &problem{http.StatusMethodNotAllowed, fmt.Sprintf("the HTTP method %s is not possible for this path; use %s", r.Method, strings.Join(allowed, " or "))}
}

// admit checks a request, and returns it with its caller, or an error that says why it is refused.
func (e *endpoint) admit(w http.ResponseWriter, r *http.Request, route *Route) (*http.Request, error) {
	if route.Role != access.Anyone {
		caller, err := e.Gate.Identify(r)
		if err != nil {
			return nil, forSender(err, route)
		}
		if !caller.May(route.Role) {
			return nil, &problem{http.StatusForbidden, fmt.Sprintf("user %s may not send this request: the role %s is needed", caller.Name, route.Role)}
		}
		r = r.WithContext(access.With(r.Context(), caller))
	}
	if err := e.origin.Check(r); err != nil {
		return nil, &problem{http.StatusForbidden, "the request is refused, because a web page of another site sent the request"}
	}
	if route.Method == http.MethodPost && !route.Receives && !isJSON(r) {
		return nil, &problem{http.StatusUnsupportedMediaType, "the body must be JSON; send the body with the header Content-Type: application/json"}
	}
	if r.ContentLength > route.Bytes {
		w.Header().Set("Connection", "close") // the rest of the body is not read
		return nil, &problem{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body of the request has %d bytes, and at most %d bytes are allowed", r.ContentLength, route.Bytes)}
	}
	r.Body = http.MaxBytesReader(w, r.Body, route.Bytes)
	return r, checkParameters(r, route)
}

// forSender changes the status 429 to 503 for senders of samples: Prometheus discards samples after
// the status 429, and sends them again after 503.
func forSender(err error, route *Route) error {
	if soon, ok := errors.AsType[*access.TooSoon](err); ok && route.Receives {
		return busyf("%v", soon)
	}
	return err
}
