package action

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/live/ledger"
)

// Refusal is the error that is returned if an operator's command cannot be executed. Text has the
// reason.
type Refusal struct{ Text string }

func (r *Refusal) Error() string { return r.Text }

func refusef(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// ErrUnknown is the error that is returned if an operator's command names an action that does not
// exist.
var ErrUnknown = &Refusal{"no action has this number: to see all actions, run limpet act list"}

// Approve approves an action that waits for the answer of an operator. Before the command of the
// action starts, the executor checks the caps (limits that no policy can raise) again. It then runs
// the guards (commands that test whether the action is safe).
func (x *Executor) Approve(ctx context.Context, id, who, text string) (Action, error) {
	out, err := x.order(ctx, Order{Approve, id, who, text})
	return out.Action, err
}

// Refuse ends an action that waits for the answer of an operator. The action is not proposed again
// for the same incident.
func (x *Executor) Refuse(ctx context.Context, id, who, text string) (Action, error) {
	out, err := x.order(ctx, Order{Refuse, id, who, text})
	return out.Action, err
}

// Undo makes the executor reverse an action.
func (x *Executor) Undo(ctx context.Context, id, who, text string) (Action, error) {
	out, err := x.order(ctx, Order{Undo, id, who, text})
	return out.Action, err
}

// Stop stops all actions. While actions are stopped, limpet runs no command that changes anything.
// The only exception is an undo that an operator has requested. A command that has started is not
// interrupted.
func (x *Executor) Stop(ctx context.Context, who, text string) (Switch, error) {
	out, err := x.order(ctx, Order{Verb: Stop, Who: who, Text: text})
	return out.Switch, err
}

// Resume allows actions again.
func (x *Executor) Resume(ctx context.Context, who, text string) (Switch, error) {
	out, err := x.order(ctx, Order{Verb: Resume, Who: who, Text: text})
	return out.Switch, err
}

// order executes an operator's command, on the node that carries out actions at present.
func (x *Executor) order(ctx context.Context, o Order) (Outcome, error) {
	if x.acts() {
		out, err := x.execute(ctx, o)
		if err == nil {
			err = out.err()
		}
		return out, err
	}
	out, err := x.o.Turns.Order(ctx, o)
	if err != nil {
		return out, err
	}
	x.wakeRun()
	return out, out.err()
}

// execute executes an operator's command. An error means that it is unknown whether the command was
// executed.
func (x *Executor) execute(ctx context.Context, o Order) (Outcome, error) {
	switch o.Verb {
	case Approve:
		return x.approve(ctx, &o)
	case Refuse:
		return x.refuse(ctx, &o)
	case Undo:
		return x.undo(ctx, &o)
	case Stop, Resume:
		s, err := x.setSwitch(ctx, Switch{Stopped: o.Verb == Stop, Who: o.Who, Text: o.Text})
		return outcomeOf(Outcome{Switch: s}, err)
	}
	return Outcome{Refused: fmt.Sprintf("this version of limpet does not know the command %q", o.Verb)}, nil
}

func (x *Executor) approve(ctx context.Context, o *Order) (Outcome, error) {
	return x.answer(ctx, o, Record{Text: withDetail("approved", o.Text)}, func(a *Action) error {
		switch {
		case a.State != Asked:
			return refusef("action %s does not wait for an answer: the state of the action is %s", o.Action, a.State)
		case x.unix() >= a.Due:
			return refusef("action %s has expired: nobody answered in time", o.Action)
		case x.stopped.Stopped:
			return refusef("%s has stopped all actions; allow actions again first (limpet act resume)", x.stopped.Who)
		}
		a.State, a.ApprovedBy, a.Due = Approved, o.Who, x.unix()+int64(x.o.BeginLimit/time.Second)
		return nil
	})
}

func (x *Executor) refuse(ctx context.Context, o *Order) (Outcome, error) {
	return x.answer(ctx, o, Record{Text: withDetail("refused", o.Text)}, func(a *Action) error {
		if a.State != Asked {
			return refusef("action %s does not wait for an answer: the state of the action is %s", o.Action, a.State)
		}
		a.State, a.Reason, a.Due = Refused, withDetail(o.Who+" refused the action", o.Text), 0
		return nil
	})
}

func (x *Executor) undo(ctx context.Context, o *Order) (Outcome, error) {
	return x.answer(ctx, o, Record{Text: withDetail("asked limpet to undo the action", o.Text)}, func(a *Action) error {
		switch {
		case a.State.IsFinal():
			return refusef("action %s has already ended: the state of the action is %s", o.Action, a.State)
		case !a.State.Masks():
			return refusef("action %s has changed nothing yet: the state of the action is %s", o.Action, a.State)
		}
		a.UndoBy = o.Who
		if a.State == Undoing { // an operator requested the undo, so the next attempt begins at once
			a.Checked = 0
		}
		return nil
	})
}

func withDetail(what, text string) string {
	if text == "" {
		return what
	}
	return what + ": " + text
}

func (x *Executor) answer(ctx context.Context, o *Order, r Record, change func(*Action) error) (Outcome, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.actions[o.Action] == nil {
		return outcomeOf(Outcome{}, ErrUnknown)
	}
	r.Action, r.Who, r.Event = o.Action, o.Who, Answered
	a, err := x.appendLocked(ctx, r, change)
	x.wakeRun()
	return outcomeOf(Outcome{Action: a}, err)
}

// wakeRun makes Run call Look at once.
func (x *Executor) wakeRun() {
	select {
	case x.wake <- struct{}{}:
	default:
	}
}

// setSwitch changes the switch that stops all actions.
func (x *Executor) setSwitch(ctx context.Context, s Switch) (Switch, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	s.Time = x.unix()
	what := "actions are allowed again"
	if s.Stopped {
		what = "all actions are stopped"
	}
	r := Record{Seq: x.seq + 1, Time: s.Time, Who: s.Who, Event: Switched, Text: withDetail(what, s.Text)}
	record, err := json.Marshal(r)
	if err != nil {
		return s, err
	}
	state, err := json.Marshal(s)
	if err != nil {
		return s, err
	}
	err = x.write(ctx, &ledger.ActionChange{Record: &ledger.ActionRecord{Seq: r.Seq, Time: r.Time, Document: record}, Switch: state})
	if err != nil {
		return s, fmt.Errorf("the command to stop or allow all actions cannot be saved: %w", err)
	}
	x.seq, x.stopped = r.Seq, s
	x.o.Report(fmt.Sprintf("%s: %s", s.Who, r.Text))
	x.wakeRun()
	return s, nil
}
