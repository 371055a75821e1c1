package activity

import (
	"context"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Source is the rows of activity files.
type Source struct {
	plan   plan
	now    *batch // given out
	ahead  *batch // being filled meanwhile
	filled chan struct{}
	stop   context.CancelFunc
}

// Open opens the activity files among paths, which may be files and
// directories, of any number of servers and days.
func Open(ctx context.Context, paths []string, o Options) (*Source, error) {
	list, warnings, err := find(ctx, paths)
	if err != nil {
		return nil, err
	}
	a := &Source{plan: plan{System: o.System, Warned: warnings}}
	a.plan.Reading, a.stop = context.WithCancel(context.WithoutCancel(ctx))
	wanted, err := a.plan.Choose(&o, list)
	if err != nil {
		return nil, err
	}
	a.plan.Schema.Latencies = o.Latencies && slices.ContainsFunc(list, func(f hostFiles) bool { return f.Latencies })
	if err := a.plan.Count(ctx, list); err != nil {
		return nil, err
	}
	if err := a.plan.Settle(list, o.Peers); err != nil {
		return nil, err
	}
	if !wanted { // what is only wanted may be lacking
		a.plan.Warned = append(a.plan.Warned, a.plan.Lacks(list)...)
	}
	a.plan.Prepare(batchSteps, crowdSize)
	if err := a.plan.OpenMachines(list, a.plan.OpenFiles); err != nil {
		return nil, err
	}
	a.now, a.ahead = newBatch(a.plan.Schema, batchSteps), newBatch(a.plan.Schema, batchSteps)
	a.readAhead()
	return a, nil
}

// System is what the rows are about.
func (a *Source) System() *topology.System { return a.plan.System }

// Schema says what the rows hold.
func (a *Source) Schema() table.Schema { return a.plan.Schema }

// Close ends reading.
func (a *Source) Close() error {
	a.stop()
	<-a.filled
	a.ahead.Empty = true
	a.now.Exhaust()
	return a.plan.Close()
}

// Next returns the next row. Rows are made a batch at a time, while the batch
// before is being used.
func (a *Source) Next(ctx context.Context) (*table.Row, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if row := a.now.Next(); row != nil {
			return row, nil
		}
		select {
		case <-a.filled:
		case <-ctx.Done():
			a.stop()
			return nil, ctx.Err()
		}
		if a.ahead.Empty {
			return nil, io.EOF
		}
		a.now, a.ahead = a.ahead, a.now
		a.readAhead()
	}
}

// readAhead fills the next batch. It lasts until a.filled is closed.
func (a *Source) readAhead() {
	a.filled = make(chan struct{})
	go func() {
		defer close(a.filled)
		first, ok := a.plan.NextStep()
		a.ahead.Begin(first)
		if a.ahead.Empty = !ok; ok {
			a.plan.Fill(a.ahead)
		}
	}()
}
