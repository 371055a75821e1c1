package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/live/cluster/bus"
)

// leaseholder takes and renews leases in the name of one node.
type leaseholder struct {
	bus    *bus.Bus
	name   string // name of the node
	now    func() time.Time
	report func(sentence string)
}

// takeLease tries to take a lease, again and again, until it gets the lease or the context ends.
func (w *leaseholder) takeLease(ctx context.Context, key string) (bus.Lease, error) {
	for {
		one, stop := context.WithTimeout(ctx, w.bus.LeaseTime)
		lease, err := w.bus.Leases.Acquire(one, key, w.name)
		stop()
		if err == nil {
			return lease, nil
		}
		select {
		case <-time.After(w.bus.LeaseTime / renewalsPerLease / 2):
		case <-ctx.Done():
			return lease, ctx.Err()
		}
	}
}

// renewLease renews a lease again and again. When the caller closes the channel `end`, renewLease
// releases the lease. The lease is lost if another owner holds it, or if it was not renewed within
// LeaseTime. Then renewLease calls the function `lost`, so that the old holder can stop before a new
// holder begins.
func (w *leaseholder) renewLease(end <-chan struct{}, lost func(), lease bus.Lease) {
	every := w.bus.LeaseTime / renewalsPerLease
	renewed := w.now()
	for {
		select {
		case <-time.After(every):
		case <-end:
			w.releaseLease(lease)
			return
		}
		ctx, stop := context.WithTimeout(context.Background(), every)
		asked := w.now()
		next, err := w.bus.Leases.Renew(ctx, lease)
		stop()
		switch {
		case err == nil:
			lease, renewed = next, asked
		case errors.Is(err, bus.ErrConflict), w.now().Sub(renewed) > w.bus.LeaseTime:
			w.report(fmt.Sprintf("this node has lost the lease of %s, so another node may take over: %v", lease.Key, err))
			lost()
			<-end
			return
		}
	}
}

func (w *leaseholder) releaseLease(lease bus.Lease) {
	ctx, stop := context.WithTimeout(context.Background(), w.bus.LeaseTime)
	defer stop()
	if err := w.bus.Leases.Release(ctx, lease); err != nil && !errors.Is(err, bus.ErrConflict) {
		w.report(fmt.Sprintf("the lease of %s cannot be released: %v; the lease expires by itself", lease.Key, err))
	}
}

// holdLease waits for a lease, and then holds the lease until the returned function is called. If
// the lease is lost, a goroutine takes the lease again.
func (w *leaseholder) holdLease(ctx context.Context, key string) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	var holding sync.WaitGroup
	first := make(chan struct{})
	var once sync.Once
	holding.Go(func() {
		defer once.Do(func() { close(first) })
		for ctx.Err() == nil {
			lease, err := w.takeLease(ctx, key)
			if err != nil {
				return
			}
			once.Do(func() { close(first) })
			ended, lost := make(chan struct{}), make(chan struct{})
			var renewing sync.WaitGroup
			renewing.Go(func() { w.renewLease(ended, func() { close(lost) }, lease) })
			select {
			case <-lost:
			case <-ctx.Done():
			}
			close(ended)
			renewing.Wait()
		}
	})
	<-first
	return func() { stop(); holding.Wait() }
}
