package cluster

import (
	"context"

	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/ledger"
)

// Turns returns the alert.Turns by which the nodes share deliveries: for each receiver, one node
// has the turn.
func (g *Gather) Turns() alert.Turns { return deliveryTurns{g} }

type deliveryTurns struct{ g *Gather }

// Take waits until this node may deliver to a receiver.
func (d deliveryTurns) Take(ctx context.Context, receiver string) (alert.Turn, error) {
	t, err := d.g.takeAlertTurn(ctx, deliverSubject(receiver), AlertMessage{Receiver: receiver})
	if err != nil {
		return nil, err
	}
	return &deliveryTurn{t, receiver}, nil
}

// Node returns the name of the node that delivers to a receiver.
func (d deliveryTurns) Node(receiver string) string {
	f := d.g.alerts
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.nodes[receiver]
}

// deliveryTurn is the turn of this node to deliver to one receiver.
type deliveryTurn struct {
	*alertTurn
	receiver string
}

// Begin writes into the log that notifications are about to be sent. A node that has lost its turn
// cannot write this record, so it does not send. A reminder needs no record, because a reminder
// that is sent twice does no harm.
func (t *deliveryTurn) Begin(ctx context.Context, list []ledger.Delivery) error {
	if len(list) == 0 {
		return t.held.Err()
	}
	m := AlertMessage{Receiver: t.receiver}
	for i := range list {
		m.Keys = append(m.Keys, list[i].Key)
	}
	_, err := t.write(ctx, SendingKind, m)
	return err
}

// Settle writes the answer of the receiver into the log. When it returns, the ledger of this node
// has the answer.
func (t *deliveryTurn) Settle(ctx context.Context, at int64, aside bool, list []ledger.Delivery) error {
	if aside {
		at = -at
	}
	m := AlertMessage{Receiver: t.receiver}
	for i := range list {
		m.Settled = append(m.Settled, Settled{list[i].Key, at})
	}
	return t.writeAndAwait(ctx, SettledKind, m)
}
