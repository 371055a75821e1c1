package sitetest

import (
	"context"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/topology"
)

// Site is a simulated site. It stores feedback in memory.
type Site struct {
	plots   // numbers of the site
	mu      sync.Mutex
	result  *api.Result
	events  []api.Event
	said    map[string][]api.Said
	deeds   []api.Deed
	actions []api.ActionKept // latest first
	stopped api.ActionSwitch

	// Published is called with each event that feedback causes; nil: it is not called.
	Published func(api.Event)
	// Config is the configuration that is shown, and Reloaded is the answer to a reload.
	Config   any
	Reloaded api.Reloaded
	// NoteFails is the error of the audit trail. Fails is the error of the archive and of the
	// numbers. If they are nil, there are no errors.
	NoteFails, Fails error
}

type plots = api.Plots

// newSite returns a site without events or numbers.
func newSite(result *api.Result) *Site {
	return &Site{result: result, said: map[string][]api.Said{}}
}

// options returns the options of the diagnosis of all sites.
func options() engine.Options {
	return engine.Options{
		Method: "default", Detect: persistence.DefaultOptions(), Metrics: []string{metric.Await.Name}, Top: 10, Criteria: criteria.DefaultOptions(),
	}
}

// add adds an event. The caller holds the lock, or no other goroutine uses the site yet.
func (s *Site) add(change incident.Change, in *incident.Incident, at int64) api.Event {
	v := s.result.SentenceWriter()
	doc := document.OfIncident(v, in)
	e := api.Event{
		Number: int64(len(s.events) + 1), Time: document.Time(at), Change: change, ID: in.ID,
		Text: v.Event(&incident.Event{Time: at, Change: change, Incident: in}), Incident: &doc,
	}
	s.events = append(s.events, e)
	next := *s.result
	next.Event = e.Number
	s.result = &next
	return e
}

// Result returns the result of the diagnosis.
func (s *Site) Result() *api.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.result
}

// Happen adds n events of the first incident.
func (s *Site) Happen(n int) {
	for range n {
		s.mu.Lock()
		e := s.add(incident.Changed, &s.result.Incidents[0], s.result.To)
		s.mu.Unlock()
		if s.Published != nil {
			s.Published(e)
		}
	}
}

// Set changes the result of the diagnosis.
func (s *Site) Set(change func(*api.Result)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := *s.result
	change(&next)
	s.result = &next
}

// pass adds a row without any other change.
func (s *Site) pass(seconds int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := *s.result
	next.To += seconds
	s.result = &next
}

// worsen makes the first incident slower by the factor times, and returns the event.
func (s *Site) worsen(times float64) api.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := *s.result
	next.Incidents = slices.Clone(next.Incidents)
	in := next.Incidents[0].Clone()
	in.Severity, in.Members[0].Ratio = times, times
	in.Members[0].Effect.Times, in.Members[0].Effect.Low, in.Members[0].Effect.High = times, times*0.9, times*1.1
	next.Incidents[0] = in
	s.result = &next
	return s.add(incident.Changed, &in, next.To)
}

// Past lists incidents; the incident that began last is first.
func (s *Site) Past(_ context.Context, q api.PastQuery) ([]api.Record, error) {
	now := s.Result()
	list := slices.Clone(now.Incidents)
	slices.SortStableFunc(list, func(a, b incident.Incident) int { return int(b.Onset.At - a.Onset.At) })
	if at := slices.IndexFunc(list, func(in incident.Incident) bool { return in.ID == q.After }); q.After != "" && at >= 0 {
		list = list[at+1:]
	}
	out, sentences := []api.Record{}, now.SentenceWriter()
	for i := range list {
		if in := &list[i]; len(out) < q.Limit && s.chosen(in, &q, now.Subject.System) {
			out = append(out, api.Record{Incident: document.OfIncident(sentences, in), Section: api.SectionName(sentence.SectionOf(in)), Note: now.Notes[in.ID]})
		}
	}
	return out, s.Fails
}

// chosen reports whether an incident matches a query.
func (s *Site) chosen(in *incident.Incident, q *api.PastQuery, system *topology.System) bool {
	if q.Kind != "" && q.Kind != string(in.Kind) || q.To != 0 && in.Onset.At >= q.To || in.Cleared != 0 && in.Cleared <= q.From {
		return false
	}
	at, _ := system.Lookup(q.Component)
	member := slices.ContainsFunc(in.Members, func(m finding.Member) bool { return m.Component == at })
	return q.Component == "" || in.IsAt(q.Component) || member && system.Components[at].Name == q.Component
}

// Incident returns an incident with its whole history.
func (s *Site) Incident(_ context.Context, id string) (*api.Kept, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fails != nil {
		return nil, s.Fails
	}
	kept := &api.Kept{Said: s.said[id], Actions: s.actionsOf(id)}
	for _, e := range s.events {
		if e.ID == id {
			e.Incident = nil
			kept.Events = append(kept.Events, e)
		}
	}
	if len(kept.Events)+len(kept.Said) == 0 {
		return nil, api.ErrNotFound
	}
	return kept, nil
}

// Events returns the events after a number.
func (s *Site) Events(_ context.Context, after int64, limit int) ([]api.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if after >= int64(len(s.events)) {
		return nil, s.Fails
	}
	list := s.events[after:]
	return slices.Clone(list[:min(len(list), limit)]), s.Fails
}

// say adds earlier feedback to the site.
func (s *Site) say(id string, verb command.Verb, user, text string, at int64) {
	_, _ = s.Apply(context.Background(), command.Command{Incident: id, Verb: verb, Who: user, Text: text, Time: at})
}

// Apply executes an operator's command, and stores it.
func (s *Site) Apply(_ context.Context, c command.Command) (api.Said, error) {
	said := api.SaidOf(&c)
	if c.Incident == "" {
		return said, nil
	}
	e, err := s.take(&c, said)
	if e != nil && s.Published != nil {
		s.Published(*e)
	}
	return said, err
}

// take applies a command to its incident, and returns the event; nil: the incident does not change.
func (s *Site) take(c *command.Command, said api.Said) (*api.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.result.Incidents, func(in incident.Incident) bool { return in.ID == c.Incident })
	if at < 0 {
		return nil, api.ErrNotFound
	}
	next := *s.result
	next.Incidents, next.Notes = slices.Clone(next.Incidents), maps.Clone(next.Notes)
	in, note := next.Incidents[at].Clone(), next.Notes[c.Incident]
	if c.Verb == command.Resolve && in.Phase == incident.Cleared {
		return nil, &api.Refusal{Text: announce.NotResolved(in.ID, in.Ending).Text}
	}
	if c.Verb == command.Accept && !in.CanBeAccepted() {
		return nil, &api.Refusal{Text: announce.NotAccepted(in.ID).Text}
	}
	change := apply(&in, &note, c, said, next.To)
	next.Incidents[at], next.Notes[c.Incident] = in, note
	s.result, s.said[in.ID] = &next, append(s.said[in.ID], said)
	if change == "" {
		return nil, nil
	}
	e := s.add(change, &in, c.Time)
	return &e, nil
}

// apply changes an incident and its note by a command, and returns the change; empty: the incident
// does not change.
func apply(in *incident.Incident, note *api.Note, c *command.Command, said api.Said, now int64) incident.Change {
	switch c.Verb {
	case command.Resolve:
		in.Phase, in.Ending, in.Cleared = incident.Cleared, incident.Resolved, now
		return incident.Clears
	case command.Mute:
		in.Muted, note.MutedUntil, note.MutedBy = true, document.Time(c.Until), c.Who
		return incident.Mutes
	case command.Unmute:
		in.Muted, note.MutedUntil, note.MutedBy = false, 0, ""
		return incident.Unmutes
	case command.Comment:
		in.Comments = append(in.Comments, incident.Comment{Time: c.Time, Text: c.Text})
		return incident.Commented
	}
	note.Was = &said
	return ""
}

// Note adds an entry to the audit trail, or sets the outcome of the last entry that has none.
func (s *Site) Note(_ context.Context, d api.Deed) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.NoteFails != nil {
		return s.NoteFails
	}
	for i := range slices.Backward(s.deeds) {
		open := s.deeds[i]
		open.Number, open.Outcome = d.Number, d.Outcome
		if s.deeds[i].Outcome == api.Asked && d.Outcome != api.Asked && open == d {
			s.deeds[i].Outcome = d.Outcome
			return nil
		}
	}
	d.Number = int64(len(s.deeds) + 1)
	s.deeds = append(s.deeds, d)
	return nil
}

// Audit lists the audit trail, newest first.
func (s *Site) Audit(_ context.Context, before int64, limit int) ([]api.Deed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []api.Deed
	for _, d := range slices.Backward(s.deeds) {
		if (before == 0 || d.Number < before) && len(list) < limit {
			list = append(list, d)
		}
	}
	return list, nil
}

// Configuration returns Config.
func (s *Site) Configuration() any { return s.Config }

// Reload changes nothing.
func (s *Site) Reload(context.Context) (api.Reloaded, error) { return s.Reloaded, s.Fails }

// Backup writes a few bytes.
func (s *Site) Backup(_ context.Context, w io.Writer) error {
	if _, err := io.WriteString(w, "backup of "+s.Result().Subject.System.Name); err != nil {
		return err
	}
	return s.Fails
}
