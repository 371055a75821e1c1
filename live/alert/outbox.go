// This file delivers notifications that the ledger holds, in order, until each
// receiver has acknowledged them.
//
// A receiver has a goroutine of its own: one that is down keeps nobody else
// waiting. What it acknowledges is noted on disk before the next is sent. A process
// that is killed between the two sends that one notification again, with the same
// key; nothing else is ever sent twice, but for receivers who are to be reminded of
// what fires, as Alertmanager is.
//
// Delivery goes by the clock of this machine; what is delivered was decided by the
// time of rows.

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
	ledger *ledger.Ledger
	opts   OutboxOptions
	lanes  []*lane

	stop  context.CancelFunc // no new delivery begins
	abort context.CancelFunc // those under way end
	done  sync.WaitGroup
}

// Start begins to deliver what the ledger holds for some receivers, and what it will
// hold. What it holds for others is dropped: nobody would ever send it.
func Start(ctx context.Context, l *ledger.Ledger, to []Address, o OutboxOptions) (*Outbox, error) {
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
		n := newLane(b, a)
		b.lanes = append(b.lanes, n)
		b.done.Go(func() { n.run(running, sending) })
	}
	return b, nil
}

// Close stops: a delivery that is under way may end within the grace.
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

// Status says how each receiver does.
func (b *Outbox) Status(ctx context.Context) ([]Status, error) {
	var list []Status
	for _, n := range b.lanes {
		s := n.current()
		var err error
		if s.Queued, err = b.ledger.Queued(ctx, n.to.Name); err != nil {
			return nil, fmt.Errorf("outbox of %s: %w", n.to.Name, err)
		}
		list = append(list, s)
	}
	return list, nil
}

// random draws the jitter of a receiver: another one for each receiver and ledger,
// so that not all of them knock at the same time.
func random(identity, receiver string) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s", identity, receiver)
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}
