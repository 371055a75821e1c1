package alert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/live/ledger"
)

// deliverer delivers notifications to one receiver.
type deliverer struct {
	box     *Outbox
	address Address
	policy  Policy
	jitter  *rand.Rand

	fires    bool              // true if the receiver gets reminders, and at least one of its alerts fires
	reminded time.Time         // time of the last delivery; each delivery counts as a reminder, because it has all firing alerts if the receiver gets reminders
	since    time.Time         // time of the first failure after the last success; zero if no delivery has failed since the last success
	turn     Turn              // right of this node to deliver; valid only inside takeTurn
	unstored []ledger.Delivery // notifications that the receiver has acknowledged; the acknowledgement is not stored yet

	mu     sync.Mutex
	status ReceiverStatus
}

func newDeliverer(b *Outbox, a Address) *deliverer {
	n := &deliverer{box: b, address: a, policy: a.Sender.Policy(), jitter: random(b.ledger.Identity(), a.Name)}
	n.status.Receiver = a.Name
	return n
}

// run delivers notifications until the context `running` ends. Deliveries use the context `sending`.
// This context ends later, so that a delivery can finish if it has begun.
func (n *deliverer) run(running, sending context.Context) {
	n.recall(running)
	for running.Err() == nil {
		turn, err := n.box.turns.Take(running, n.address.Name)
		if err != nil {
			if running.Err() == nil {
				n.fails(err)
				n.sleep(running, n.pause(), nil)
			}
			continue
		}
		n.takeTurn(running, sending, turn)
	}
}

// takeTurn delivers notifications until the turn is over or the context `running` ends. A delivery
// that has begun before the turn ends is not aborted, because the receiver may already have the
// notifications. At its beginning, takeTurn forgets earlier failures and the time of the last
// reminder, because another node may have delivered since then.
func (n *deliverer) takeTurn(running, sending context.Context, turn Turn) {
	running, stop := context.WithCancel(running)
	defer stop()
	defer context.AfterFunc(turn.Context(), stop)()
	defer turn.End()
	n.turn, n.unstored = turn, nil
	n.resetTurn()
	for running.Err() == nil {
		changed := n.box.ledger.Changed()
		sent, err := n.deliver(running, sending)
		switch {
		case err != nil:
			n.fails(err)
			n.sleep(running, n.pause(), nil)
		case !sent:
			n.sleep(running, n.untilReminder(), changed)
		}
	}
	err := n.note(sending) // try once more to store the last acknowledgement: the disk may have been full before
	switch {
	case turn.Context().Err() != nil:
		n.resetTurn() // another node delivers now, so the failures of this node no longer count
	case err != nil:
		n.fails(err)
	}
}

// recall reads the time of the receiver's last acknowledgement.
func (n *deliverer) recall(ctx context.Context) {
	at, err := n.box.ledger.LastAcknowledged(ctx, n.address.Name)
	n.mu.Lock()
	defer n.mu.Unlock()
	if err == nil && at > 0 {
		n.status.Last = time.Unix(at, 0)
	}
}

// deliver sends the next batch. It sends nothing if there is no new notification and no reminder is
// due.
func (n *deliverer) deliver(running, sending context.Context) (sent bool, err error) {
	if err := n.note(sending); err != nil {
		return false, err
	}
	batch, queue, err := n.batch(running)
	if err != nil || len(batch.New) == 0 && !n.remindsNow() {
		return false, err
	}
	if err := n.turn.Begin(sending, queue); err != nil {
		return false, err
	}
	if err := n.address.Sender.Send(sending, batch); err != nil {
		return false, n.handleError(sending, err, queue)
	}
	n.unstored = queue
	n.succeeds()
	return true, n.note(sending)
}

// batch returns the next batch and the entries of the outbox that the batch contains. It reads the
// firing alerts first and the outbox second. So if an alert resolves between the two reads, the
// batch also contains the end of this alert.
func (n *deliverer) batch(ctx context.Context) (b Batch, queue []ledger.Delivery, err error) {
	if n.policy.RemindEvery > 0 {
		if b.Firing, err = ListFiring(ctx, n.box.ledger); err != nil {
			return b, nil, err
		}
		b.Firing = slices.DeleteFunc(b.Firing, func(f Notification) bool { return !n.address.Accepts(f.Severity) })
		n.fires = len(b.Firing) > 0
	}
	if queue, err = n.box.ledger.Queue(ctx, n.address.Name, n.policy.MaxBatch); err != nil {
		return b, nil, err
	}
	for i := range queue {
		var note Notification
		if err := json.Unmarshal(queue[i].Payload, &note); err != nil {
			return b, nil, fmt.Errorf("the saved notification %s cannot be read: %w", queue[i].Key, err)
		}
		b.New = append(b.New, note)
	}
	return b, queue, nil
}

func (n *deliverer) remindsNow() bool {
	return n.fires && n.box.opts.Now().Sub(n.reminded) >= n.policy.RemindEvery
}

// untilReminder returns the time until the next reminder. If no alert fires, no reminder is due,
// and untilReminder returns 0, which means "no time limit" for the method sleep.
func (n *deliverer) untilReminder() time.Duration {
	if !n.fires {
		return 0
	}
	return max(n.policy.RemindEvery-n.box.opts.Now().Sub(n.reminded), time.Millisecond)
}

// note stores in the ledger that the receiver has acknowledged the notifications in n.unstored.
func (n *deliverer) note(ctx context.Context) error {
	if len(n.unstored) == 0 {
		return nil
	}
	if err := n.turn.Settle(ctx, n.box.opts.Now().Unix(), false, n.unstored); err != nil {
		return err
	}
	n.unstored = nil
	return nil
}

// handleError handles an error of Send. It marks the notifications of the batch as set aside if two
// conditions are true: the receiver refuses the batch, and all deliveries to the receiver have
// failed for at least DeliveryOptions.SetAside. These notifications stay in the ledger, but are not
// sent again, so that later notifications can be sent.
func (n *deliverer) handleError(ctx context.Context, err error, queue []ledger.Delivery) error {
	var refusal *Refusal
	now := n.box.opts.Now()
	if !errors.As(err, &refusal) || len(queue) == 0 || n.since.IsZero() || now.Sub(n.since) < n.box.opts.SetAside {
		return err
	}
	if noted := n.turn.Settle(ctx, now.Unix(), true, queue); noted != nil {
		return noted
	}
	n.since = time.Time{}
	return fmt.Errorf("the receiver refused %d notifications, and limpet does not send these notifications again: %w", len(queue), err)
}

// pause returns the wait before the next attempt: a random time between w/2 and w. The time w
// doubles with each failure, up to LongestRetry.
func (n *deliverer) pause() time.Duration {
	wait := n.box.opts.FirstRetry
	for range n.current().Failures - 1 {
		if wait = 2 * wait; wait >= n.box.opts.LongestRetry {
			wait = n.box.opts.LongestRetry
			break
		}
	}
	return wait/2 + time.Duration(n.jitter.Int64N(int64(wait/2)+1))
}

// sleep waits until one of three things happens: the time `wait` is over, the channel `changed` is
// closed, or the context ends. If `wait` is 0, there is no time limit.
func (n *deliverer) sleep(ctx context.Context, wait time.Duration, changed <-chan struct{}) {
	var after <-chan time.Time
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		after = timer.C
	}
	select {
	case <-ctx.Done():
	case <-changed:
	case <-after:
	}
}

// resetTurn resets the failures and the time of the last reminder, because they belong to an
// earlier turn.
func (n *deliverer) resetTurn() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.reminded, n.since = time.Time{}, time.Time{}
	n.status.Failures, n.status.Trouble = 0, ""
}

func (n *deliverer) succeeds() {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.box.opts.Now()
	n.reminded, n.since = now, time.Time{}
	n.status.Last, n.status.Failures, n.status.Trouble = now, 0, ""
}

func (n *deliverer) fails(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.since.IsZero() {
		n.since = n.box.opts.Now()
	}
	n.status.Failures++
	n.status.Trouble = trouble(n.address.Name, n.since, err)
}

// trouble returns a sentence for users about the failed deliveries to a receiver.
func trouble(name string, since time.Time, err error) string {
	what := fmt.Sprintf("notifications to receiver %s have failed", name)
	if errors.Is(err, ledger.ErrFull) {
		what = fmt.Sprintf("limpet cannot save which notifications receiver %s has accepted", name)
	}
	return fmt.Sprintf("Since %s, %s: %v. limpet tries again until the problem is solved. The notifications stay in the ledger.", since.UTC().Format("2006-01-02 15:04:05Z"), what, err)
}

func (n *deliverer) current() ReceiverStatus {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.status
}
