package handler

import (
	"net/http"

	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/api"
)

// maxBodyBytes is the largest size of the body of a command.
const maxBodyBytes = 64 << 10

// Routes returns all routes of the API.
func (h *Handler) Routes() []Route {
	type answer func(*http.Request) (any, error)
	get := func(role access.Role, path string, make answer, parameters ...string) Route {
		return Route{Method: http.MethodGet, Path: api.Base + path, Role: role, Parameters: parameters, Serve: answerJSON(make)}
	}
	post := func(path string, serve func(*Response, *http.Request) error) Route {
		return Route{Method: http.MethodPost, Path: api.Base + path, Role: access.Operator, Bytes: maxBodyBytes, Serve: serve}
	}
	list := []Route{
		{Method: http.MethodGet, Path: "/metrics", Role: access.Viewer, Serve: h.metrics},
		{Method: http.MethodGet, Path: "/-/healthy", Serve: h.healthy},
		{Method: http.MethodGet, Path: "/-/ready", Serve: h.ready},
		{Method: http.MethodGet, Path: api.Base + "/openapi.yaml", Serve: h.openapi},
		{Method: http.MethodGet, Path: api.Base + "/events", Role: access.Viewer, Parameters: []string{"after", "limit"}, Serve: h.events},
		get(access.Viewer, "/status", h.status),
		get(access.Viewer, "/diagnosis", h.diagnosis),
		get(access.Viewer, "/incidents", h.incidents, "section", "component", "kind", "limit", "after"),
		get(access.Viewer, "/incidents/past", h.past, "from", "to", "component", "kind", "limit", "after"),
		get(access.Viewer, "/incidents/{id}", h.incident),
		get(access.Viewer, "/groups", h.groups),
		get(access.Viewer, "/groups/{group}", h.group),
		get(access.Viewer, "/components", h.components, "find", "group", "limit", "after"),
		get(access.Viewer, "/components/{name...}", h.component),
		get(access.Viewer, "/series", h.series, "component", "metric", "what", "from", "to", "points"),
		get(access.Viewer, "/latencies", h.latencies, "component", "from", "to", "points"),
		get(access.Viewer, "/map", h.systemMap, "metric", "what", "at", "names"),
		get(access.Viewer, "/fleet", h.fleet, "days"),
		get(access.Viewer, "/sources", h.sources),
		get(access.Viewer, "/configuration", h.configuration),
		get(access.Viewer, "/actions", h.actions, "incident", "limit"),
		get(access.Viewer, "/actions/{id}", h.action),
		get(access.Operator, "/audit", h.audit, "before", "limit"),
		get(access.Operator, "/users", h.users),
		post("/incidents/{id}/feedback", answerJSON(h.feedback)),
		post("/feedback", answerJSON(h.feedback)),
		post("/actions/{id}/command", answerJSON(h.actOn)),
		post("/actions/command", answerJSON(h.switchActions)),
		post("/reload", answerJSON(h.reload)),
		post("/backup", h.backup),
	}
	for _, t := range h.Receivers {
		list = append(list, Route{
			Method: http.MethodPost, Path: t.Path, Role: access.Ingest, Bytes: t.Bytes, Receives: true,
			Serve: func(w *Response, r *http.Request) error {
				t.Handler.ServeHTTP(w, r)
				return nil
			},
		})
	}
	return list
}
