package alert

import (
	"context"

	"github.com/limpet-storage/limpet/live/ledger"
)

// Turns decides which process delivers to a receiver. Without a cluster there is only one process,
// and it always delivers. In a cluster, one node has the turn to deliver to a receiver. The node
// keeps the turn until it gives the turn back (Turn.End) or loses it (Turn.Context).
type Turns interface {
	// Take waits until this process may deliver to a receiver, or until the context ends.
	Take(ctx context.Context, receiver string) (Turn, error)
	// Node returns the name of the node that delivers to a receiver. It returns an empty name if
	// there is no cluster, or if no node has delivered yet.
	Node(receiver string) string
}

// Turn is the right of this process to deliver to one receiver.
type Turn interface {
	// Context returns a context that ends when the turn is lost.
	Context() context.Context
	// The caller calls Begin before it sends the notifications in `list`. Begin returns an error if
	// the turn is lost.
	Begin(ctx context.Context, list []ledger.Delivery) error
	// Settle stores that the receiver has acknowledged the notifications. If `aside` is true, the
	// receiver has refused the notifications, and Settle stores that they are set aside. The
	// parameter `at` is the Unix time of the answer.
	Settle(ctx context.Context, at int64, aside bool, list []ledger.Delivery) error
	// End gives the turn back.
	End()
}

// singleProcess implements Turns and Turn if there is no cluster. The process always has the turn,
// and stores acknowledgements only in its own ledger.
type singleProcess struct{ ledger *ledger.Ledger }

func (a singleProcess) Take(context.Context, string) (Turn, error) { return a, nil }

func (singleProcess) Node(string) string { return "" }

func (singleProcess) Context() context.Context { return context.Background() }

func (singleProcess) Begin(context.Context, []ledger.Delivery) error { return nil }

func (a singleProcess) Settle(ctx context.Context, at int64, aside bool, list []ledger.Delivery) error {
	numbers := make([]int64, len(list))
	for i := range list {
		numbers[i] = list[i].Number
	}
	if aside {
		return a.ledger.SetAside(ctx, at, numbers...)
	}
	return a.ledger.Acknowledge(ctx, at, numbers...)
}

func (singleProcess) End() {}
