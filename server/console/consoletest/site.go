package consoletest

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/api/apitest"
	"github.com/limpet-storage/limpet/server/prevalence"
)

// Site is a made-up one. It takes feedback and keeps it in memory.
type Site struct {
	world  *world
	memory *report.Ongoing
	fleet  *prevalence.Keeper

	mu       sync.Mutex
	standing *api.Standing
	events   []api.Event
	said     map[string][]api.Said
	deeds    []api.Deed
}

func newSite(s *story, servers int) *Site {
	system := s.world.system
	subject := report.Subject{
		System: system, Version: "0.9.0", Schema: table.Schema{StepSeconds: stepSeconds, Metrics: metric.Device(), Components: len(system.Components)},
		Options: engine.Options{Method: "default", Detect: persistence.DefaultOptions(), Metrics: []string{metric.Await.Name}, Top: 10},
	}
	site := &Site{world: s.world, memory: report.NewOngoing(subject), said: map[string][]api.Said{}}
	windows := s.windows()
	for i := range windows {
		site.memory.Window(&windows[i])
	}
	site.standing = &api.Standing{
		Subject: subject, Standing: site.memory.At(s.summary()), Windows: windows, Notes: map[string]api.Note{}, Opened: int64(len(s.incidents)),
		Sources: []api.Source{
			{Name: "/var/log/sa", Kind: "activity", State: api.SourceLive, Last: document.Time(s.now), Samples: int64(servers) * 40320, Text: "all servers but the silent ones are up to date"},
			{Name: "prometheus-a", Kind: "push", State: api.SourceLate, Last: document.Time(s.now - 95), LagSeconds: 95, Samples: 91_204, Dropped: 12, Text: "it is 95 s behind the others; look at the sender's queue; not used: 12 too late"},
		},
		Troubles: []api.Trouble{},
	}
	for _, in := range slices.Backward(s.incidents) {
		site.happened(&in)
	}
	return site
}

// happened adds the events of an incident up to now.
func (s *Site) happened(in *incident.Incident) {
	s.add(incident.Opened, in, in.Confirmed)
	if in.Phase == incident.Cleared {
		s.add(incident.Recovers, in, in.Last+600)
		s.add(incident.Clears, in, in.Cleared)
	}
}

// add keeps an event. The lock is held, or nobody else has the site yet.
func (s *Site) add(change incident.Change, in *incident.Incident, at int64) api.Event {
	v := s.standing.SentenceWriter()
	doc := document.OfIncident(v, in)
	e := api.Event{
		Number: int64(len(s.events) + 1), Time: document.Time(at), Change: change, ID: in.ID,
		Text: v.Event(&incident.Event{Time: at, Change: change, Incident: in}), Incident: &doc,
	}
	s.events = append(s.events, e)
	next := *s.standing
	next.Event = e.Number
	s.standing = &next
	return e
}

// Standing is how things stand.
func (s *Site) Standing() *api.Standing {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.standing
}

// Pass lets time pass: one more row, nothing else.
func (s *Site) Pass(seconds int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := *s.standing
	next.To += seconds
	s.standing = &next
}

// Worsen changes the first incident, and returns the event.
func (s *Site) Worsen(times float64) api.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := *s.standing
	next.Incidents = slices.Clone(next.Incidents)
	in := next.Incidents[0].Clone()
	in.Severity, in.Members[0].Ratio = times, times
	in.Members[0].Effect.Times, in.Members[0].Effect.Low, in.Members[0].Effect.High = times, times*0.9, times*1.1
	next.Incidents[0] = in
	s.standing = &next
	return s.add(incident.Changed, &in, next.To)
}

// Past lists incidents, those that began last first.
func (s *Site) Past(_ context.Context, q api.PastQuery) ([]api.Record, error) {
	now := s.Standing()
	list := slices.Clone(now.Incidents)
	slices.SortStableFunc(list, func(a, b incident.Incident) int { return int(b.Onset.At - a.Onset.At) })
	if at := slices.IndexFunc(list, func(in incident.Incident) bool { return in.ID == q.After }); q.After != "" && at >= 0 {
		list = list[at+1:]
	}
	out, voice := []api.Record{}, now.SentenceWriter()
	for i := range list {
		if in := &list[i]; len(out) < q.Limit && s.chosen(in, &q) {
			out = append(out, api.Record{Incident: document.OfIncident(voice, in), Section: api.SectionName(sentence.SectionOf(in)), Note: now.Notes[in.ID]})
		}
	}
	return out, nil
}

func (s *Site) chosen(in *incident.Incident, q *api.PastQuery) bool {
	if q.Kind != "" && q.Kind != string(in.Kind) || q.To != 0 && in.Onset.At >= q.To || in.Cleared != 0 && in.Cleared <= q.From {
		return false
	}
	at, _ := s.world.system.Lookup(q.Component)
	member := slices.ContainsFunc(in.Members, func(m finding.Member) bool { return m.Component == at })
	return q.Component == "" || q.Component == in.Place.Name || member && s.world.system.Components[at].Name == q.Component
}

// Incident is one with all that happened to it.
func (s *Site) Incident(_ context.Context, id string) (*api.Kept, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := &api.Kept{Said: s.said[id]}
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

// Events are those after a number.
func (s *Site) Events(_ context.Context, after int64, limit int) ([]api.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if after >= int64(len(s.events)) {
		return nil, nil
	}
	list := s.events[after:]
	return slices.Clone(list[:min(len(list), limit)]), nil
}

// say puts feedback into the site's past.
func (s *Site) say(id string, verb command.Verb, user, text string, at int64) {
	_, _ = s.Apply(context.Background(), command.Command{Incident: id, Verb: verb, Who: user, Text: text, Time: at})
}

// Apply executes an operator's command, and keeps it.
func (s *Site) Apply(_ context.Context, c command.Command) (api.Said, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	said := api.SaidOf(&c)
	at := slices.IndexFunc(s.standing.Incidents, func(in incident.Incident) bool { return in.ID == c.Incident })
	if c.Incident == "" {
		return said, nil
	}
	if at < 0 {
		return said, api.ErrNotFound
	}
	next := *s.standing
	next.Incidents, next.Notes = slices.Clone(next.Incidents), map[string]api.Note{}
	for id, note := range s.standing.Notes {
		next.Notes[id] = note
	}
	in, note := next.Incidents[at].Clone(), next.Notes[c.Incident]
	change := apitest.Apply(&in, &note, &c, said, next.To)
	next.Incidents[at], next.Notes[c.Incident] = in, note
	s.standing, s.said[in.ID] = &next, append(s.said[in.ID], said)
	if change != "" {
		s.add(change, &in, c.Time)
	}
	return said, nil
}

// Note writes into the audit trail.
func (s *Site) Note(_ context.Context, d api.Deed) error {
	s.mu.Lock()
	defer s.mu.Unlock()
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

// Configuration is what the site was told to do.
func (s *Site) Configuration() any {
	return map[string]any{"listen": "127.0.0.1:9714", "state": "/var/lib/limpet", "sources": []any{map[string]any{"activity": "/var/log/sa"}, map[string]any{"push": "prometheus-a", "token_file": "/etc/limpet/push.token"}}}
}

// Reload changes nothing.
func (s *Site) Reload(context.Context) (api.Reloaded, error) { return api.Reloaded{}, nil }

// Backup writes a few bytes.
func (s *Site) Backup(_ context.Context, w io.Writer) error {
	_, err := io.Copy(w, strings.NewReader("backup of "+s.world.system.Name))
	return err
}
