package activity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/collect/activity/internal/connections"
	"github.com/limpet-storage/limpet/collect/internal/parallel"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Options say how activity files become rows. The zero value judges
// nothing but finds out the rest from the files.
type Options struct {
	// StepSeconds is the length of a step; 0 takes Finest, or the interval of
	// the records where that is longer.
	StepSeconds int64
	Finest      int64            // 0: 15 s, as L13 did
	Metrics     []string         // of metric.All, beside tps
	Wanted      Wanted           // what is read besides where the files allow it
	Latencies   bool             // how long requests took is read, where a file has it
	System      *topology.System // nil: what the files show
	Peers       topology.Peers   // who is compared with whom where System is nil
}

// Wanted is what is read besides, in a finer step, where at least three servers
// have interfaces and their records are not too far apart.
type Wanted struct {
	Metrics       []string
	Finest        int64 // seconds of a step
	WithinSeconds int64 // that records may be apart
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	if step := min(o.StepSeconds, o.Finest); step < 0 {
		return fmt.Errorf("a step of %d s: at least 1 is needed, or 0 to let the records decide", step)
	}
	return nil
}

// defaultStep is L13's (§4.2): long enough that a light load leaves values in
// most steps.
const defaultStep = 15

// Source is the rows of activity files.
type Source struct {
	plan
	now    *batch // given out
	ahead  *batch // being filled meanwhile
	filled chan struct{}
	stop   context.CancelFunc
}

// Open opens the activity files among paths, which may be files and
// directories, of any number of servers and days.
func Open(ctx context.Context, paths []string, o Options) (*Source, error) {
	files, warnings, err := findActivity(ctx, paths)
	if err != nil {
		return nil, err
	}
	a := &Source{plan: plan{system: o.System, warnings: warnings}}
	a.reading, a.stop = context.WithCancel(context.WithoutCancel(ctx))
	wanted, err := a.choose(&o, files)
	if err != nil {
		return nil, err
	}
	a.schema.Latencies = o.Latencies && slices.ContainsFunc(files, func(f hostFiles) bool { return f.latencies })
	if err := a.count(ctx, files); err != nil {
		return nil, err
	}
	if err := a.settle(files, o.Peers); err != nil {
		return nil, err
	}
	if !wanted { // what is only wanted may be lacking
		a.warnings = append(a.warnings, a.lacks(files)...)
	}
	a.inward = connections.NewFromClients(a.choice.in, a.book, batchSteps, connections.CrowdSize)
	if err := a.openMachines(files, a.openFiles); err != nil {
		return nil, err
	}
	a.now, a.ahead = newBatch(a.schema, batchSteps), newBatch(a.schema, batchSteps)
	a.readAhead()
	return a, nil
}

// System is what the rows are about.
func (a *Source) System() *topology.System { return a.system }

// Schema says what the rows hold.
func (a *Source) Schema() table.Schema { return a.schema }

// Close ends reading.
func (a *Source) Close() error {
	a.stop()
	<-a.filled
	a.ahead.empty, a.now.at = true, len(a.now.rows)
	var errs []error
	for _, m := range a.machines {
		errs = append(errs, m.records.Close())
	}
	return errors.Join(errs...)
}

// Next returns the next row. Rows are made a batch at a time, while the batch
// before is being used.
func (a *Source) Next(ctx context.Context) (*table.Row, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if row := a.now.next(); row != nil {
			return row, nil
		}
		select {
		case <-a.filled:
		case <-ctx.Done():
			a.stop()
			return nil, ctx.Err()
		}
		if a.ahead.empty {
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
		first, ok := a.nextStep()
		a.ahead.begin(first)
		if a.ahead.empty = !ok; ok {
			a.fill(a.ahead)
		}
	}()
}

// nextStep is the earliest step that any machine still has.
func (a *Source) nextStep() (first int64, ok bool) {
	parallel.Each(a.reading, a.machines, (*machine).peek)
	for _, m := range a.machines {
		if m.step != nil && (!ok || m.step.End < first) {
			first, ok = m.step.End, true
		}
	}
	return first / a.schema.StepSeconds, ok
}

// fill fills a batch, each machine its own columns, on all cores. What clients
// say of the hosts of the system is put together afterwards.
func (a *Source) fill(b *batch) {
	parallel.Each(a.reading, a.servers, func(m *machine) { m.fill(b) })
	for crowd := range slices.Chunk(a.clients, connections.CrowdSize) {
		parallel.Each(a.reading, crowd, func(m *machine) { m.fill(b) })
		a.inward.Gather(len(crowd))
	}
	a.inward.Put(b.rows)
	b.closed = len(b.rows)
}
