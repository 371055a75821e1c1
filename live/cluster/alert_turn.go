package cluster

import (
	"context"
	"sync"
)

// alertTurn is the right of this node to decide, to deliver to one receiver, or to carry out
// actions. The node has this right while it has a lease and a claim in the log of alerts.
type alertTurn struct {
	*fencedLog
	g       *Gather
	held    context.Context // ends when the lease is lost or given back
	lose    context.CancelFunc
	running context.Context // ends when held ends, when this node stops, or after a record of a newer version of limpet; then no decision, delivery or action may begin
	ended   chan struct{}   // closed when the lease is to be released
	renews  sync.WaitGroup
	once    sync.Once
}

// takeAlertTurn waits for the lease of a subject, and then writes a claim. When takeAlertTurn
// returns, the ledger of this node has all records up to the claim. So this node knows all
// decisions, deliveries and actions of the node that had the lease before.
func (g *Gather) takeAlertTurn(ctx context.Context, subject string, claim AlertMessage) (*alertTurn, error) {
	select {
	case <-g.following:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case <-g.ended: // this node does not apply the log any more
		<-ctx.Done()
		return nil, ctx.Err()
	default:
	}
	// A node that is far behind must not hold the lease while it reads the log, because no node
	// could decide or deliver in this time.
	if last, err := g.alerts.log.Last(ctx, subject); err == nil {
		if err := g.alerts.await(ctx, last.Seq); err != nil {
			return nil, err
		}
	}
	if g.alerts.stopped() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	holder := &leaseholder{g.o.Bus, g.o.Node, g.o.Now, g.o.Warn}
	lease, err := holder.takeLease(ctx, alertPrefix+subject)
	if err != nil {
		return nil, err
	}
	t := &alertTurn{g: g, ended: make(chan struct{})}
	t.fencedLog = &fencedLog{log: g.alerts.log, subject: subject, node: g.o.Node, fence: lease.Fence, now: g.o.Now}
	t.held, t.lose = context.WithCancel(context.WithoutCancel(ctx)) // the context held does not end with ctx, so that the last acknowledgement can be written after ctx has ended
	var stop context.CancelFunc
	t.running, stop = context.WithCancel(t.held)
	t.renews.Go(func() { holder.renewLease(t.ended, t.lose, lease) })
	t.renews.Go(func() {
		defer stop()
		select {
		case <-g.ended:
		case <-g.alerts.older:
		case <-t.ended:
		}
	})
	if g.alerts.stopped() { // a record of a newer version came while this node waited for the lease
		t.End()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	within, done := context.WithTimeout(t.held, g.o.Bus.LeaseTime)
	defer done()
	defer context.AfterFunc(ctx, done)()
	seq, err := t.claim(within, claim)
	if err == nil {
		err = g.alerts.await(within, seq)
	}
	if err != nil {
		t.End()
		return nil, err
	}
	return t, nil
}

// Context returns a context that ends when the turn is lost, or when this node stops.
func (t *alertTurn) Context() context.Context { return t.running }

// write writes a record. If the write fails, this node gives up its turn. Another node may have
// taken the turn, or it may be unknown whether the log has stored the record.
func (t *alertTurn) write(ctx context.Context, k Kind, m AlertMessage) (uint64, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(t.held, stop)()
	seq, err := t.put(ctx, k, m)
	if err != nil {
		t.lose()
	}
	return seq, err
}

// writeAndAwait writes a record and waits until the ledger of this node has it. If this node is
// about to stop, writeAndAwait does not wait, because the ledger needs the record only after the
// next start.
func (t *alertTurn) writeAndAwait(ctx context.Context, k Kind, m AlertMessage) error {
	seq, err := t.write(ctx, k, m)
	if err != nil {
		return err
	}
	within, stop := context.WithTimeout(ctx, t.g.o.Bus.LeaseTime)
	defer stop()
	defer context.AfterFunc(t.running, stop)()
	err = t.g.alerts.await(within, seq)
	select {
	case <-t.g.ended:
		return nil
	default:
		return err
	}
}

// End gives the turn back, so that another node can begin at once.
func (t *alertTurn) End() {
	t.once.Do(func() { close(t.ended) })
	t.renews.Wait()
	t.lose()
}
