package apitest

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/heatmap"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/server/api"
)

// Site is a made-up one.
type Site struct {
	mu       sync.Mutex
	standing *api.Standing
	events   []api.Event
	said     map[string][]api.Said
	deeds    []api.Deed

	// Published is told of each event that feedback makes; nil: nobody.
	Published func(api.Event)
	// Config is the configuration that is shown.
	Config any
	// NoteFails has the audit trail fail, and Fails everything that is asked of the
	// archive.
	NoteFails, Fails error
}

// New returns a site on which a LUN limps.
func New() *Site {
	s := &Site{standing: MakeStanding(), said: map[string][]api.Said{}, Config: map[string]any{"listen": "127.0.0.1:9714", "token": "canary-secret"}}
	for i := range s.standing.Incidents {
		if in := &s.standing.Incidents[i]; in.Phase == incident.Active {
			s.add(incident.Opened, in)
		}
	}
	return s
}

// add keeps an event. The lock is held, or nobody else has the site yet.
func (s *Site) add(change incident.Change, in *incident.Incident) api.Event {
	v := s.standing.SentenceWriter()
	doc := document.OfIncident(v, in)
	e := api.Event{
		Number: int64(len(s.events) + 1), Time: document.Time(s.standing.To), Change: change, ID: in.ID,
		Text: v.Event(&incident.Event{Time: s.standing.To, Change: change, Incident: in}), Incident: &doc,
	}
	s.events = append(s.events, e)
	next := *s.standing
	next.Event = e.Number
	s.standing = &next
	return e
}

// Happen makes up so many events.
func (s *Site) Happen(n int) {
	for range n {
		s.mu.Lock()
		e := s.add(incident.Changed, &s.standing.Incidents[0])
		s.mu.Unlock()
		s.publish(e)
	}
}

func (s *Site) publish(e api.Event) {
	if s.Published != nil {
		s.Published(e)
	}
}

// Set changes how things stand.
func (s *Site) Set(change func(*api.Standing)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := *s.standing
	change(&next)
	s.standing = &next
}

// Standing is how things stand.
func (s *Site) Standing() *api.Standing {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.standing
}

// Past lists incidents, those that began last first.
func (s *Site) Past(_ context.Context, q api.PastQuery) ([]api.Record, error) {
	now := s.Standing()
	list := slices.Clone(now.Incidents)
	slices.SortStableFunc(list, func(a, b incident.Incident) int { return int(b.Onset.At - a.Onset.At) })
	if at := slices.IndexFunc(list, func(in incident.Incident) bool { return in.ID == q.After }); at >= 0 {
		list = list[at+1:]
	}
	out := []api.Record{}
	for i := range list {
		in := &list[i]
		if len(out) < q.Limit && (q.Kind == "" || q.Kind == string(in.Kind)) && (q.Component == "" || q.Component == in.Place.Name) &&
			(q.To == 0 || in.Onset.At < q.To) && (in.Cleared == 0 || in.Cleared > q.From) {
			out = append(out, api.Record{Incident: document.OfIncident(now.SentenceWriter(), in), Section: api.SectionName(sentence.SectionOf(in))})
		}
	}
	return out, s.Fails
}

// Incident is one with all that happened to it.
func (s *Site) Incident(_ context.Context, id string) (*api.Kept, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fails != nil {
		return nil, s.Fails
	}
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
		return nil, s.Fails
	}
	list := s.events[after:]
	return slices.Clone(list[:min(len(list), limit)]), s.Fails
}

// Series is a straight line beside another, with a gap.
func (s *Site) Series(_ context.Context, q api.SeriesQuery) (*api.Series, error) {
	system := s.Standing().Subject.System
	at, _ := system.Lookup(q.Component)
	own, peers := []document.Number{31, 32, gap, 31}, []document.Number{10, 10, gap, 11}
	group := system.Components[at].Group
	return &api.Series{
		Component: q.Component, Group: group, Metric: q.Metric, What: q.What, Unit: "ms", From: document.Time(q.From),
		StepSeconds: (q.To - q.From) / int64(len(own)), Values: own, Members: len(system.Groups[group-1].Members),
		Peers: []api.Band{{Quantile: 0.25, Values: peers}, {Quantile: 0.5, Values: peers}},
	}, s.Fails
}

// Fleet is how common limping is on the site: one LUN of sixteen.
func (s *Site) Fleet(_ context.Context, q api.FleetQuery) (*api.Fleet, error) {
	if q.Days > usualDays {
		read := 0.25
		return &api.Fleet{Days: q.Days, Reading: &read, Parts: []api.FleetPart{}, Warnings: []string{}}, s.Fails
	}
	return &api.Fleet{
		Days: q.Days, From: document.Time(Start), To: document.Time(Now), Grouping: "array", Warnings: []string{"a warning"},
		Parts: []api.FleetPart{{
			Kind: "drive", Groups: 2, Drives: 16, DriveHours: 64, SlowNow: 1, DrivesNow: 16,
			Figures: []api.FleetFigure{
				{Name: "slow-hours-2", Share: 0.046875, Part: 3, Whole: 64, Low: gap, High: gap, Unsure: "1 group has any"},
				{Name: "ever-2", Share: 0.0625, Part: 1, Whole: 16, Low: 0.01, High: 0.2},
			},
			Tables: []api.FleetTable{{
				Name: "worst-drives", Title: "The worst drives", Note: "a note", Columns: []string{"drive", "hours at 2×"}, Units: []string{"number"},
				Rows: []api.FleetRow{{Label: "1.0 in ddn1", Values: api.Numbers{3}}, {Label: "1.2 in ddn1", Values: api.Numbers{gap}}},
			}},
		}},
	}, s.Fails
}

// usualDays are those that have been counted.
const usualDays = 30

// Latencies are those of requests that all took about a millisecond, but for one in
// ten of the component's.
func (s *Site) Latencies(_ context.Context, q api.LatenciesQuery) (*api.Latencies, error) {
	system := s.Standing().Subject.System
	at, _ := system.Lookup(q.Component)
	schema := table.Schema{StepSeconds: 15, Components: len(system.Components), Latencies: true}
	kept, row := heatmap.New(schema), table.NewRow(schema)
	row.End = q.To
	for c := range system.Components {
		h := &row.LatencyOf(c)[blklat.Read].Device
		if *h = (blklat.Histogram{{Bucket: uint16(blklat.Bucket(1e6)), Requests: 9}}); c == at {
			h.Add(blklat.Histogram{{Bucket: uint16(blklat.Bucket(50e6)), Requests: 1}})
		}
	}
	kept.Row(row)
	return api.NewLatencies(kept, system, at, q), s.Fails
}

// Map is a value of every component.
func (s *Site) Map(_ context.Context, q api.MapQuery) (*api.Map, error) {
	now := s.Standing()
	m := &api.Map{Metric: q.Metric, What: q.What, Unit: "ms", At: document.Time(now.To), Bound: 2}
	for i := range now.Subject.System.Components {
		m.Components, m.Values = append(m.Components, now.Subject.System.Components[i].Name), append(m.Values, document.Number(i))
	}
	m.Values[0] = gap
	return m, s.Fails
}

// Apply executes an operator's command, and keeps it.
func (s *Site) Apply(_ context.Context, c command.Command) (api.Said, error) {
	s.mu.Lock()
	said := api.SaidOf(&c)
	at := slices.IndexFunc(s.standing.Incidents, func(in incident.Incident) bool { return in.ID == c.Incident })
	if c.Incident == "" {
		s.mu.Unlock()
		return said, nil
	}
	if at < 0 {
		s.mu.Unlock()
		return said, api.ErrNotFound
	}
	in := s.standing.Incidents[at].Clone()
	if c.Verb == command.Resolve && in.Phase == incident.Cleared {
		s.mu.Unlock()
		return said, api.Refusef("the incident is over already; there is nothing to resolve")
	}
	s.said[in.ID] = append(s.said[in.ID], said)
	change := s.apply(&in, &c, said)
	next := *s.standing
	next.Incidents = slices.Clone(next.Incidents)
	next.Incidents[at] = in
	s.standing = &next
	var e api.Event
	if change != "" {
		e = s.add(change, &in)
	}
	s.mu.Unlock()
	if change != "" {
		s.publish(e)
	}
	return said, nil
}

// apply does what was said.
func (s *Site) apply(in *incident.Incident, c *command.Command, said api.Said) incident.Change {
	note, next := s.standing.Notes[in.ID], *s.standing
	change := Apply(in, &note, c, said, next.To)
	next.Notes = map[string]api.Note{in.ID: note}
	s.standing = &next
	return change
}

// Apply does to an incident and to its note what was said of it, and names the
// change; none where nothing of the incident changes.
func Apply(in *incident.Incident, note *api.Note, c *command.Command, said api.Said, now int64) incident.Change {
	switch c.Verb {
	case command.Resolve:
		in.Phase, in.Ending, in.Cleared = incident.Cleared, incident.Resolved, now
		return incident.Clears
	case command.Mute:
		in.Muted, note.MutedUntil = true, document.Time(c.Until)
		return incident.Mutes
	case command.Unmute:
		in.Muted, note.MutedUntil = false, 0
		return incident.Unmutes
	case command.Comment:
		in.Comments = append(in.Comments, incident.Comment{Time: c.Time, Text: c.Text})
		return incident.Commented
	}
	note.Was = &said
	return ""
}

// Note writes into the audit trail.
func (s *Site) Note(_ context.Context, d api.Deed) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.NoteFails != nil {
		return s.NoteFails
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

// Configuration is what the site was told to do.
func (s *Site) Configuration() any { return s.Config }

// Reload changes nothing.
func (s *Site) Reload(context.Context) (api.Reloaded, error) {
	return api.Reloaded{Restart: []string{"listen: restart limpet to listen elsewhere"}}, s.Fails
}

// Backup writes a few bytes.
func (s *Site) Backup(_ context.Context, w io.Writer) error {
	_, err := io.Copy(w, strings.NewReader(fmt.Sprint("backup of ", s.Standing().Subject.System.Name)))
	if s.Fails != nil {
		return s.Fails
	}
	return err
}
