// The log of alerts (alert_log.go) also has the actions of the cluster. One node at a time carries
// out actions (live/action): it "has the turn". This node writes every change of an action into the
// log, as a record with the subject "act". Every node reads the log and applies the change to its
// ledger. So every node shows all actions, and a node that takes over knows every action that an
// earlier node has begun.
//
// The changes are numbered. A node may find that a number is missing, because the node is new, or
// was down for longer than the log keeps its records. Such a node requests a copy of the present
// state (askCopy). It does not take the turn before it has the copy.
//
// At the beginning of its turn, a node writes a copy of its own state. If NATS has lost the log,
// another node may have later changes in its ledger. That other node then writes a copy of its own
// state (answerCopy).
//
// Operators may use any node. A node that does not have the turn writes an operator's command into
// the log, as a record with the subject "orders". The node that has the turn executes the command
// and writes its outcome.

package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/live/action"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/ledger"
	plan "github.com/limpet-storage/limpet/report/action"
)

// actSubject is the subject of the records about actions. orderSubject is the subject of the
// records with operators' commands about actions.
const (
	actSubject   = "act"
	orderSubject = "orders"
)

// copyVerb requests a copy of the present state of all actions from the node that has the turn.
const copyVerb action.Verb = "copy"

// orderSeconds is the time within which an operator's command must be executed. An older command is
// not executed, because its operator has got an error message, and may have given another command.
// A command to stop is executed even if it is older.
const orderSeconds = 30

// ActionTurns returns the Turns of the cluster: one node at a time carries out actions. The caller
// may use the Turns only if the history of this node has the measured values of the whole cluster.
// limpet decides from these values whether an action helped.
func (g *Gather) ActionTurns() action.Turns { return actionTurns{g} }

type actionTurns struct{ g *Gather }

// Take waits until this node may carry out actions.
func (a actionTurns) Take(ctx context.Context, policy string) (action.Turn, error) {
	g := a.g
	select {
	case <-g.following:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	t, err := g.takeAlertTurn(ctx, actSubject, AlertMessage{Policy: policy})
	if err != nil {
		return nil, err
	}
	turn := &actionTurn{alertTurn: t, orders: make(chan action.PassedOrder, mostOrders), changed: make(chan struct{}, 1)}
	if g.alerts.position().MissesActions {
		err = errors.New("this node does not know all actions of the cluster yet")
		g.askCopy(ctx)
	}
	if err == nil {
		err = turn.copy(t.running)
	}
	if err != nil {
		t.End()
		return nil, err
	}
	for _, o := range g.alerts.setActing(turn) {
		g.passOrder(o) // no node has executed this command yet
	}
	turn.copies.Go(turn.copyAgain)
	return turn, nil
}

// Holder returns the name of the node that carries out actions, and the digest of its policy.
func (a actionTurns) Holder() (node, policy string) {
	f := a.g.alerts
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.acts, f.policy
}

// Order passes an operator's command to the node that carries out actions, and waits for the
// outcome.
func (a actionTurns) Order(ctx context.Context, o action.Order) (out action.Outcome, err error) {
	g := a.g
	select {
	case <-g.following:
	default:
		return out, errors.New("this node has not joined the cluster yet: try again")
	}
	ctx, stop := context.WithTimeout(ctx, orderSeconds*time.Second)
	defer stop()
	key := fmt.Sprintf("%s %d", g.o.Node, g.o.Now().UnixNano())
	outcome := g.alerts.awaitOutcome(key)
	defer g.alerts.forgetOutcome(key)
	if err := g.appendOrder(ctx, key, o); err != nil {
		return out, fmt.Errorf("the command cannot be saved: %w", err)
	}
	select {
	case out = <-outcome:
		return out, nil
	case <-ctx.Done():
		return out, fmt.Errorf("no node has executed the command within %d s: check the nodes of the cluster, and check the state of the action before you try again", orderSeconds)
	}
}

func (g *Gather) appendOrder(ctx context.Context, key string, o action.Order) error {
	m := AlertMessage{Node: g.o.Node, Key: key, Order: &o}
	data, err := m.encode()
	if err != nil {
		return err
	}
	out := Output{Kind: orderKind, Cause: g.o.Now(), Data: data}
	return g.alerts.log.Append(ctx, bus.Record{Subject: orderSubject, ID: "order " + key, Data: out.encode()})
}

// askCopy requests a copy of the present state of all actions from the node that has the turn.
func (g *Gather) askCopy(ctx context.Context) {
	key := fmt.Sprintf("%s %d", g.o.Node, g.o.Now().UnixNano())
	if err := g.appendOrder(ctx, key, action.Order{Verb: copyVerb}); err != nil && ctx.Err() == nil {
		g.o.Warn(fmt.Sprintf("this node does not know all actions of the cluster, and cannot ask another node for them: %v", err))
	}
}

// lastAction returns the number of the last change of actions that the ledger has.
func (g *Gather) lastAction(ctx context.Context) (last int64) {
	err := g.store.Ledger.Step(ctx, func(tx *ledger.Tx) (err error) { last, err = tx.LastActionRecord(); return err })
	if err != nil && ctx.Err() == nil {
		g.o.Warn(fmt.Sprintf("the number of the last record of actions cannot be read from the ledger: %v", err))
	}
	return last
}

// actionTurn is the turn of this node: its right to carry out actions.
type actionTurn struct {
	*alertTurn
	orders  chan action.PassedOrder
	changed chan struct{}
	mu      sync.Mutex // held while a change or a copy is written, so that a copy includes all earlier changes
	copies  sync.WaitGroup
}

// mostOrders is the largest number of operators' commands that wait for the executor. If this
// number of commands wait, a further command is not executed, and its operator gets an error.
const mostOrders = 64

func (t *actionTurn) Orders() <-chan action.PassedOrder { return t.orders }

func (t *actionTurn) Changed() <-chan struct{} { return t.changed }

// Write writes a change into the log. When it returns, the ledger of this node has the change.
func (t *actionTurn) Write(ctx context.Context, c *ledger.ActionChange) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if last := t.g.lastAction(ctx); c.Record.Seq != last+1 {
		return ledger.ErrBehind // the ledger has later changes from another node: the executor reads the ledger again
	}
	return t.writeAndAwait(ctx, actionKind, AlertMessage{Change: c})
}

// End gives the turn back.
func (t *actionTurn) End() {
	t.g.alerts.setActing(nil)
	t.lose()
	t.copies.Wait()
	t.alertTurn.End()
}

// copyAgain writes a copy of the state of all actions at regular intervals. The log drops old
// records, so without new copies a new node could not get the state from the log.
func (t *actionTurn) copyAgain() {
	tick := time.NewTicker(t.g.o.LogRetention.Output / refreshesPerKeep)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := t.copy(t.running); err != nil && t.running.Err() == nil {
				t.g.o.Warn(fmt.Sprintf("the actions cannot be copied into the log of alerts: %v", err))
			}
		case <-t.running.Done():
			return
		}
	}
}

// copy writes the present state of all actions into the log.
func (t *actionTurn) copy(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	list, err := t.g.actionStates(ctx)
	for _, c := range list {
		if err == nil {
			_, err = t.write(ctx, actionKind, AlertMessage{Change: c})
		}
	}
	return err
}

// actionStates returns a copy of the present state of all actions, as a list of changes that other
// nodes can apply. The last change marks the copy as complete.
func (g *Gather) actionStates(ctx context.Context) (list []*ledger.ActionChange, err error) {
	err = g.store.Ledger.Step(ctx, func(tx *ledger.Tx) error {
		last, err := tx.LastActionRecord()
		if err != nil {
			return err
		}
		stored, err := tx.Actions(g.o.Now().Unix() - plan.KeptSeconds)
		if err != nil {
			return err
		}
		for i := range stored {
			list = append(list, &ledger.ActionChange{Action: &stored[i], Through: last})
		}
		text, err := tx.ActionSwitch()
		list = append(list, &ledger.ActionChange{Switch: text, Through: last})
		return err
	})
	return list, err
}

// appendActions writes changes into the log. No lease is needed, so every node may call
// appendActions.
func (g *Gather) appendActions(ctx context.Context, id string, list []*ledger.ActionChange) error {
	for i, c := range list {
		m := AlertMessage{Node: g.o.Node, Change: c}
		data, err := m.encode()
		if err != nil {
			return err
		}
		out := Output{Kind: actionKind, Cause: g.o.Now(), Data: data}
		if err := g.alerts.log.Append(ctx, bus.Record{Subject: leftSubject(g.o.Node), ID: fmt.Sprintf("actions %s %s %d", g.o.Node, id, i), Data: out.encode()}); err != nil {
			return err
		}
	}
	return nil
}

// moveActions prepares the ledger of a node that joins the cluster. It changes the IDs of the
// actions in the ledger, because another node may have used the same IDs. It writes the actions that
// are not over into the log. The node that has the turn then continues these actions. If an operator
// has stopped all actions of this node, moveActions stops all actions of the cluster.
func (g *Gather) moveActions(ctx context.Context) error {
	var left []*ledger.ActionChange
	err := g.store.Ledger.Step(ctx, func(tx *ledger.Tx) error {
		if err := tx.PrefixActions(g.o.Node + "-"); err != nil {
			return err
		}
		stored, err := tx.Actions(g.o.Now().Unix())
		if err != nil {
			return err
		}
		for i := range stored {
			if stored[i].Ended == 0 {
				left = append(left, &ledger.ActionChange{Action: &stored[i]})
			}
		}
		text, err := tx.ActionSwitch()
		var stopped action.Switch
		if err == nil && text != nil && json.Unmarshal(text, &stopped) == nil && stopped.Stopped {
			left = append(left, &ledger.ActionChange{Switch: text})
		}
		return err
	})
	if err != nil {
		return err
	}
	return g.appendActions(ctx, "join", left)
}

// applyAction applies a change of actions, which may be a part of a copy, to the ledger. If a
// change before c is missing in the ledger, applyAction only sets at.MissesActions. A complete copy
// resets at.MissesActions.
func (g *Gather) applyAction(tx *ledger.Tx, c *ledger.ActionChange, at *ledger.AlertLog) error {
	last, err := tx.LastActionRecord()
	if err != nil {
		return err
	}
	switch {
	case c.Record != nil && c.Record.Seq > last+1:
		at.MissesActions = true
		return nil
	case c.IsComplete() && c.Through > 0 && c.Through >= last:
		at.MissesActions = false
	}
	return tx.ApplyAction(c)
}

// noteActions is called after another node has written actions into the log. If this node has the
// turn, noteActions makes its executor read the ledger.
func (f *followed) noteActions() {
	if t := f.acting(); t != nil {
		select {
		case t.changed <- struct{}{}:
		default: // an earlier notice waits: when the executor reads the ledger, it also reads this change
		}
	}
}

// answerCopy is called when another node has written a copy of its actions. If the copy lacks
// changes that this node has, answerCopy writes a copy of the actions of this node.
func (g *Gather) answerCopy(ctx context.Context, m *AlertMessage) {
	if m.Node == g.o.Node || g.alerts.position().MissesActions || g.lastAction(ctx) <= m.Change.Through {
		return
	}
	list, err := g.actionStates(ctx)
	if err == nil {
		err = g.appendActions(ctx, fmt.Sprintf("more %d", g.o.Now().UnixNano()), list)
	}
	if err != nil && ctx.Err() == nil {
		g.o.Warn(fmt.Sprintf("node %s does not know all actions, and this node cannot write them into the log of alerts: %v", m.Node, err))
	}
}

// waitingOrder is an operator's command that has no outcome yet.
type waitingOrder struct {
	AlertMessage
	sentAt time.Time
}

// passOrder passes an operator's command to the executor, if this node carries out actions. It
// drops a command that is older than orderSeconds, except a command to stop.
func (g *Gather) passOrder(m waitingOrder) {
	turn := g.alerts.acting()
	if turn == nil {
		return
	}
	if m.Order.Verb == copyVerb {
		turn.copies.Go(func() {
			if err := turn.copy(turn.running); err != nil && turn.running.Err() == nil {
				g.o.Warn(fmt.Sprintf("the actions cannot be copied into the log of alerts: %v", err))
			}
		})
		return
	}
	if m.Order.Verb != action.Stop && g.o.Now().Sub(m.sentAt) > orderSeconds*time.Second {
		g.o.Warn(fmt.Sprintf("the command %q of operator %s is older than %d s and is not executed", m.Order.Verb, m.Order.Who, orderSeconds))
		return
	}
	key := m.Key
	passed := action.PassedOrder{Order: *m.Order, Answer: func(ctx context.Context, o action.Outcome) error {
		_, err := turn.write(ctx, outcomeKind, AlertMessage{Key: key, Outcome: &o})
		return err
	}}
	select {
	case turn.orders <- passed:
	default:
		g.o.Warn(fmt.Sprintf("the command %q of operator %s is not executed, because too many commands wait", m.Order.Verb, m.Order.Who))
	}
}

// setActing stores the turn of this node, or nil if this node does not have the turn. It returns
// the operators' commands that have no outcome yet.
func (f *followed) setActing(t *actionTurn) []waitingOrder {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turn = t
	return slices.Clone(f.waiting)
}

// noteOrder keeps an operator's command in memory until the command has an outcome, or is older
// than orderSeconds. A command to stop is kept even if it is older.
func (f *followed) noteOrder(m waitingOrder, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting = slices.DeleteFunc(f.waiting, func(w waitingOrder) bool {
		return w.Order.Verb != action.Stop && now.Sub(w.sentAt) > orderSeconds*time.Second
	})
	if m.Order.Verb != copyVerb && len(f.waiting) < mostOrders {
		f.waiting = append(f.waiting, m)
	}
}

func (f *followed) acting() *actionTurn {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.turn
}

// awaitOutcome returns a channel for the outcome of a command.
func (f *followed) awaitOutcome(key string) <-chan action.Outcome {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := make(chan action.Outcome, 1)
	f.outcomes[key] = c
	return c
}

func (f *followed) forgetOutcome(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.outcomes, key)
}

// passOutcome passes the outcome of a command to the goroutine that waits for it.
func (f *followed) passOutcome(m *AlertMessage) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting = slices.DeleteFunc(f.waiting, func(w waitingOrder) bool { return w.Key == m.Key })
	if c := f.outcomes[m.Key]; c != nil && m.Outcome != nil {
		delete(f.outcomes, m.Key)
		c <- *m.Outcome
	}
}
