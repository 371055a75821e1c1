package evaluate

import (
	"context"
	"sync"
)

// inOrder runs n jobs on several workers, and calls use with their results in the order of the
// jobs, so that the output does not depend on the speed of the workers. Only a few results wait at
// a time.
func inOrder[T any](ctx context.Context, workers, n int, do func(ctx context.Context, i int) (T, error), use func(i int, t T) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	waiting := make(chan chan given[T], workers)
	free := make(chan struct{}, workers)
	running.Go(func() {
		defer close(waiting)
		for i := range n {
			job := make(chan given[T], 1)
			free <- struct{}{}
			running.Go(func() {
				t, err := do(ctx, i)
				<-free
				job <- given[T]{t, err}
			})
			select {
			case waiting <- job:
			case <-ctx.Done():
				return
			}
		}
	})
	i := 0
	for job := range waiting {
		g := <-job
		if g.err != nil {
			return g.err
		}
		if err := use(i, g.value); err != nil {
			return err
		}
		i++
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	return nil
}

// given is the result of a job.
type given[T any] struct {
	value T
	err   error
}
