package handler

import (
	"cmp"
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

// maxCommandTextBytes is the largest size of the text of a command.
const maxCommandTextBytes = 2000

// verbs are the verbs of the API.
var verbs = []command.Verb{command.Resolve, command.Accept, command.Mute, command.Unmute, command.Comment, api.Was}

// feedback executes an operator's command about an incident or a component.
func (h *Handler) feedback(r *http.Request) (any, error) {
	var body api.FeedbackRequest
	if err := decode(r, &body); err != nil {
		return nil, err
	}
	c := command.Command{
		Who: access.From(r.Context()).Name, Time: h.Now().Unix(), Verb: body.Verb,
		Incident: r.PathValue("id"), Name: body.Component, Text: strings.TrimSpace(body.Text), Until: int64(body.Until),
	}
	if err := h.check(&c); err != nil {
		return nil, err
	}
	var place string
	var err error
	if c.Incident, place, err = h.identify(r.Context(), c.Incident); err != nil {
		return nil, err
	}
	if c.Verb == api.Was {
		c.Verb = command.Label
	}
	var said api.Said
	err = h.noted(r, api.Deed{Action: string(body.Verb), Object: cmp.Or(c.Incident, c.Name), Text: textOf(&c)}, func() (err error) {
		said, err = h.Site.Apply(r.Context(), c)
		return err
	})
	if errors.Is(err, api.ErrNotFound) {
		return nil, h.now().noIncident(c.Incident)
	}
	said.Incident, said.Place = c.Incident, place
	return said, err
}

// textOf returns the text of a command for the audit trail: the end of a mute, and the words of the
// operator.
func textOf(c *command.Command) string {
	if c.Until == 0 {
		return c.Text
	}
	return strings.TrimSuffix("until "+time.Unix(c.Until, 0).UTC().Format(time.RFC3339)+": "+c.Text, ": ")
}

// check returns an error for a command that is incomplete or contradicts itself.
func (h *Handler) check(c *command.Command) error {
	odd := func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError }
	switch {
	case !slices.Contains(verbs, c.Verb):
		return badf("the field \"verb\" must be one of resolve, accept, mute, unmute, comment, was, not %q", c.Verb)
	case (c.Verb == command.Comment || c.Verb == api.Was) && c.Text == "":
		return badf("the verb %q needs a text; write the text into the field \"text\"", c.Verb)
	case len(c.Text) > maxCommandTextBytes:
		return badf("the field \"text\" has %d bytes, and at most %d bytes are allowed", len(c.Text), maxCommandTextBytes)
	case strings.ContainsFunc(c.Text, odd):
		return badf("the field \"text\" has control characters or several lines; write plain text on one line")
	case c.Until != 0 && c.Verb != command.Mute:
		return badf("the field \"until\" is only for the verb \"mute\"; remove the field")
	case c.Until != 0 && c.Until <= c.Time:
		return badf("the time in the field \"until\" is in the past; give a time in the future")
	case c.Incident != "" && c.Name != "":
		return badf("the path of the request already names an incident; remove the field \"component\"")
	case c.Incident == "" && c.Verb == api.Was:
		return badf("the verb \"was\" needs an incident; write the ID of the incident in the path of the request")
	case c.Incident == "" && c.Name == "":
		return badf("the field \"component\" is missing; name a component, or write the ID of an incident in the path of the request")
	case c.Incident == "" && len(h.Site.Result().Subject.System.Match(c.Name)) == 0:
		return missingf("no component has the name %q; write the name of a component as in a report, or the name of a server, controller, array or LUN", c.Name)
	}
	return nil
}

// noted writes an entry into the audit trail, makes the change, and then writes a second entry with
// the outcome. If the first entry cannot be written, noted does not make the change.
func (h *Handler) noted(r *http.Request, d api.Deed, do func() error) error {
	d.Time, d.User, d.Address = document.Time(h.Now().Unix()), access.From(r.Context()).Name, access.Address(r)
	d.Outcome = api.Asked
	if err := h.Site.Note(r.Context(), d); err != nil {
		h.Report(fmt.Errorf("the audit trail cannot be written: %w", err))
		return busyf("the change was not made, because it could not be written to the audit trail")
	}
	err := do()
	d.Outcome = outcomeOf(err)
	if lost := h.Site.Note(context.WithoutCancel(r.Context()), d); lost != nil {
		h.Report(fmt.Errorf("the audit trail cannot be written: %w", lost))
	}
	return err
}

// outcomeOf returns the outcome of a change for the audit trail.
func outcomeOf(err error) string {
	if refused, ok := errors.AsType[*api.Refusal](err); ok {
		return "refused: " + refused.Text
	}
	if err != nil {
		return "failed"
	}
	return api.Done
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

// backup sends an archive with all that is needed to continue on another machine.
func (h *Handler) backup(w *Response, r *http.Request) error {
	var none struct{}
	if err := decode(r, &none); err != nil {
		return err
	}
	if !h.backing.TryLock() {
		return busyf("another backup is running; try again when the other backup is complete")
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

// patientWriter gives each write its own deadline, because a whole backup may take long.
type patientWriter struct {
	w       io.Writer
	control *http.ResponseController
}

// longestWrite is the longest time that a client may take to read one part of a backup.
const longestWrite = 30 * time.Second

func (p *patientWriter) Write(b []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(longestWrite)) //nolint:forbidigo // a deadline of a connection needs the real clock
	return p.w.Write(b)
}
