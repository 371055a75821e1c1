package action

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/engine/incident"
	plan "github.com/limpet-storage/limpet/report/action"
)

func toValid(text string) string { return strings.ToValidUTF8(text, "") }

// begin creates the actions that the policy allows for the open incidents.
func (x *Executor) begin(ctx context.Context, now *Now) {
	policy, list := x.o.Policy(), x.Actions()
	note := x.obstacle(policy, now, list)
	x.mu.Lock()
	x.note = note
	x.mu.Unlock()
	if note != "" {
		return
	}
	decisions := plan.New(policy, x.Situation(now))
	for i := range now.Open {
		in := &now.Open[i]
		if d, ok := decisions.For(in); ok && d.Refused == "" && (d.Rule.Mode == plan.Ask || d.Rule.Mode == plan.Do) {
			x.create(ctx, policy, now, in, &d)
		}
	}
}

// Situation returns the data from which package report/action decides about new actions.
func (x *Executor) Situation(now *Now) plan.Situation {
	list, policy := x.Actions(), x.o.Policy()
	s := plan.Situation{System: now.System, Now: x.unix(), Open: now.Open, Silent: now.Silent}
	s.PastActions, _ = PastActions(list, now.System.Lookup)
	s.Decided = func(in *incident.Incident) bool { return policy != nil && x.waits(policy, in, list) }
	return s
}

// obstacle returns the reason why no action may begin. The text is empty if actions may begin.
func (x *Executor) obstacle(policy *plan.Policy, now *Now, list []Action) string {
	stopped := x.Switch()
	_, unknown := PastActions(list, now.System.Lookup)
	switch {
	case policy == nil:
		return "the server has no policy: write a policy file, and name the file in the setting \"policy\" of the configuration"
	case policy.Proposes():
		return "the policy file allows no action: its \"mode\" is propose, so limpet proposes actions and runs none. limpet incidents show ID shows the proposed action of an incident. To let limpet run actions, set \"mode\" to ask or do"
	case !policy.Acts():
		return "the policy file allows no action: set its \"mode\" to ask or do"
	case policy.Stop:
		return "the policy file stops all actions (stop: true)"
	case stopped.Stopped:
		return fmt.Sprintf("%s has stopped all actions", stopped.Who)
	case unknown != "":
		return fmt.Sprintf("an action on %s has not ended, but the topology file does not name %[1]s: add %[1]s to the topology file, or undo the action", unknown)
	}
	return now.Stale
}

// waits reports whether an earlier action on an incident prevents a further action on the same
// incident:
//
//   - No further action begins in these cases: an operator refused the action, the action failed,
//     the action did not help, or a person reversed the action.
//   - If the action helped, and the part became slow again after the action was reversed, a further
//     action may begin after a pause.
//   - If no operator answered in time, a further action may begin after a pause.
//   - If the action was blocked, limpet tries again after a pause. Each further pause is twice as
//     long. An action is blocked if the policy, a cap or a guard does not allow the action. A cap is
//     a limit that no policy can raise. A guard is a command that tests whether the action is safe.
func (x *Executor) waits(policy *plan.Policy, in *incident.Incident, list []Action) bool {
	pause, now := x.o.BlockedPause, x.unix()
	for i := range list {
		a := &list[i]
		if !a.belongsTo(in) {
			continue
		}
		switch {
		case a.hadRecovered(in):
			if now-a.Ended < policy.PauseSeconds {
				return true
			}
		case a.State == Refused, a.State == Failed, a.State == Undone, a.State == Reversed:
			return true
		case a.State == Expired && now-a.Ended < policy.PauseSeconds:
			return true
		case a.State == Blocked:
			if now-a.Ended < int64(pause/time.Second) {
				return true
			}
			pause = min(2*pause, x.o.LongestPause)
		}
	}
	return false
}

// create writes a new action into the ledger. If the action needs no approval of an operator,
// create also executes its first steps.
func (x *Executor) create(ctx context.Context, policy *plan.Policy, now *Now, in *incident.Incident, d *plan.Decision) {
	c := &now.System.Components[d.Component]
	server, _ := c.RunsOn()
	a := Action{
		Incident: in.ID, Kind: in.Kind, Tier: in.Place.Tier, Place: in.Place.Name, Component: c.Name, Server: server, Storage: d.Driver.Storage, Effect: d.Driver.Effect,
		Names: d.Names, What: d.What, Why: now.Headline(in), Mode: d.Rule.Mode, Command: d.Do.String(), Undo: d.Undo.String(), State: Approved, Created: x.unix(),
	}
	a.Due = a.Created + int64(x.o.BeginLimit/time.Second)
	if a.Mode == plan.Ask {
		a.State, a.Due = Asked, a.Created+policy.AskSeconds
	}
	text := fmt.Sprintf("%s: %s", a.What, a.Why)
	made, err := x.append(ctx, Record{Who: limpet, Event: Created, Command: a.Command, Text: text}, func(to *Action) error { *to = a; return nil })
	if x.check(err); err != nil {
		return
	}
	if made.State == Asked {
		x.o.Report(fmt.Sprintf("action %[1]s waits for an operator (limpet act approve %[1]s, or limpet act refuse %[1]s): %[2]s; command: %[3]s", made.ID, a.What, a.Command))
		return
	}
	x.advance(ctx, &made, now)
}

// advance executes the steps of one action, until the action is over or has to wait.
func (x *Executor) advance(ctx context.Context, a *Action, now *Now) {
	for ctx.Err() == nil && !a.State.IsFinal() {
		was := a.State
		next, err := x.step(ctx, a, now)
		if err != nil {
			if ctx.Err() == nil {
				x.check(fmt.Errorf("action %s cannot continue: %w", a.ID, err))
			}
			return
		}
		x.check(nil)
		if *a = next; a.State == was {
			return
		}
		if a.State.IsFinal() {
			x.o.Report(fmt.Sprintf("action %s on %s has ended with the state %q: %s", a.ID, a.Component, a.State, a.Reason))
		}
	}
}

// check reports an error, such as a full disk. It does not report the same error twice in
// succession. A call with a nil error means that the earlier error is over. If the earlier error
// occurs again after such a call, check reports it again.
func (x *Executor) check(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text != "" && text != x.failing {
		x.o.warn("actions: " + text)
	}
	x.failing = text
}

// step executes the next step of an action. If the state of the returned action is the same as
// before, the action has to wait.
func (x *Executor) step(ctx context.Context, a *Action, now *Now) (Action, error) {
	switch a.State {
	case Asked:
		return x.stepAsked(ctx, a, now)
	case Approved:
		return x.stepApproved(ctx, a, now)
	case Doing:
		return x.stepDoing(ctx, a)
	case Watching:
		return x.stepWatching(ctx, a)
	case Helped:
		return x.stepHelped(ctx, a)
	case Undoing:
		return x.stepUndoing(ctx, a)
	}
	return *a, fmt.Errorf("this version of limpet does not know the state %q of an action", a.State)
}

func (x *Executor) end(ctx context.Context, a *Action, s State, reason string) (Action, error) {
	return x.append(ctx, Record{Action: a.ID, Who: limpet, Event: Ends, Text: reason}, func(to *Action) error {
		to.State, to.Reason, to.Trouble, to.Due = s, reason, "", 0
		return nil
	})
}

// stepAsked ends an action in the state Asked, if no operator answered in time or if its incident
// is over.
func (x *Executor) stepAsked(ctx context.Context, a *Action, now *Now) (Action, error) {
	if x.unix() >= a.Due {
		return x.end(ctx, a, Expired, "no operator answered in time")
	}
	if now.Stale == "" && find(now.Open, a) == nil {
		return x.end(ctx, a, Blocked, "the incident is over")
	}
	return *a, nil
}

func find(open []incident.Incident, a *Action) *incident.Incident {
	for i := range open {
		if a.belongsTo(&open[i]) && open[i].Phase != incident.Cleared {
			return &open[i]
		}
	}
	return nil
}

// stepApproved checks the caps (limits that no policy can raise) and the guards (commands that test
// whether the action is safe). Then it starts the command of the action.
func (x *Executor) stepApproved(ctx context.Context, a *Action, now *Now) (Action, error) {
	s, ok := a.steps(x.o.Policy())
	if !ok {
		return x.end(ctx, a, Blocked, "limpet has no command for this action, and the policy file names no command")
	}
	if now.Stale != "" {
		return x.waitForData(ctx, a, now)
	}
	if reason := x.obstacleFor(a, now); reason != "" {
		return x.end(ctx, a, Blocked, reason)
	}
	for _, g := range s.Guards {
		answer, err := x.runQuery(ctx, a, g.Command, g.Holds)
		if ctx.Err() != nil {
			return *a, ctx.Err()
		}
		if err != nil {
			return x.end(ctx, a, Blocked, fmt.Sprintf("limpet did not start the action, because the check \"%s\" failed; expected: %s; error: %v%s", g.Command, g.Wants, err, printed(answer)))
		}
	}
	state, err := x.query(ctx, a, &s)
	switch {
	case ctx.Err() != nil:
		return *a, ctx.Err()
	case err != nil:
		return x.end(ctx, a, Blocked, fmt.Sprintf("the state of %s is unknown: %v", a.Component, err))
	case state != plan.Normal:
		return x.end(ctx, a, Blocked, fmt.Sprintf("%s is not in its normal state. Expected output of the command \"%s\" before the action: %s", a.Component, s.State.Command, s.State.Normal))
	}
	// The checks may have taken minutes. An operator or another action may have changed something
	// in this time, so the conditions are checked again.
	if *now = x.o.Now(); now.Stale != "" {
		return x.waitForData(ctx, a, now)
	}
	if reason := x.obstacleFor(a, now); reason != "" {
		return x.end(ctx, a, Blocked, reason)
	}
	if !x.acts() {
		return *a, errOtherNode
	}
	next, err := x.append(ctx, Record{Action: a.ID, Who: whoOf(a), Event: Does, Command: s.Do.String(), Starts: true}, func(to *Action) error {
		if x.stopped.Stopped { // x.stopped may be read here, because append holds the lock when it calls this function
			return fmt.Errorf("%s has stopped all actions", x.stopped.Who)
		}
		to.State, to.Began, to.Due = Doing, x.unix(), 0
		return nil
	})
	if err != nil {
		return *a, err
	}
	answer, failed := x.start(ctx, s.Do, next.Began)
	return x.recordEnd(ctx, &next, Does, s.Do, answer, failed)
}

// waitForData lets an approved action wait while no action may begin (now.Stale), for example
// because the newest row is too old. After a restart, no action may begin until limpet has read the
// newest rows. At the deadline a.Due, waitForData blocks the action.
func (x *Executor) waitForData(ctx context.Context, a *Action, now *Now) (Action, error) {
	if x.unix() < a.Due {
		return *a, nil
	}
	return x.end(ctx, a, Blocked, now.Stale)
}

func whoOf(a *Action) string {
	if a.ApprovedBy != "" {
		return a.ApprovedBy
	}
	return limpet
}

func printed(answer string) string {
	if answer = strings.TrimSpace(answer); answer == "" {
		return ""
	}
	return fmt.Sprintf("; output: %s", strings.Join(strings.Fields(shortened(answer)), " "))
}

// obstacleFor returns the reason why an action must not begin. The text is empty if the action may
// begin. The method repeats all checks that were made when the action was created. It also
// considers all other actions that are not over.
func (x *Executor) obstacleFor(a *Action, now *Now) string {
	policy, all := x.o.Policy(), x.Actions()
	others := make([]Action, 0, len(all))
	for i := range all {
		if all[i].ID != a.ID {
			others = append(others, all[i])
		}
	}
	if reason := x.obstacle(policy, now, others); reason != "" {
		return reason
	}
	in := find(now.Open, a)
	if in == nil {
		return "the incident is over"
	}
	past, _ := PastActions(others, now.System.Lookup)
	d := plan.Decide(policy, plan.Situation{System: now.System, Now: x.unix(), Open: now.Open, Silent: now.Silent, PastActions: past}, in)
	switch {
	case d.Refused != "":
		return fmt.Sprintf("limpet now refuses the action; reason: %s", d.Refused)
	case d.Rule.Mode != plan.Do && (d.Rule.Mode != plan.Ask || a.ApprovedBy == ""):
		return "the policy file no longer allows the action"
	case d.Driver.Storage != a.Storage || d.Driver.Effect != a.Effect || !maps.Equal(d.Names, a.Names) || now.System.Components[d.Component].Name != a.Component:
		return "limpet would now choose another command for this action: " + d.Do.String()
	}
	return ""
}

// longestStart is the longest time between the record of a driver's command and the start of the
// command. If another node of a cluster takes over, the new node waits longer than longestStart.
// Only then it concludes that the command had no effect.
const longestStart = 10 * time.Second

// start runs a driver's command. The parameter `written` is the Unix time at which the record of
// the command was written. If the record is older than longestStart, the process was paused. Then
// start does not run the command, because another node of the cluster may carry out actions now.
func (x *Executor) start(ctx context.Context, c plan.Command, written int64) (string, error) {
	if late := x.unix() - written; late > int64(longestStart/time.Second) {
		return "", fmt.Errorf("limpet did not start the command, because limpet itself was paused for %d s", late)
	}
	return x.run(ctx, c)
}

// run runs a driver's command. It ends the command after CommandLimit.
func (x *Executor) run(ctx context.Context, c plan.Command) (string, error) {
	ctx, stop := context.WithTimeout(ctx, x.o.CommandLimit)
	defer stop()
	x.o.betweenSteps("before command")
	answer, err := x.o.Runner.Run(ctx, c)
	x.o.betweenSteps("after command")
	return answer, err
}

// recordEnd writes a record that a driver's command has ended. It writes the record even if the
// context has ended, because the command has run.
func (x *Executor) recordEnd(ctx context.Context, a *Action, e Event, c plan.Command, answer string, failed error) (Action, error) {
	r := Record{Action: a.ID, Who: limpet, Event: e, Command: c.String(), Answer: answer, Failed: failed != nil}
	if failed != nil {
		r.Text = failed.Error()
	}
	return x.append(context.WithoutCancel(ctx), r, func(*Action) error { return nil })
}

// runQuery runs a driver's command that changes nothing, and calls the function `judge` with the
// output of the command. It writes one record, which contains the output and the error.
func (x *Executor) runQuery(ctx context.Context, a *Action, c plan.Command, judge func(answer string) error) (string, error) {
	answer, err := x.run(ctx, c)
	if err == nil {
		err = judge(answer)
	}
	if ctx.Err() != nil {
		return answer, ctx.Err()
	}
	r := Record{Action: a.ID, Who: limpet, Event: Checks, Command: c.String(), Answer: answer, Failed: err != nil}
	if err != nil {
		r.Text = err.Error()
	}
	_, lost := x.append(ctx, r, func(to *Action) error { to.Checked = x.unix(); return nil })
	return answer, errors.Join(err, lost)
}

// query reads the state of the part from the storage.
func (x *Executor) query(ctx context.Context, a *Action, s *plan.Steps) (state plan.State, err error) {
	_, err = x.runQuery(ctx, a, s.State.Command, func(answer string) (err error) {
		state, err = s.State.Read(answer)
		return err
	})
	return state, err
}

// stepDoing finds out whether the driver's command has masked the part. The command was started
// before. If the process was killed, it is unknown whether the command has ended. The command is
// never repeated.
func (x *Executor) stepDoing(ctx context.Context, a *Action) (Action, error) {
	s, ok := a.steps(x.o.Policy())
	if !ok {
		return x.handleMissingDriver(ctx, a)
	}
	// patience is the time, in seconds, for which the command may still run or take effect. A
	// command does not end when the process of limpet is killed.
	patience := int64((x.o.CommandLimit + x.o.SettleLimit) / time.Second)
	patient := x.unix()-a.Began < patience
	if !patient && a.UndoBy != "" {
		return x.reverse(ctx, a, false, a.UndoBy+" asked limpet to undo the action")
	}
	if !patient && a.Trouble != "" && !x.isDue(a, x.o.FirstRetry) {
		return *a, nil
	}
	state, err := x.query(ctx, a, &s)
	switch {
	case ctx.Err() != nil:
		return *a, ctx.Err()
	case err == nil && state == plan.Masked:
		policy := x.o.Policy()
		verify := plan.DefaultPolicy().VerifySeconds
		if policy != nil {
			verify = policy.VerifySeconds
		}
		return x.append(ctx, Record{Action: a.ID, Who: limpet, Event: Checks, Command: s.State.Command.String(), Text: a.Component + " is masked: " + s.State.Masked}, func(to *Action) error {
			to.State, to.Masked, to.Trouble = Watching, x.unix(), ""
			to.Due = to.Masked + verify
			return nil
		})
	case patient:
		return *a, nil
	case err == nil && state == plan.Normal:
		return x.append(ctx, Record{Action: a.ID, Who: limpet, Event: Ends, Failed: true, Text: "the command had no effect"}, func(to *Action) error {
			to.State, to.Useless, to.Reason, to.Trouble = Failed, true, "the command had no effect: "+s.State.Normal, ""
			return nil
		})
	case err != nil:
		return x.stuck(ctx, a, fmt.Sprintf("it is unknown whether the command had an effect: %v", err))
	}
	return x.stuck(ctx, a, fmt.Sprintf("%s is neither masked nor in its normal state. Expected output of the command \"%s\" after the action: %s", a.Component, s.State.Command, s.State.Masked))
}

// stuck records the reason why an action cannot continue. It records the same reason only once.
func (x *Executor) stuck(ctx context.Context, a *Action, trouble string) (Action, error) {
	if a.Trouble == trouble {
		return *a, nil
	}
	x.o.warn(fmt.Sprintf("action %s on %s cannot continue: %s", a.ID, a.Component, trouble))
	return x.append(ctx, Record{Action: a.ID, Who: limpet, Event: Checks, Failed: true, Text: trouble}, func(to *Action) error { to.Trouble = trouble; return nil })
}

// reverse changes the state of an action to Undoing. stepUndoing then runs the command that
// reverses the action.
func (x *Executor) reverse(ctx context.Context, a *Action, useless bool, reason string) (Action, error) {
	return x.append(ctx, Record{Action: a.ID, Who: limpet, Event: Undoes, Text: reason}, func(to *Action) error {
		to.State, to.Useless, to.Reason, to.Trouble, to.Due, to.Attempts, to.Checked = Undoing, useless, reason, "", 0, 0, 0
		return nil
	})
}

// stepWatching waits until the latencies show whether the action helped.
func (x *Executor) stepWatching(ctx context.Context, a *Action) (Action, error) {
	if a.UndoBy != "" {
		return x.reverse(ctx, a, false, a.UndoBy+" asked limpet to undo the action")
	}
	v, err := x.verdict(ctx, a)
	switch {
	case ctx.Err() != nil:
		return *a, ctx.Err()
	case err == nil && v.Helped:
		return x.append(ctx, Record{Action: a.ID, Who: limpet, Event: Measured, Text: v.String()}, func(to *Action) error {
			to.State, to.Verdict, to.Due, to.Trouble, to.Reason = Helped, v, 0, "", v.String()
			return nil
		})
	case x.unix() < a.Due:
		return *a, nil
	case err != nil:
		return x.reverse(ctx, a, true, fmt.Sprintf("it is unknown whether the action helped: %v", err))
	}
	next, err := x.append(ctx, Record{Action: a.ID, Who: limpet, Event: Measured, Failed: true, Text: v.String()}, func(to *Action) error { to.Verdict = v; return nil })
	if err != nil {
		return next, err
	}
	return x.reverse(ctx, &next, true, v.String())
}

// stepHelped checks at intervals whether the part is still masked, because a person may have
// reversed the action by hand.
func (x *Executor) stepHelped(ctx context.Context, a *Action) (Action, error) {
	if a.UndoBy != "" {
		return x.reverse(ctx, a, false, a.UndoBy+" asked limpet to undo the action")
	}
	if !x.isDue(a, x.o.RecheckEvery) {
		return *a, nil
	}
	s, ok := a.steps(x.o.Policy())
	if !ok {
		return x.handleMissingDriver(ctx, a)
	}
	state, err := x.query(ctx, a, &s)
	switch {
	case ctx.Err() != nil:
		return *a, ctx.Err()
	case err != nil:
		return x.stuck(ctx, a, fmt.Sprintf("the state of %s is unknown: %v", a.Component, err))
	case state == plan.Normal:
		return x.end(ctx, a, Reversed, a.Component+" is in its normal state again: somebody else has reversed the action")
	case state == plan.Other:
		return x.stuck(ctx, a, fmt.Sprintf("%s is neither masked nor in its normal state. Expected output of the command \"%s\" after the action: %s", a.Component, s.State.Command, s.State.Masked))
	case a.Trouble != "":
		return x.append(ctx, Record{Action: a.ID, Who: limpet, Event: Checks, Text: a.Component + " is masked: " + s.State.Masked}, func(to *Action) error { to.Trouble = ""; return nil })
	}
	return *a, nil
}

// stepUndoing reverses an action. First it reads the state of the part from the storage, because it
// may be unknown whether an earlier undo command had an effect. It runs the undo command if the
// part is still masked. The part may also be in a third state: not masked, and not normal. Then
// stepUndoing runs the undo command only if an operator requested the undo.
func (x *Executor) stepUndoing(ctx context.Context, a *Action) (Action, error) {
	s, ok := a.steps(x.o.Policy())
	if !ok {
		return x.handleMissingDriver(ctx, a)
	}
	if a.Checked != 0 && !x.isDue(a, x.retry(a.Attempts)) {
		return *a, nil
	}
	state, err := x.query(ctx, a, &s)
	switch {
	case ctx.Err() != nil:
		return *a, ctx.Err()
	case err != nil:
		return x.stuck(ctx, a, fmt.Sprintf("the undo waits, because the state of %s is unknown: %v", a.Component, err))
	case state == plan.Normal:
		return x.end(ctx, a, Undone, a.Reason)
	case state == plan.Other && a.UndoBy == "":
		return x.stuck(ctx, a, fmt.Sprintf("the undo waits, because %s is neither masked nor in its normal state: check the output of the command \"%s\"", a.Component, s.State.Command))
	}
	if stopped := x.Switch(); stopped.Stopped && a.UndoBy == "" {
		return x.stuck(ctx, a, fmt.Sprintf("the undo waits, because %s has stopped all actions: allow actions again (limpet act resume)", stopped.Who))
	}
	who := limpet
	if a.UndoBy != "" {
		who = a.UndoBy
	}
	written := x.unix()
	next, err := x.append(ctx, Record{Action: a.ID, Who: who, Event: Undoes, Command: s.Undo.String(), Starts: true}, func(to *Action) error { to.Attempts++; return nil })
	if err != nil {
		return *a, err
	}
	answer, failed := x.start(ctx, s.Undo, written)
	if next, err = x.recordEnd(ctx, &next, Undoes, s.Undo, answer, failed); err != nil {
		return next, err
	}
	if state, err = x.query(ctx, &next, &s); err == nil && state == plan.Normal {
		return x.end(ctx, &next, Undone, a.Reason)
	}
	trouble := "the undo command has had no effect yet: " + s.Undo.String()
	if failed != nil {
		trouble += fmt.Sprintf(" (%v)", failed)
	}
	return x.stuck(ctx, &next, trouble)
}

// handleMissingDriver handles an action without a driver: the driver is not in this version of
// limpet, and not in the policy. An operator must reverse the action by hand, and then end it.
func (x *Executor) handleMissingDriver(ctx context.Context, a *Action) (Action, error) {
	if a.UndoBy != "" {
		return x.end(ctx, a, Reversed, fmt.Sprintf("%s ended the action; limpet has no command for this action, so it ran no command", a.UndoBy))
	}
	return x.stuck(ctx, a, "limpet has no command for this action, and the policy file names no command; run this command by hand, and then end the action with limpet act undo: "+a.Undo)
}

// isDue reports whether at least the time `wait` has passed since the last query of the storage.
func (x *Executor) isDue(a *Action, wait time.Duration) bool {
	return x.unix()-a.Checked >= int64(wait/time.Second)
}

// retry returns how long to wait before the next attempt to undo an action. The parameter
// `attempts` is the number of attempts so far.
func (x *Executor) retry(attempts int) time.Duration {
	d := x.o.FirstRetry
	for range max(attempts-1, 0) {
		if d *= 2; d >= x.o.LongestRetry {
			return x.o.LongestRetry
		}
	}
	return d
}
