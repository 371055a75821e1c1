package handler

import (
	"errors"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/api"
)

// actions lists actions.
func (h *Handler) actions(r *http.Request) (any, error) {
	p := parametersOf(r)
	incident, limit := p.Text("incident"), p.Limit()
	if p.Err != nil {
		return nil, p.Err
	}
	list, err := h.Site.Actions(r.Context(), incident, limit)
	if err != nil {
		return nil, err
	}
	list.Actions = document.List(list.Actions)
	return list, nil
}

// action returns one action with all of its records.
func (h *Handler) action(r *http.Request) (any, error) {
	kept, err := h.Site.Action(r.Context(), r.PathValue("id"))
	if errors.Is(err, api.ErrNotFound) {
		return nil, noAction(r)
	}
	if err != nil {
		return nil, err
	}
	kept.Records = document.List(kept.Records)
	return kept, nil
}

func noAction(r *http.Request) error {
	return missingf("there is no action with the number %q; limpet act list prints the numbers", r.PathValue("id"))
}

// actionRequest reads an operator's command.
func actionRequest(r *http.Request, verbs ...api.ActionVerb) (body api.ActionRequest, err error) {
	if err := decode(r, &body); err != nil {
		return body, err
	}
	body.Text = strings.TrimSpace(body.Text)
	odd := func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError }
	switch {
	case len(body.Text) > maxCommandTextBytes:
		return body, badf("the field \"text\" has %d bytes, and at most %d bytes are allowed", len(body.Text), maxCommandTextBytes)
	case strings.ContainsFunc(body.Text, odd):
		return body, badf("the field \"text\" has control characters or several lines; write plain text on one line")
	}
	var known []string
	for _, v := range verbs {
		if body.Verb == v {
			return body, nil
		}
		known = append(known, string(v))
	}
	return body, badf("the field \"verb\" must be one of %s, not %q", strings.Join(known, ", "), body.Verb)
}

// actOn executes an operator's command about one action.
func (h *Handler) actOn(r *http.Request) (any, error) {
	body, err := actionRequest(r, api.Approve, api.Refuse, api.Undo)
	if err != nil {
		return nil, err
	}
	var out api.Action
	err = h.noted(r, api.Deed{Action: "action " + string(body.Verb), Object: r.PathValue("id"), Text: body.Text}, func() (err error) {
		out, err = h.Site.ActOn(r.Context(), r.PathValue("id"), body.Verb, access.From(r.Context()).Name, body.Text)
		return err
	})
	if errors.Is(err, api.ErrNotFound) {
		return nil, noAction(r)
	}
	return out, err
}

// switchActions stops all actions, or allows them again.
func (h *Handler) switchActions(r *http.Request) (any, error) {
	body, err := actionRequest(r, api.Stop, api.Resume)
	if err != nil {
		return nil, err
	}
	var out api.ActionSwitch
	err = h.noted(r, api.Deed{Action: "actions " + string(body.Verb), Text: body.Text}, func() (err error) {
		out, err = h.Site.SwitchActions(r.Context(), body.Verb == api.Stop, access.From(r.Context()).Name, body.Text)
		return err
	})
	return out, err
}
