package serve

import (
	"context"
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/english"
	executor "github.com/limpet-storage/limpet/live/action"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/serve/config"
)

// checkActs refuses a policy that this server cannot execute.
func (s *Service) checkActs(of *config.Config, p *action.Policy) error {
	if c := s.config.Cluster; c != nil && !c.Plots && p.Acts() {
		return fmt.Errorf("%s: the modes \"ask\" and \"do\" of a policy need the latencies of the whole cluster, and this node does not store them. Write \"plots: true\" into the section \"cluster\" of the configuration, or use the mode \"propose\"", of.Policy)
	}
	return nil
}

// act opens the executor of actions. The executor runs even without a policy, because actions of an
// earlier run may be in progress.
func (s *Service) act(ctx context.Context) (err error) {
	o := executor.DefaultOptions()
	o.Ledger, o.Policy, o.Now, o.Latency, o.Clock, o.Report = s.watch.Ledger(), s.policy.Load, s.actNow, s.latency, s.o.Now, s.o.Report
	o.Warn = s.o.warn
	if s.o.ActEvery > 0 {
		o.Every = s.o.ActEvery
	}
	if node, ok := s.watch.(*cluster.Node); ok {
		o.Turns = node.ActionTurns()
	}
	if o.Runner, err = executor.NewCommands(); err != nil {
		return err
	}
	s.actions, err = executor.Open(ctx, o)
	return err
}

// No action begins if the newest data are older than actSeconds and than actSteps steps.
const (
	actSeconds = 300
	actSteps   = 6
)

// actNow returns the current result for the executor.
func (s *Service) actNow() executor.Now {
	now := s.watch.Result()
	writer := now.Subject.Sentences()
	out := executor.Now{System: now.Subject.System, Open: openOf(now), Headline: writer.Headline, Stale: now.Waiting}
	for _, q := range now.Silent {
		out.Silent = append(out.Silent, q.Server)
	}
	if old := s.o.Now().Unix() - now.To; out.Stale == "" && old > max(actSeconds, actSteps*now.Subject.Schema.StepSeconds) {
		out.Stale = fmt.Sprintf("the newest data are %s old", english.Age(old))
	}
	return out
}

// openOf returns all incidents and suspects that are not over.
func openOf(now *watch.Result) (list []incident.Incident) {
	for i := range now.Incidents {
		if now.Incidents[i].Phase != incident.Cleared {
			list = append(list, now.Incidents[i])
		}
	}
	for i := range now.Suspects {
		list = append(list, now.Suspects[i].Incident)
	}
	return list
}

// statements returns what limpet itself does about open incidents, for the receivers of alerts.
func (s *Service) statements() ([]alert.Statement, bool) {
	if s.actions == nil {
		return nil, false // the watch is being opened, and the executor is opened after it
	}
	list, known := s.actions.Statements()
	var out []alert.Statement
	for i := range list {
		out = append(out, alert.Statement{Incident: &list[i].Incident, Text: list[i].Text})
	}
	return out, known
}

// latency returns, for each step, the mean latency and the load of the peer group of a component, with
// and without the component.
func (s *Service) latency(ctx context.Context, component string, from, to int64) (out action.Latencies, err error) {
	schema := &s.watch.Result().Subject.Schema
	lead, load := schema.Metrics[schema.Leading(s.watch.Result().Subject.Options.Metrics)], ""
	if schema.Load >= 0 {
		load = schema.Metrics[schema.Load].Name
	}
	means, err := s.watch.History().Means(ctx, component, lead.Name, load, from, to)
	if err != nil {
		return out, err
	}
	out.StepSeconds, out.Unit = schema.StepSeconds, lead.Unit
	for _, m := range means.Means {
		one := action.Sample{End: m.End, Group: m.Group, Others: m.Others, Load: m.Load, OthersLoad: m.OthersLoad}
		if load == "" {
			one.Load, one.OthersLoad = table.Missing, table.Missing
		}
		out.Samples = append(out.Samples, one)
	}
	return out, nil
}

// acted adds the earlier actions to a situation, so that the planner of a report counts them.
func (s *Service) acted(to *action.Situation) {
	now := executor.Now{System: to.System, Open: to.Open, Silent: to.Silent}
	with := s.actions.Situation(&now)
	to.PastActions, to.Decided, to.Stopped = with.PastActions, with.Decided, s.actions.Switch().Stopped
}

// Actions lists actions, latest first.
func (s site) Actions(ctx context.Context, id string, limit int) (*api.ActionList, error) {
	out := &api.ActionList{Switch: switchOf(s.actions.Switch()), Note: s.actions.Note()}
	list, err := s.watch.Ledger().Actions(ctx, id, limit)
	if err != nil {
		return nil, err
	}
	for _, stored := range list {
		a, err := executor.Decode(stored)
		if err != nil {
			return nil, err
		}
		out.Actions = append(out.Actions, api.ActionOf(&a))
	}
	return out, nil
}

func switchOf(s executor.Switch) api.ActionSwitch {
	return api.ActionSwitch{Stopped: s.Stopped, User: s.Who, Time: document.Time(s.Time), Text: s.Text}
}

// mostRecords is the largest number of records of an action that are shown. An undo that fails for
// a week has fewer records.
const mostRecords = 10_000

// Action returns an action with its records.
func (s site) Action(ctx context.Context, id string) (*api.ActionKept, error) {
	stored, err := s.watch.Ledger().Action(ctx, id)
	if errors.Is(err, ledger.ErrUnknown) {
		return nil, api.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	a, err := executor.Decode(*stored)
	if err != nil {
		return nil, err
	}
	out := &api.ActionKept{Action: api.ActionOf(&a)}
	records, err := s.watch.Ledger().ActionRecords(ctx, id, mostRecords)
	if err != nil {
		return nil, err
	}
	for _, one := range records {
		r, err := executor.DecodeRecord(one)
		if err != nil {
			return nil, err
		}
		out.Records = append(out.Records, api.ActionRecordOf(&r))
	}
	return out, nil
}

// ActOn approves, refuses or reverses an action.
func (s site) ActOn(ctx context.Context, id string, verb api.ActionVerb, who, text string) (api.Action, error) {
	do := map[api.ActionVerb]func(context.Context, string, string, string) (executor.Action, error){
		api.Approve: s.actions.Approve, api.Refuse: s.actions.Refuse, api.Undo: s.actions.Undo,
	}[verb]
	a, err := do(ctx, id, who, text)
	return api.ActionOf(&a), actionError(err)
}

// SwitchActions stops all actions, or allows them again.
func (s site) SwitchActions(ctx context.Context, stop bool, who, text string) (api.ActionSwitch, error) {
	turn := s.actions.Resume
	if stop {
		turn = s.actions.Stop
	}
	now, err := turn(ctx, who, text)
	return switchOf(now), actionError(err)
}

// actionError converts an error of the executor to an error of the API.
func actionError(err error) error {
	if errors.Is(err, executor.ErrUnknown) {
		return api.ErrNotFound
	}
	if refused, ok := errors.AsType[*executor.Refusal](err); ok {
		return &api.Refusal{Text: refused.Text}
	}
	return err
}
