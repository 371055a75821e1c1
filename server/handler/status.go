package handler

import (
	"net/http"

	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/api"
)

func (h *Handler) metrics(w *Response, r *http.Request) error {
	h.Metrics.Handler().ServeHTTP(w, r)
	return nil
}

func (h *Handler) healthy(w *Response, _ *http.Request) error {
	w.Text(http.StatusOK, "limpet is running.")
	return nil
}

// ready reports whether the backlog was read, and if not, the progress.
func (h *Handler) ready(w *Response, _ *http.Request) error {
	if why := h.Site.Result().Waiting; why != "" {
		w.Text(http.StatusServiceUnavailable, why)
		return nil
	}
	w.Text(http.StatusOK, "limpet is ready: it has read all older data.")
	return nil
}

func (h *Handler) openapi(w *Response, r *http.Request) error {
	return w.Body(r, "application/yaml", api.Description)
}

func (h *Handler) status(r *http.Request) (any, error) {
	s, caller := h.Site.Result(), access.From(r.Context())
	return api.Status{
		Version: s.Subject.Version, System: s.Subject.System.Name, Ready: s.Waiting == "", Waiting: s.Waiting,
		At: document.Time(s.To), Verdict: s.Verdict, NothingLimps: s.NothingLimps, Event: s.Event, User: caller.Name,
		Roles:   document.Each(caller.Roles, func(role access.Role) string { return string(role) }),
		Sources: document.List(s.Sources), Troubles: document.List(s.Troubles), Warnings: document.List(s.Cautions()),
		Receivers: document.List(s.Receivers), AlertsDecidedBy: s.AlertsDecidedBy, AlertsDecidedTo: document.Time(s.AlertsDecidedTo),
	}, nil
}

func (h *Handler) sources(*http.Request) (any, error) {
	s := h.Site.Result()
	return api.SourceList{Sources: document.List(s.Sources), Troubles: document.List(s.Troubles)}, nil
}

// users lists the users who may log in, sorted by name. An open server has none.
func (h *Handler) users(*http.Request) (any, error) {
	return api.UserList{Open: h.Gate.Open(), Users: document.Each(h.Gate.Users(), func(u access.User) api.User {
		return api.User{Name: u.Name, How: u.How, Roles: document.Each(u.Roles, func(role access.Role) string { return string(role) })}
	})}, nil
}

func (h *Handler) audit(r *http.Request) (any, error) {
	p := parametersOf(r)
	before, limit := p.Number("before", 0, 1, 1<<62), p.Limit()
	if p.Err != nil {
		return nil, p.Err
	}
	deeds, err := h.Site.Audit(r.Context(), before, limit)
	if err != nil {
		return nil, err
	}
	out := api.AuditList{Deeds: document.List(deeds)}
	if n := len(deeds); n == limit {
		out.Next = deeds[n-1].Number
	}
	return out, nil
}

// configuration returns the configuration of the server. The site has already removed secrets;
// values whose keys look like secrets are also removed here.
func (h *Handler) configuration(*http.Request) (any, error) {
	v, err := withoutSecrets(h.Site.Configuration())
	return map[string]any{"configuration": v}, err
}
