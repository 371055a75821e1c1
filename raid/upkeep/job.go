package upkeep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/raid"
)

// ErrBusy is returned if a job cannot begin because another job runs.
var ErrBusy = errors.New("another job is running: wait until the job ends, or cancel the job")

func (k *Keeper) running() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.cancel != nil
}

// start runs a job in a goroutine of its own.
func (k *Keeper) start(ctx context.Context, t *task) {
	ctx, cancel := context.WithCancel(ctx)
	k.mu.Lock()
	k.job = Job{Kind: t.kind, Total: k.array.Geometry().Stripes, Began: time.Now()} //nolint:forbidigo // of real drives
	k.cancel = cancel
	k.mu.Unlock()
	k.options.Report(t.kind + " has started")
	go func() {
		s, err := t.do(ctx)
		cancel()
		k.end(s, err)
	}()
}

// end records and reports the result of a job.
func (k *Keeper) end(s raid.Scrub, err error) {
	k.mu.Lock()
	k.job.Ended = time.Now() //nolint:forbidigo // of real drives
	k.job.Found, k.job.Repaired = s.Faulty, s.Repaired
	if err != nil {
		k.job.Err = err.Error()
	}
	k.cancel = nil
	job := k.job
	k.mu.Unlock()
	switch {
	case err != nil:
		k.options.Report(fmt.Sprintf("%s stopped at stripe %d of %d: %v", job.Kind, job.Done, job.Total, err))
	case job.Kind == Scrub:
		k.options.Report(fmt.Sprintf("scrub is done: %d stripes had faults, and %d of these stripes were repaired", s.Faulty, s.Repaired))
	default:
		k.options.Report(job.Kind + " is done")
	}
}

func (k *Keeper) progress(done, total int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.job.Done, k.job.Total = done, total
}

func (k *Keeper) rebuild(ctx context.Context) (raid.Scrub, error) {
	return raid.Scrub{}, k.array.Rebuild(ctx, raid.RebuildOptions{BytesPerSecond: k.options.BytesPerSecond, Progress: k.progress})
}

func (k *Keeper) scrub(repair bool) func(ctx context.Context) (raid.Scrub, error) {
	return func(ctx context.Context) (raid.Scrub, error) {
		return k.array.Scrub(ctx, raid.ScrubOptions{
			BytesPerSecond: k.options.BytesPerSecond, Repair: repair, Remember: true, Progress: k.progress,
		})
	}
}

// Cancel ends the running job. Its progress is kept.
func (k *Keeper) Cancel() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.cancel != nil {
		k.cancel()
	}
}

// Scrub starts a scrub where the last scrub was interrupted.
func (k *Keeper) Scrub(repair bool) error {
	return k.order(func() error {
		if k.running() {
			return ErrBusy
		}
		k.start(context.Background(), &task{Scrub, k.scrub(repair)})
		return nil
	})
}

// Replace puts a member in the place of a lost member, and starts to fill it. If it fails, the
// caller closes the member.
func (k *Keeper) Replace(place int, m raid.Member, force bool) error {
	return k.order(func() error {
		if k.running() && k.Job().Kind == Rebuild {
			return ErrBusy
		}
		return k.array.Replace(place, m, force)
	})
}

// order calls do between two looks of the keeper at the array.
func (k *Keeper) order(do func() error) error {
	done := make(chan error, 1)
	select {
	case k.orders <- func() { done <- do() }:
		return <-done
	case <-k.ended:
		return raid.ErrClosed
	}
}
