// The outbox delivers the notifications that the ledger holds, in order, until each
// receiver has acknowledged them.
//
// Each receiver has a goroutine of its own, so that a receiver that is down delays no
// other. An acknowledgement is on disk before the next notification is sent. A process
// that is killed between the two sends that one notification again, with the same key.
// Nothing else is sent twice, except to receivers that want to be reminded of firing
// alerts, such as Alertmanager.
//
// Delivery uses the clock of this machine. The content was decided by the time of rows.

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
	deliverers []*deliverer

	stop  context.CancelFunc // ends the loops: no new delivery begins
	abort context.CancelFunc // ends the deliveries that are under way
	done  sync.WaitGroup
}

// StartOutbox starts to deliver the notifications that the ledger holds for the given
// receivers, and those that it will hold. It drops notifications for all other receivers,
// since nothing would ever send them.
func StartOutbox(ctx context.Context, l *ledger.Ledger, to []Address, o DeliveryOptions) (*Outbox, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	names := []string{}
	for _, a := range to {
		names = append(names, a.Name)
	}
	if err := l.Step(ctx, func(tx *ledger.Tx) error { return tx.DropReceivers(names) }); err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	sending, abort := context.WithCancel(context.WithoutCancel(ctx))
	b := &Outbox{ledger: l, opts: o, stop: stop, abort: abort}
	for _, a := range to {
		n := newDeliverer(b, a)
		b.deliverers = append(b.deliverers, n)
		b.done.Go(func() { n.run(running, sending) })
	}
	return b, nil
}

// Close stops the outbox. A delivery that is under way has DeliveryOptions.Grace to end.
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

// Status returns the status of each receiver.
func (b *Outbox) Status(ctx context.Context) ([]ReceiverStatus, error) {
	var list []ReceiverStatus
	for _, n := range b.deliverers {
		s := n.current()
		var err error
		if s.Queued, err = b.ledger.Queued(ctx, n.to.Name); err != nil {
			return nil, fmt.Errorf("outbox of %s: %w", n.to.Name, err)
		}
		list = append(list, s)
	}
	return list, nil
}

// random returns the jitter of a receiver. It differs between receivers and ledgers, so
// that they do not all retry at the same time.
func random(identity, receiver string) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s", identity, receiver)
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}
