package handler

import (
	"net/http"

	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/api"
)

// Bounds of series.
const (
	daySeconds  = 24 * 3600
	usualPoints = 500
	mostPoints  = 5000
	usualDays   = 30
	mostDays    = 366 // quarter hours are kept for 366 days
)

// series returns the values of a component and of its peers over time.
func (h *Handler) series(r *http.Request) (any, error) {
	v, p := h.now(), parametersOf(r)
	q := api.SeriesQuery{
		Component: p.Text("component"), Metric: v.metric(p), What: p.One("what", api.Values, api.Scores),
		Points: int(p.Number("points", usualPoints, 2, mostPoints)),
	}
	q.From, q.To = p.Span(v.To, daySeconds)
	if err := v.checkComponent(q.Component, p); err != nil {
		return nil, err
	}
	s, err := h.Site.Series(r.Context(), q)
	if err != nil {
		return nil, err
	}
	out := *s
	out.Peers = document.List(out.Peers)
	return out, nil
}

// checkComponent returns the first error of the parameters, or an error if no component is named or the
// system does not have the component.
func (v *view) checkComponent(component string, p *parameters) error {
	if component == "" {
		p.Fail("the parameter \"component\" is missing; add the name of a component")
	}
	if p.Err != nil {
		return p.Err
	}
	if _, ok := v.Subject.System.Lookup(component); !ok {
		return missingf("no component has the name %q; the path /components lists all names", component)
	}
	return nil
}

// systemMap returns one value of every component at one time.
func (h *Handler) systemMap(r *http.Request) (any, error) {
	v, p := h.now(), parametersOf(r)
	q := api.MapQuery{Metric: v.metric(p), What: p.One("what", api.Values, api.Scores, api.P50, api.P99, api.Slowest), At: p.Time("at", 0)}
	names := p.One("names", "true", "false") == "true"
	if p.Err != nil {
		return nil, p.Err
	}
	m, err := h.Site.Map(r.Context(), q)
	if err != nil {
		return nil, err
	}
	out := *m
	if !names {
		out.Components = nil
	}
	return out, nil
}

// fleet returns how common limping is.
func (h *Handler) fleet(r *http.Request) (any, error) {
	p := parametersOf(r)
	q := api.FleetQuery{Days: int(p.Number("days", usualDays, 1, mostDays))}
	if p.Err != nil {
		return nil, p.Err
	}
	return h.Site.Fleet(r.Context(), q)
}
