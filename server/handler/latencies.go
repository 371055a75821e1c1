package handler

import (
	"net/http"

	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/api"
)

// Bounds of the columns of heat maps.
const (
	usualColumns = 240
	mostColumns  = 1000
)

// latencies are how long the requests of a component and of its peers took.
func (h *Handler) latencies(r *http.Request) (any, error) {
	v, p := h.now(), parametersOf(r)
	q := api.LatenciesQuery{Component: p.Text("component"), Points: int(p.Number("points", usualColumns, 2, mostColumns))}
	q.From, q.To = p.Span(v.To, daySeconds)
	if err := v.checkComponent(q.Component, p); err != nil {
		return nil, err
	}
	l, err := h.Site.Latencies(r.Context(), q)
	if err != nil {
		return nil, err
	}
	out := *l
	out.Bounds, out.Longer = document.List(out.Bounds), document.List(out.Longer)
	out.Own, out.Others, out.Peers = document.List(out.Own), document.List(out.Others), document.List(out.Peers)
	return out, nil
}
