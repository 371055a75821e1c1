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

// lane is the way to one receiver.
type lane struct {
	box    *Outbox
	to     Address
	manner Manner
	jitter *rand.Rand

	fires    bool      // there is something to remind it of
	reminded time.Time // when it was last told all that fires
	since    time.Time // when the first of these failures was
	unnoted  []int64   // acknowledged, and not yet noted on disk

	mu     sync.Mutex
	status Status
}

func newLane(b *Outbox, a Address) *lane {
	n := &lane{box: b, to: a, manner: a.To.Manner(), jitter: random(b.ledger.Identity(), a.Name)}
	n.status.Receiver = a.Name
	return n
}

// run delivers until the first context ends; the second is that of deliveries.
func (n *lane) run(running, sending context.Context) {
	n.recall(running)
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
	if err := n.note(sending); err != nil { // the last that was acknowledged, where the disk was full
		n.fails(err)
	}
}

// recall reads when the receiver last acknowledged anything.
func (n *lane) recall(ctx context.Context) {
	at, err := n.box.ledger.LastAcknowledged(ctx, n.to.Name)
	n.mu.Lock()
	defer n.mu.Unlock()
	if err == nil && at > 0 {
		n.status.Last = time.Unix(at, 0)
	}
}

// deliver sends a batch, if there is anything to send.
func (n *lane) deliver(running, sending context.Context) (sent bool, err error) {
	if err := n.note(sending); err != nil {
		return false, err
	}
	batch, numbers, err := n.batch(running)
	if err != nil || len(batch.New) == 0 && !n.remindsNow() {
		return false, err
	}
	if err := n.to.To.Send(sending, batch); err != nil {
		return false, n.refused(sending, err, numbers)
	}
	n.unnoted = numbers
	n.succeeds()
	return true, n.note(sending)
}

// batch is what there is to send, and the numbers of what is new in it. What fires
// is read first: what ends meanwhile is new, and comes later.
func (n *lane) batch(ctx context.Context) (b Batch, numbers []int64, err error) {
	if n.manner.Remind > 0 {
		if b.Firing, err = Standing(ctx, n.box.ledger); err != nil {
			return b, nil, err
		}
		b.Firing = slices.DeleteFunc(b.Firing, func(f Notification) bool { return !n.to.Hears(f.Severity) })
		n.fires = len(b.Firing) > 0
	}
	queue, err := n.box.ledger.Queue(ctx, n.to.Name, n.manner.AtOnce)
	if err != nil {
		return b, nil, err
	}
	for i := range queue {
		var note Notification
		if err := json.Unmarshal(queue[i].Payload, &note); err != nil {
			return b, nil, fmt.Errorf("notification %s: %w", queue[i].Key, err)
		}
		b.New, numbers = append(b.New, note), append(numbers, queue[i].Number)
	}
	return b, numbers, nil
}

// remindsNow says whether the receiver is to be told again what fires.
func (n *lane) remindsNow() bool {
	return n.fires && n.box.opts.Now().Sub(n.reminded) >= n.manner.Remind
}

// untilReminder is how long the receiver need not be told again what fires; 0 where
// nothing does.
func (n *lane) untilReminder() time.Duration {
	if !n.fires {
		return 0
	}
	return max(n.manner.Remind-n.box.opts.Now().Sub(n.reminded), time.Millisecond)
}

// note notes on disk what was acknowledged.
func (n *lane) note(ctx context.Context) error {
	if len(n.unnoted) == 0 {
		return nil
	}
	if err := n.box.ledger.Acknowledge(ctx, n.box.opts.Now().Unix(), n.unnoted...); err != nil {
		return err
	}
	n.unnoted = nil
	return nil
}

// refused sets a batch aside that the receiver has refused for long enough, so that
// others get through.
func (n *lane) refused(ctx context.Context, err error, numbers []int64) error {
	var refusal *Refusal
	now := n.box.opts.Now()
	if !errors.As(err, &refusal) || len(numbers) == 0 || n.since.IsZero() || now.Sub(n.since) < n.box.opts.SetAside {
		return err
	}
	if noted := n.box.ledger.SetAside(ctx, now.Unix(), numbers...); noted != nil {
		return noted
	}
	n.since = time.Time{}
	return fmt.Errorf("it refuses notifications, and %d of them are set aside: %w", len(numbers), err)
}

// pause is how long to wait after so many failures, half to all of it by chance.
func (n *lane) pause() time.Duration {
	wait := n.box.opts.FirstRetry
	for range n.current().Failures - 1 {
		if wait = 2 * wait; wait >= n.box.opts.LongestRetry {
			wait = n.box.opts.LongestRetry
			break
		}
	}
	return wait/2 + time.Duration(n.jitter.Int64N(int64(wait/2)+1))
}

// sleep waits for a time, 0 for ever, or until something changes or all is over.
func (n *lane) sleep(ctx context.Context, wait time.Duration, changed <-chan struct{}) {
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

func (n *lane) succeeds() {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.box.opts.Now()
	n.reminded, n.since = now, time.Time{}
	n.status.Last, n.status.Failures, n.status.Trouble = now, 0, ""
}

func (n *lane) fails(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.since.IsZero() {
		n.since = n.box.opts.Now()
	}
	n.status.Failures++
	n.status.Trouble = trouble(n.to.Name, n.since, err)
}

// trouble says what is wrong with a receiver.
func trouble(name string, since time.Time, err error) string {
	what := fmt.Sprintf("Receiver %s has failed since", name)
	if errors.Is(err, ledger.ErrFull) {
		what = fmt.Sprintf("What %s acknowledged cannot be noted since", name)
	}
	return fmt.Sprintf("%s %s: %v. It is tried again and again, and nothing is lost.", what, since.UTC().Format("2006-01-02 15:04:05Z"), err)
}

func (n *lane) current() Status {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.status
}
