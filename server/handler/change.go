package handler

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/api"
)

// maxSaidBytes bounds what an operator says at once.
const maxSaidBytes = 2000

// verbs are what an operator may say.
var verbs = []command.Verb{command.Resolve, command.Mute, command.Unmute, command.Comment, api.Was}

// feedback takes what an operator says of an incident or a component.
func (h *Handler) feedback(r *http.Request) (any, error) {
	var body api.FeedbackRequest
	if err := decode(r, &body); err != nil {
		return nil, err
	}
	f := api.Feedback{
		User: access.From(r.Context()).Name, Time: document.Time(h.Now().Unix()), Verb: body.Verb,
		Incident: r.PathValue("id"), Component: body.Component, Text: strings.TrimSpace(body.Text), Until: body.Until,
	}
	if err := h.check(&f); err != nil {
		return nil, err
	}
	object := f.Incident
	if object == "" {
		object = f.Component
	}
	var said api.Said
	err := h.noted(r, api.Deed{Action: string(f.Verb), Object: object, Text: f.Text}, func() (err error) {
		said, err = h.Site.Say(r.Context(), f)
		return err
	})
	if errors.Is(err, api.ErrNotFound) {
		return nil, missingf("there is no incident %q", f.Incident)
	}
	return said, err
}

// check says what is wrong with feedback.
func (h *Handler) check(f *api.Feedback) error {
	odd := func(c rune) bool { return unicode.IsControl(c) || c == utf8.RuneError }
	switch {
	case !slices.Contains(verbs, f.Verb):
		return badf("verb %q is unknown; use resolve, mute, unmute, comment or was", f.Verb)
	case (f.Verb == command.Comment || f.Verb == api.Was) && f.Text == "":
		return badf("%s needs a text", f.Verb)
	case len(f.Text) > maxSaidBytes:
		return badf("the text has %d bytes, and %d is the most", len(f.Text), maxSaidBytes)
	case strings.ContainsFunc(f.Text, odd):
		return badf("the text has characters that cannot be shown; write it on one line")
	case f.Until != 0 && f.Verb != command.Mute:
		return badf("until is for mute alone")
	case f.Until != 0 && f.Until <= f.Time:
		return badf("until lies in the past; name a later time")
	case f.Incident != "" && f.Component != "":
		return badf("the path names an incident already; leave component out")
	case f.Incident == "" && f.Verb == api.Was:
		return badf("was is said of an incident: name its ID in the path")
	case f.Incident == "" && f.Component == "":
		return badf("component is missing; name one, or an incident in the path")
	case f.Incident == "" && len(h.Site.Standing().Subject.System.Match(f.Component)) == 0:
		return missingf("no component is called %q; name it as the lists do, or by server, controller, array or LUN", f.Component)
	}
	return nil
}

// noted does something after it was written into the audit trail, where it is
// written, too, if it fails. What cannot be noted is not done.
func (h *Handler) noted(r *http.Request, d api.Deed, do func() error) error {
	d.Time, d.User, d.Address = document.Time(h.Now().Unix()), access.From(r.Context()).Name, access.Address(r)
	d.Outcome = api.Asked
	if err := h.Site.Note(r.Context(), d); err != nil {
		h.Report(fmt.Errorf("audit trail: %w", err))
		return busyf("nothing was changed, since it could not be written into the audit trail")
	}
	err := do()
	if err == nil {
		return nil
	}
	d.Outcome = "failed"
	if refused, ok := errors.AsType[*api.Refusal](err); ok {
		d.Outcome = "refused: " + refused.Text
	}
	if lost := h.Site.Note(context.WithoutCancel(r.Context()), d); lost != nil {
		h.Report(fmt.Errorf("audit trail: %w", lost))
	}
	return err
}

// reload reads configuration, topology and users again.
func (h *Handler) reload(r *http.Request) (any, error) {
	var none struct{}
	if err := decode(r, &none); err != nil {
		return nil, err
	}
	var out api.Reloaded
	err := h.noted(r, api.Deed{Action: "reload"}, func() (err error) {
		out, err = h.Site.Reload(r.Context())
		return err
	})
	out.Changed, out.Restart = document.List(out.Changed), document.List(out.Restart)
	return out, err
}

// backup sends all that is needed to go on elsewhere.
func (h *Handler) backup(w *Response, r *http.Request) error {
	var none struct{}
	if err := decode(r, &none); err != nil {
		return err
	}
	if !h.backing.TryLock() {
		return busyf("another backup is being made; wait until it is done")
	}
	defer h.backing.Unlock()
	w.Header().Set("Content-Type", "application/x-tar")
	w.Header().Set("Content-Disposition", `attachment; filename="limpet-backup.tar"`)
	w.Header().Set("Cache-Control", "no-store")
	w.Streams = true
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // the request has been read
	return h.noted(r, api.Deed{Action: "backup"}, func() error {
		return h.Site.Backup(r.Context(), &patientWriter{w, control})
	})
}

// patientWriter gives each write its own time, as the whole may take long.
type patientWriter struct {
	w       io.Writer
	control *http.ResponseController
}

// longestWrite is how long a client may take for a part of a backup.
const longestWrite = 30 * time.Second

func (p *patientWriter) Write(b []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(longestWrite)) //nolint:forbidigo // a network has a clock
	return p.w.Write(b)
}
