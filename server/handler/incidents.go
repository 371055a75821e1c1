package handler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/server/api"
)

func (h *Handler) diagnosis(*http.Request) (any, error) { return h.now().diagnosis() }

// incidents lists the current incidents and suspects.
func (h *Handler) incidents(r *http.Request) (any, error) {
	v, p := h.now(), parametersOf(r)
	c := choice{sections: p.Some("section", api.Sections()), kind: p.Text("kind"), limit: p.Limit()}
	if c.component = p.Text("component"); c.component != "" {
		c.members = v.Subject.System.Match(c.component)
	}
	if p.Err != nil {
		return nil, p.Err
	}
	if len(v.Subject.System.Components) > 0 && c.namesNothing(v) {
		return nil, missingf("no component, server, controller, array or LUN has the name %q; limpet topology show lists the names", c.component)
	}
	out := api.IncidentList{At: document.Time(v.To), Stale: h.stale(v), Verdict: c.verdict(v), Incidents: []api.Record{}, Suspects: []document.Incident{}}
	from, err := v.follows(p.Text("after"))
	if err != nil {
		return nil, err
	}
	out.LeftOut = c.countLeftOut(v)
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

// Data older than staleSeconds and than staleSteps steps are stale: they show the past, not the
// present.
const (
	staleSeconds = 3600
	staleSteps   = 20
)

// stale returns a sentence with the age of the newest data if they are stale; empty: they are
// fresh, or there are none.
func (h *Handler) stale(v *view) string {
	old := h.Now().Unix() - v.To
	if v.To == 0 || old <= max(staleSeconds, staleSteps*v.Subject.Schema.StepSeconds) {
		return ""
	}
	return fmt.Sprintf("The newest data are %s old: this is the state at %s.", english.Age(old), v.sentences.Time(v.To))
}

// follows returns the index of the incident after the incident with the given ID; 0: no ID is
// given.
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

// listed returns the full ID of a listed incident: the incident with this ID, or the only incident
// whose ID begins with the text. If no incident is listed, listed returns the text, because the
// archive may have the incident.
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

// noIncident returns the error for an ID that no incident has. If the text is the name of a component,
// the error names the list of the component's incidents. If the text is too short to find an incident
// by the beginning of its ID, the error says so.
func (v *view) noIncident(id string) error {
	switch {
	case len(v.Subject.System.Match(id)) > 0:
		return missingf("no incident has the ID %q; to list the incidents of a component, run limpet incidents --component %s", id, action.Quote(id))
	case len(id) < ledger.FewestDigits:
		return missingf("no incident has the ID %q: give the whole ID, or at least its first %d characters", id, ledger.FewestDigits)
	}
	return missingf("no incident has the ID %q; limpet incidents --all lists the IDs", id)
}

// identify returns the full ID and the place of a listed or archived incident. The text is its ID, or
// the beginning of its ID.
func (h *Handler) identify(ctx context.Context, text string) (id, place string, err error) {
	v := h.now()
	id, err = v.listed(text)
	if err != nil || text == "" {
		return id, "", err
	}
	if at := v.find(id); at >= 0 {
		return id, sentence.Placed(&v.Incidents[at]), nil
	}
	kept, err := h.Site.Incident(ctx, id)
	switch {
	case errors.Is(err, api.ErrNotFound) && (len(text) < ledger.FewestDigits || len(v.Subject.System.Match(text)) > 0):
		return "", "", v.noIncident(text)
	case errors.Is(err, api.ErrNotFound):
		return id, "", nil
	case err != nil:
		return "", "", err
	}
	in := incident.Incident{Place: blame.Place(kept.Incident.Place)}
	for _, p := range kept.Incident.Joined {
		in.Joined = append(in.Joined, blame.Place(p))
	}
	return cmp.Or(kept.Incident.ID, id), sentence.Placed(&in), nil
}

// choice selects the incidents that are listed.
type choice struct {
	sections  []string
	component string
	members   []int // indices of the components that match the name component
	kind      string
	limit     int
}

// namesNothing reports whether neither a component nor an incident has the name that is chosen.
func (c *choice) namesNothing(v *view) bool {
	return c.component != "" && len(c.members) == 0 && !slices.ContainsFunc(v.Incidents, func(in incident.Incident) bool { return in.IsAt(c.component) })
}

// verdict returns the verdict about the component that is chosen, with the verdict about the whole
// system behind it. A list of one incident below the number of all incidents would look incomplete.
func (c *choice) verdict(v *view) string {
	_, whole, ok := strings.Cut(v.Verdict, ": ")
	if c.component == "" || !ok || len(v.Incidents)+len(v.Suspects) == 0 {
		return v.Verdict
	}
	of, suspects := *c, 0
	of.kind = ""
	var incidents []incident.Incident
	for i := range v.Incidents {
		if of.shows(&v.Incidents[i]) {
			incidents = append(incidents, v.Incidents[i])
		}
	}
	for i := range v.Suspects {
		if of.shows(&v.Suspects[i].Incident) {
			suspects++
		}
	}
	return fmt.Sprintf("%s at %s; in the whole system: %s", v.sentences.Tally(v.To, incidents, suspects), c.component, whole)
}

func (c *choice) takes(record *api.Record, in *incident.Incident) bool {
	return slices.Contains(c.sections, record.Section) && c.shows(in)
}

// countLeftOut returns the number of incidents that are listed in sections that were not requested.
func (c *choice) countLeftOut(v *view) (n int) {
	for i := range v.Incidents {
		if c.shows(&v.Incidents[i]) && !c.takes(&v.records()[i], &v.Incidents[i]) {
			n++
		}
	}
	return n
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

// latest returns the current record of an incident. If the incident is no longer listed, latest
// returns the archived record.
func (v *view) latest(archived api.Record) api.Record {
	if at := v.find(archived.Incident.ID); at >= 0 {
		return v.records()[at]
	}
	archived.Incident = document.Served(v.sentences, archived.Incident)
	return archived
}

// incident returns an incident with its whole history.
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
		return nil, v.noIncident(id)
	case err != nil:
		return nil, err
	}
	out := *kept
	if at < 0 { // the archive can find the incident by the beginning of its ID
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
