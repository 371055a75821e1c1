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

// ErrUnknown is the error that is returned if a command names an action that does not exist.
var ErrUnknown = &Refusal{"no action has this number: limpet act list shows all actions"}

// Approve approves an action that waits for the answer of an operator. The caps and the guards are
// checked again before the command of the action starts.
func (x *Executor) Approve(ctx context.Context, id, who, text string) (Action, error) {
	return x.answer(ctx, id, Record{Who: who, Event: Answered, Text: said("approved", text)}, func(a *Action) error {
		switch {
		case a.State != Asked:
			return refusef("action %s does not wait for an answer: the state of the action is %s", id, a.State)
		case x.unix() >= a.Due:
			return refusef("action %s has expired: nobody answered in time", id)
		case x.stopped.Stopped:
			return refusef("%s has stopped all actions; allow actions again first (limpet act resume)", x.stopped.Who)
		}
		a.State, a.ApprovedBy, a.Due = Approved, who, x.unix()+int64(x.o.BeginLimit/time.Second)
		return nil
	})
}

// Refuse ends an action that waits for the answer of an operator. The action is not proposed again for
// the same incident.
func (x *Executor) Refuse(ctx context.Context, id, who, text string) (Action, error) {
	return x.answer(ctx, id, Record{Who: who, Event: Answered, Text: said("refused", text)}, func(a *Action) error {
		if a.State != Asked {
			return refusef("action %s does not wait for an answer: the state of the action is %s", id, a.State)
		}
		a.State, a.Reason, a.Due = Refused, said(who+" refused the action", text), 0
		return nil
	})
}

// Undo makes the executor reverse an action.
func (x *Executor) Undo(ctx context.Context, id, who, text string) (Action, error) {
	return x.answer(ctx, id, Record{Who: who, Event: Answered, Text: said("has ordered the undo", text)}, func(a *Action) error {
		switch {
		case a.State.Over():
			return refusef("action %s has already ended: the state of the action is %s", id, a.State)
		case !a.State.Masks():
			return refusef("action %s has changed nothing yet: the state of the action is %s", id, a.State)
		}
		a.UndoBy = who
		if a.State == Undoing { // the next attempt begins at once, because an operator requested it
			a.Checked = 0
		}
		return nil
	})
}

func said(what, text string) string {
	if text == "" {
		return what
	}
	return what + ": " + text
}

func (x *Executor) answer(ctx context.Context, id string, r Record, change func(*Action) error) (Action, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.actions[id] == nil {
		return Action{}, ErrUnknown
	}
	r.Action = id
	a, err := x.appendLocked(ctx, r, change)
	x.again()
	return a, err
}

// again makes Run call Look at once.
func (x *Executor) again() {
	select {
	case x.wake <- struct{}{}:
	default:
	}
}

// Stop stops all actions. While actions are stopped, limpet runs no command that changes anything,
// except an undo that an operator requested. A command that has started is not interrupted.
func (x *Executor) Stop(ctx context.Context, who, text string) (Switch, error) {
	return x.turn(ctx, Switch{Stopped: true, Who: who, Text: text})
}

// Resume allows actions again.
func (x *Executor) Resume(ctx context.Context, who, text string) (Switch, error) {
	return x.turn(ctx, Switch{Who: who, Text: text})
}

func (x *Executor) turn(ctx context.Context, s Switch) (Switch, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	s.Time = x.unix()
	what := "actions are allowed again"
	if s.Stopped {
		what = "all actions are stopped"
	}
	r := Record{Seq: x.seq + 1, Time: s.Time, Who: s.Who, Event: Switched, Text: said(what, s.Text)}
	record, err := json.Marshal(r)
	if err != nil {
		return s, err
	}
	state, err := json.Marshal(s)
	if err != nil {
		return s, err
	}
	err = x.o.Ledger.Step(ctx, func(tx *ledger.Tx) error {
		if err := tx.AppendAction(ledger.ActionRecord{Seq: r.Seq, Time: r.Time, Document: record}, nil); err != nil {
			return err
		}
		return tx.SetActionSwitch(state)
	})
	if err != nil {
		return s, fmt.Errorf("the command to stop or allow all actions cannot be saved: %w", err)
	}
	x.seq, x.stopped = r.Seq, s
	x.o.Report(fmt.Sprintf("%s: %s", s.Who, r.Text))
	x.again()
	return s, nil
}
