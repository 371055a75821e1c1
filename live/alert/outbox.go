// The outbox delivers the notifications that are in the ledger, in order. It sends a notification
// again and again, until the receiver has acknowledged the notification, or has refused it for
// DeliveryOptions.SetAside.
//
// In a cluster, one node at a time delivers to a receiver (turn.go). The acknowledgements are in a
// log that all nodes read.
//
// Each receiver has a goroutine of its own, so that a receiver that is down does not delay the
// other receivers. An acknowledgement is on disk before the next batch is sent. The process may be
// killed after a batch was sent and before its acknowledgement is on disk. The next process then
// sends the notifications of this one batch again, with the same keys. No other notification is
// sent twice. But firing alerts are repeated in reminders, for receivers such as Alertmanager.
//
// The times of deliveries depend on the clock of this machine. The content of a notification does
// not depend on this clock, but on the times of rows.

package alert

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/live/ledger"
)

// Outbox delivers notifications until it is closed.
type Outbox struct {
	ledger     *ledger.Ledger
	opts       DeliveryOptions
	turns      Turns
	deliverers []*deliverer

	stop  context.CancelFunc // ends the loops: no new delivery begins
	abort context.CancelFunc // ends the deliveries that have begun
	done  sync.WaitGroup
}

// StartOutbox starts to deliver notifications to the given receivers. It begins with the
// notifications that are in the ledger. The ledger may also have notifications for receivers that
// are not given. Without a cluster, StartOutbox drops these notifications, because no process would
// ever send them. In a cluster it keeps them, because another node may have these receivers.
func StartOutbox(ctx context.Context, l *ledger.Ledger, to []Address, o DeliveryOptions) (*Outbox, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	names := []string{}
	for _, a := range to {
		names = append(names, a.Name)
	}
	turns := o.Turns
	if turns == nil {
		turns = singleProcess{l}
		if err := l.Step(ctx, func(tx *ledger.Tx) error { return tx.DropReceivers(names) }); err != nil {
			return nil, err
		}
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	sending, abort := context.WithCancel(context.WithoutCancel(ctx))
	b := &Outbox{ledger: l, opts: o, turns: turns, stop: stop, abort: abort}
	for _, a := range to {
		n := newDeliverer(b, a)
		b.deliverers = append(b.deliverers, n)
		b.done.Go(func() { n.run(running, sending) })
	}
	return b, nil
}

// Close stops the outbox. It waits for a delivery that has begun, but not longer than
// DeliveryOptions.Grace.
func (b *Outbox) Close() error {
	b.stop()
	ended := make(chan struct{})
	go func() { b.done.Wait(); close(ended) }()
	grace := time.NewTimer(b.opts.Grace)
	defer grace.Stop()
	select {
	case <-ended:
	case <-grace.C:
	}
	b.abort()
	<-ended
	return nil
}

// Status returns the state of the deliveries to each receiver: the number of waiting notifications,
// the time of the last acknowledgement, and the reason why deliveries fail.
func (b *Outbox) Status(ctx context.Context) ([]ReceiverStatus, error) {
	var list []ReceiverStatus
	for _, n := range b.deliverers {
		s := n.current()
		s.Node = b.turns.Node(n.address.Name)
		if b.opts.Turns != nil { // read the ledger, because the last acknowledgement may be from another node
			n.recall(ctx)
			s.Last = n.current().Last
		}
		var err error
		if s.Queued, s.Oldest, err = b.ledger.Queued(ctx, n.address.Name); err != nil {
			return nil, fmt.Errorf("the undelivered notifications for receiver %s cannot be read: %w", n.address.Name, err)
		}
		list = append(list, s)
	}
	return list, nil
}

// random returns a source of random numbers for the waits before retries. Its seed depends on the
// ledger and the receiver, so that deliveries to several receivers are not retried at the same
// time.
func random(identity, receiver string) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s", identity, receiver)
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}
