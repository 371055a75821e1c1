package activity

import (
	"context"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Source is an ingest.Source of rows from activity files that are complete.
type Source struct {
	plan    plan
	now     *batch // batch whose rows Next is returning
	filling *batch // batch that is being filled
	filled  chan struct{}
	stop    context.CancelFunc
}

// Open opens the activity files at the given paths. A path is a file, or a directory with files.
// The files may come from any number of servers and days.
func Open(ctx context.Context, paths []string, o Options) (*Source, error) {
	list, warnings, err := groupByHost(ctx, paths)
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
	if !wanted { // metrics of Options.Wanted are optional: no warning if their values are missing
		a.plan.Warned = append(a.plan.Warned, a.plan.WarnMissing(list)...)
	}
	a.plan.Prepare(batchSteps, crowdSize)
	if err := a.plan.OpenMachines(list, a.plan.OpenFiles); err != nil {
		return nil, err
	}
	a.now, a.filling = newBatch(a.plan.Schema, batchSteps), newBatch(a.plan.Schema, batchSteps)
	a.readAhead()
	return a, nil
}

// System returns the system that the rows describe.
func (a *Source) System() *topology.System { return a.plan.System }

// Schema returns the schema of the rows.
func (a *Source) Schema() table.Schema { return a.plan.Schema }

// Close stops reading, and closes the files.
func (a *Source) Close() error {
	a.stop()
	<-a.filled
	a.filling.Empty = true
	a.now.Exhaust()
	return a.plan.Close()
}

// Next returns the next row. While the caller uses the rows of one batch, a
// goroutine fills the next batch.
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
		if a.filling.Empty {
			return nil, io.EOF
		}
		a.now, a.filling = a.filling, a.now
		a.readAhead()
	}
}

// readAhead starts a goroutine that fills the next batch, and then closes
// a.filled.
func (a *Source) readAhead() {
	a.filled = make(chan struct{})
	go func() {
		defer close(a.filled)
		first, ok := a.plan.NextStep()
		a.filling.Begin(first)
		if a.filling.Empty = !ok; ok {
			a.plan.Fill(a.filling)
		}
	}()
}
