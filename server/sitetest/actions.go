package sitetest

import (
	"context"
	"slices"

	"github.com/limpet-storage/limpet/live/action"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/api"
)

// SetActions sets the actions of the site, latest first.
func (s *Site) SetActions(list ...api.ActionKept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.actions = list
}

// Actions lists actions.
func (s *Site) Actions(_ context.Context, incident string, limit int) (*api.ActionList, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fails != nil {
		return nil, s.Fails
	}
	out := &api.ActionList{Switch: s.stopped, Actions: s.actionsOf(incident)}
	out.Actions = out.Actions[:min(limit, len(out.Actions))]
	return out, nil
}

// actionsOf returns the actions of an incident, or all actions if the ID is empty. The caller holds
// the lock.
func (s *Site) actionsOf(incident string) (list []api.Action) {
	for i := range s.actions {
		if a := s.actions[i].Action; incident == "" || a.Incident == incident {
			list = append(list, a)
		}
	}
	return list
}

// Action returns an action with its records.
func (s *Site) Action(_ context.Context, id string) (*api.ActionKept, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.actions {
		if a.Action.ID == id {
			return &a, nil
		}
	}
	return nil, api.ErrNotFound
}

// ActOn changes the state of an action, as an executor would.
func (s *Site) ActOn(_ context.Context, id string, verb api.ActionVerb, who, _ string) (api.Action, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.actions, func(a api.ActionKept) bool { return a.Action.ID == id })
	if at < 0 {
		return api.Action{}, api.ErrNotFound
	}
	s.actions = slices.Clone(s.actions)
	a := &s.actions[at].Action
	switch {
	case verb == api.Approve && a.State == action.Asked:
		a.State, a.ApprovedBy = action.Watching, who
	case verb == api.Refuse && a.State == action.Asked:
		a.State, a.Reason = action.Refused, who+" refused the action"
	case verb == api.Undo && a.State.Masks():
		a.State, a.UndoBy = action.Undone, who
	default:
		return *a, api.Refusef("action %s cannot be changed: its state is %s", id, a.State)
	}
	return *a, nil
}

// SwitchActions stops all actions, or allows them again.
func (s *Site) SwitchActions(_ context.Context, stop bool, who, text string) (api.ActionSwitch, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = api.ActionSwitch{Stopped: stop, User: who, Text: text}
	return s.stopped, nil
}

// SampleActions returns an action on an incident that waits for an operator, and an earlier action
// that did not help.
func SampleActions(incident, component string, at int64) []api.ActionKept {
	one := func(id string, began int64) api.Action {
		return api.Action{
			ID: id, Incident: incident, Component: component, Server: "fs1", Storage: "ceph", Effect: "relieve", Text: "let other OSDs answer the reads of osd.0",
			Why: "LUN 1.0 answers 3.1 times slower than its peers (between 2.9 and 3.3 times)", Mode: "ask", State: action.Asked, Created: document.Time(began),
			Command: "ceph osd primary-affinity osd.0 0", Undo: "ceph osd primary-affinity osd.0 1",
		}
	}
	asked, undone := one("17", at-600), one("3", at-8000)
	asked.Due = document.Time(at + 3000)
	undone.State, undone.Began, undone.Masked, undone.Ended = action.Undone, document.Time(at-7900), document.Time(at-7899), document.Time(at-7200)
	undone.ApprovedBy, undone.Useless, undone.Reason = "ann", true, "before the action, a request to the peer group took 10 ms (5 ms without the slow component); after the action, 11 ms (6 ms without the component): the action did not help enough"
	record := func(n, t int64, who string, e action.Event, s action.State, command string, starts bool, text string) api.ActionRecord {
		return api.ActionRecord{Number: n, Time: document.Time(t), User: who, Event: e, State: s, Command: command, Starts: starts, Text: text}
	}
	return []api.ActionKept{
		{Action: asked, Records: []api.ActionRecord{record(17, at-600, "limpet", action.Created, action.Asked, asked.Command, false, asked.Text)}},
		{Action: undone, Records: []api.ActionRecord{
			record(3, at-8000, "limpet", action.Created, action.Asked, undone.Command, false, undone.Text),
			record(4, at-7910, "ann", action.Answered, action.Approved, "", false, "approved"),
			record(5, at-7900, "ann", action.Does, action.Doing, undone.Command, true, ""),
			record(6, at-7899, "limpet", action.Does, action.Doing, undone.Command, false, ""),
			record(7, at-7200, "limpet", action.Undoes, action.Undoing, undone.Undo, true, ""),
			record(8, at-7200, "limpet", action.Ends, action.Undone, "", false, undone.Reason),
		}},
	}
}
