package action

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"

	"github.com/limpet-storage/limpet/live/ledger"
	plan "github.com/limpet-storage/limpet/report/action"
)

// Turns decides which process carries out actions. Without a cluster there is only one process, and
// it always has the turn. In a cluster, only the node that has the turn carries out actions. The
// node keeps the turn until it gives the turn back (Turn.End) or loses it (Turn.Context).
type Turns interface {
	// Take waits until this process may carry out actions, or until the context ends. The caller
	// passes the digest of its policy. When Take returns, the ledger has all records of the process
	// that had the turn before.
	Take(ctx context.Context, policy string) (Turn, error)
	// Order passes an operator's command to the process that has the turn, and returns the outcome.
	Order(ctx context.Context, o Order) (Outcome, error)
	// Holder returns the name of the node that has the turn, and the digest of its policy. The name
	// is empty if no node has the turn.
	Holder() (node, policy string)
}

// Turn is the right of this process to carry out actions.
type Turn interface {
	// Context returns a context that ends when the turn is lost.
	Context() context.Context
	// Write stores a change of actions. When Write returns without an error, the change is in the
	// ledger of this process. Write returns an error if the turn is lost.
	Write(ctx context.Context, c *ledger.ActionChange) error
	// Orders returns a channel with operators' commands that other processes have passed on.
	Orders() <-chan PassedOrder
	// Changed returns a channel. The channel gets a value after changes of actions by another
	// process were applied to the ledger.
	Changed() <-chan struct{}
	// End gives the turn back.
	End()
}

// Verb is the kind of an operator's command.
type Verb string

// The verbs of operators.
const (
	Approve Verb = "approve"
	Refuse  Verb = "refuse"
	Undo    Verb = "undo"
	Stop    Verb = "stop"   // stop all actions
	Resume  Verb = "resume" // allow actions again
)

// Order is an operator's command.
type Order struct {
	Verb   Verb
	Action string // ID of the action; empty if the verb concerns all actions
	Who    string // name of the operator
	Text   string // comment of the operator
}

// Outcome is the result of an operator's command.
type Outcome struct {
	Action  Action // the action after Approve, Refuse or Undo
	Switch  Switch // the switch after Stop or Resume
	Unknown bool   // true if no action has the ID
	Refused string // sentence with the reason why the command was not executed; empty if it was executed
}

// outcomeOf puts an error into an outcome if the error is a [Refusal] or ErrUnknown, and then
// returns no error. It returns any other error to the caller, because the result of the command is
// then unknown.
func outcomeOf(out Outcome, err error) (Outcome, error) {
	if errors.Is(err, ErrUnknown) {
		out.Unknown = true
		return out, nil
	}
	if refused, ok := errors.AsType[*Refusal](err); ok {
		out.Refused = refused.Text
		return out, nil
	}
	return out, err
}

// err returns the error that outcomeOf has put into the outcome, or nil if there is no error.
func (o *Outcome) err() error {
	switch {
	case o.Unknown:
		return ErrUnknown
	case o.Refused != "":
		return &Refusal{o.Refused}
	}
	return nil
}

// PassedOrder is an operator's command that another process passes on.
type PassedOrder struct {
	Order
	Answer func(ctx context.Context, o Outcome) error
}

// singleProcess is the turn (the right to carry out actions) if there is no cluster. The only
// process keeps this turn until it ends.
type singleProcess struct{ ledger *ledger.Ledger }

func (singleProcess) Context() context.Context { return context.Background() }

func (a singleProcess) Write(ctx context.Context, c *ledger.ActionChange) error {
	return a.ledger.Step(ctx, func(tx *ledger.Tx) error { return tx.AppendAction(c) })
}

func (singleProcess) Orders() <-chan PassedOrder { return nil }

func (singleProcess) Changed() <-chan struct{} { return nil }

func (singleProcess) End() {}

// digest returns a text that identifies the content of a policy. Different policies have different
// digests.
func digest(p *plan.Policy) string {
	data, err := json.Marshal(p)
	if err != nil { // cannot happen, because a policy has only numbers, texts and lists
		return err.Error()
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
