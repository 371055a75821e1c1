package handler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/api"
)

func (h *Handler) diagnosis(*http.Request) (any, error) { return h.now().diagnosis() }

// incidents lists how incidents stand.
func (h *Handler) incidents(r *http.Request) (any, error) {
	v, p := h.now(), parametersOf(r)
	c := choice{sections: p.Some("section", api.Sections()), kind: p.Text("kind"), limit: p.Limit()}
	if c.component = p.Text("component"); c.component != "" {
		c.members = v.Subject.System.Match(c.component)
	}
	if p.Err != nil {
		return nil, p.Err
	}
	out := api.IncidentList{At: document.Time(v.To), Stale: h.stale(v), Verdict: v.Verdict, Incidents: []api.Record{}, Suspects: []document.Incident{}}
	from, err := v.follows(p.Text("after"))
	if err != nil {
		return nil, err
	}
	for i := from; i < len(v.Incidents); i++ {
		if !c.takes(&v.records()[i], &v.Incidents[i]) {
			continue
		}
		if len(out.Incidents) == c.limit {
			out.Next = out.Incidents[c.limit-1].Incident.ID
			break
		}
		out.Incidents = append(out.Incidents, v.records()[i])
	}
	if from == 0 && slices.Contains(c.sections, "suspected") {
		for i := range v.Suspects {
			if c.shows(&v.Suspects[i].Incident) {
				out.Suspects = append(out.Suspects, v.suspects()[i])
			}
		}
	}
	return out, nil
}

// Data that are older than both are stale: what they show is how things stood.
const (
	staleSeconds = 3600
	staleSteps   = 20
)

// stale says how old the newest data are, where that is long; nothing where they are
// fresh, or where there are none.
func (h *Handler) stale(v *view) string {
	old := h.Now().Unix() - v.To
	if v.To == 0 || old <= max(staleSeconds, staleSteps*v.Subject.Schema.StepSeconds) {
		return ""
	}
	return fmt.Sprintf("The newest data are %s old: this is the state at %s.", english.Age(old), v.sentences.Time(v.To))
}

// follows is the index of the incident that comes after one.
func (v *view) follows(id string) (int, error) {
	if id == "" {
		return 0, nil
	}
	at := v.find(id)
	if at < 0 {
		return 0, badf("the parameter \"after\" is not the ID of an incident in this list; request the first page again, without \"after\"")
	}
	return at + 1, nil
}

func (v *view) find(id string) int {
	return slices.IndexFunc(v.Incidents, func(in incident.Incident) bool { return in.ID == id && id != "" })
}

// listed returns the ID of the incident that is listed now under the given ID, or else of the only
// listed incident whose ID begins with the given text. If none is listed it returns the text, as the
// archive may have it.
func (v *view) listed(text string) (string, error) {
	if v.find(text) >= 0 || len(text) < ledger.FewestDigits {
		return text, nil
	}
	var ids []string
	for i := range v.Incidents {
		if strings.HasPrefix(v.Incidents[i].ID, text) {
			ids = append(ids, v.Incidents[i].ID)
		}
	}
	switch len(ids) {
	case 0:
		return text, nil
	case 1:
		return ids[0], nil
	}
	return "", &api.Refusal{Text: (&ledger.AmbiguousError{Beginning: text, IDs: ids[:2]}).Error()}
}

// noIncident is the error for an ID that no incident has. A text that is too short may be the
// beginning of an ID.
func noIncident(id string) error {
	if len(id) < ledger.FewestDigits {
		return missingf("no incident has the ID %q: give the whole ID, or at least its first %d characters", id, ledger.FewestDigits)
	}
	return missingf("no incident has the ID %q; limpet incidents --all lists the IDs", id)
}

// fullID returns the ID of the incident, listed or archived, that a text is the ID of or the
// beginning of.
func (h *Handler) fullID(ctx context.Context, text string) (string, error) {
	v := h.now()
	id, err := v.listed(text)
	if err != nil || text == "" || v.find(id) >= 0 {
		return id, err
	}
	kept, err := h.Site.Incident(ctx, id)
	switch {
	case errors.Is(err, api.ErrNotFound) && len(text) < ledger.FewestDigits:
		return "", noIncident(text)
	case errors.Is(err, api.ErrNotFound):
		return id, nil
	case err != nil:
		return "", err
	}
	return cmp.Or(kept.Incident.ID, id), nil
}

// choice is which incidents are listed.
type choice struct {
	sections  []string
	component string
	members   []int // that the component stands for
	kind      string
	limit     int
}

func (c *choice) takes(record *api.Record, in *incident.Incident) bool {
	return slices.Contains(c.sections, record.Section) && c.shows(in)
}

func (c *choice) shows(in *incident.Incident) bool {
	if c.kind != "" && c.kind != string(in.Kind) {
		return false
	}
	return c.component == "" || in.IsAt(c.component) || slices.ContainsFunc(c.members, func(i int) bool { return isMember(in, i) })
}

func isMember(in *incident.Incident, component int) bool {
	for i := range in.Members {
		if in.Members[i].Component == component {
			return true
		}
	}
	return false
}

// past lists incidents of the archive.
func (h *Handler) past(r *http.Request) (any, error) {
	p := parametersOf(r)
	q := api.PastQuery{
		From: p.Time("from", 0), To: p.Time("to", 0), Component: p.Text("component"), Kind: p.Text("kind"),
		After: p.Text("after"), Limit: p.Limit(),
	}
	if q.To != 0 && q.From >= q.To {
		p.Fail("the time \"from\" must be before the time \"to\"")
	}
	if p.Err != nil {
		return nil, p.Err
	}
	list, err := h.Site.Past(r.Context(), q)
	if err != nil {
		return nil, err
	}
	v, out := h.now(), api.PastList{Incidents: []api.Record{}}
	for i := range list {
		out.Incidents = append(out.Incidents, v.latest(list[i]))
	}
	if n := len(list); n == q.Limit {
		out.Next = list[n-1].Incident.ID
	}
	return out, nil
}

// latest returns the record of an incident as it stands now, and the archived record
// where the incident is no longer listed.
func (v *view) latest(archived api.Record) api.Record {
	if at := v.find(archived.Incident.ID); at >= 0 {
		return v.records()[at]
	}
	archived.Incident = document.Served(v.sentences, archived.Incident)
	return archived
}

// incident is one with all that happened to it.
func (h *Handler) incident(r *http.Request) (any, error) {
	v, id := h.now(), r.PathValue("id")
	id, err := v.listed(id)
	if err != nil {
		return nil, err
	}
	at := v.find(id)
	kept, err := h.Site.Incident(r.Context(), id)
	switch {
	case errors.Is(err, api.ErrNotFound) && at >= 0:
		kept = &api.Kept{}
	case errors.Is(err, api.ErrNotFound):
		return nil, noIncident(id)
	case err != nil:
		return nil, err
	}
	out := *kept
	if at < 0 { // the archive may know the incident by the beginning of its ID
		at = v.find(out.Incident.ID)
	}
	if at >= 0 {
		out.Record = v.records()[at]
	} else {
		out.Incident = document.Served(v.sentences, out.Incident)
	}
	out.Stale = h.stale(v)
	out.Events, out.Said, out.Actions = document.List(out.Events), document.List(out.Said), document.List(out.Actions)
	return out, nil
}
