package serve

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/server/api"
)

// site is the [api.Site] of a service.
type site struct {
	*Service
}

// Past lists incidents; the incident that began last is first.
func (s site) Past(ctx context.Context, q api.PastQuery) ([]api.Record, error) {
	list, _, err := s.watch.Ledger().Incidents(ctx, ledger.Query{From: q.From, To: q.To, Component: q.Component, Kind: q.Kind, Limit: q.Limit, After: q.After})
	if err != nil {
		return nil, apiError(err)
	}
	records := make([]api.Record, len(list))
	for i := range list {
		if records[i], err = s.record(&list[i]); err != nil {
			return nil, err
		}
	}
	return records, nil
}

// Incident returns an incident with its whole history.
func (s site) Incident(ctx context.Context, id string) (*api.Kept, error) {
	r, err := s.watch.Ledger().Incident(ctx, id)
	if err != nil {
		return nil, apiError(err)
	}
	kept := &api.Kept{Events: []api.Event{}, Said: []api.Said{}}
	if kept.Record, err = s.record(&r.Incident); err != nil {
		return nil, err
	}
	for i := range r.Events {
		e := event(&r.Events[i], r.ID)
		kept.Events = append(kept.Events, e)
	}
	actions, err := s.Actions(ctx, r.ID, mostActions)
	if err != nil {
		return nil, err
	}
	kept.Actions = actions.Actions
	for i := range r.Commands {
		said := api.SaidOf(&r.Commands[i])
		kept.Said = append(kept.Said, said)
		if said.Verb == api.Was {
			kept.Was = &said
		}
	}
	return kept, nil
}

// mostActions is the largest number of actions of one incident that are shown.
const mostActions = 100

// Events returns the events after a number.
func (s site) Events(ctx context.Context, after int64, limit int) ([]api.Event, error) {
	list, err := s.watch.Ledger().Events(ctx, after, limit)
	if err != nil {
		return nil, err
	}
	events := make([]api.Event, len(list))
	for i := range list {
		var in document.Incident
		if err := json.Unmarshal(list[i].Document, &in); err != nil {
			return nil, err
		}
		events[i] = event(&list[i], in.ID)
		events[i].Incident = &in
	}
	return events, nil
}

func event(e *ledger.Event, id string) api.Event {
	return api.Event{Number: e.Seq, Time: document.Time(e.Time), Change: e.Change, ID: id, Text: e.Sentence}
}

// record returns the document of an incident in the ledger.
func (s site) record(in *ledger.Incident) (api.Record, error) {
	r := api.Record{Section: sectionOf(in)}
	r.MutedUntil = document.Time(s.watch.Result().Mutes[in.ID])
	return r, json.Unmarshal(in.Document, &r.Incident)
}

// sectionOf returns the API's name of the section in which reports list an incident.
func sectionOf(in *ledger.Incident) string {
	return api.SectionName(sentence.SectionOf(&incident.Incident{Class: in.Class, Kind: in.Kind, Phase: in.Phase, Muted: in.Muted}))
}

// apiError converts an error of the ledger to an error of the API.
func apiError(err error) error {
	if errors.Is(err, ledger.ErrUnknown) {
		return api.ErrNotFound
	}
	if several, ok := errors.AsType[*ledger.AmbiguousError](err); ok {
		return &api.Refusal{Text: several.Error()}
	}
	return err
}

// Apply executes an operator's command.
func (s site) Apply(ctx context.Context, c command.Command) (api.Said, error) {
	at, err := s.watch.Apply(ctx, c)
	var refused *announce.RefusedCommand
	if errors.As(err, &refused) {
		err = &api.Refusal{Text: refused.Text}
	}
	c.Time = at
	return api.SaidOf(&c), err
}

// Note adds an entry to the audit trail.
func (s site) Note(ctx context.Context, d api.Deed) error {
	return s.watch.Audit(ctx, ledger.Audit{Time: int64(d.Time), Who: d.User, Origin: d.Address, Action: d.Action, Target: d.Object, Detail: d.Text, Outcome: d.Outcome})
}

// Audit lists the audit trail, newest first.
func (s site) Audit(ctx context.Context, before int64, limit int) ([]api.Deed, error) {
	list, err := s.watch.Ledger().Audits(ctx, before, limit)
	if err != nil {
		return nil, err
	}
	return document.Each(list, func(a ledger.Audit) api.Deed {
		return api.Deed{
			Number: a.Number, Time: document.Time(a.Time), User: a.Who, Address: a.Origin, Action: a.Action, Object: a.Target, Text: a.Detail, Outcome: a.Outcome,
		}
	}), nil
}
