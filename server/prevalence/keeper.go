package prevalence

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/topology"
)

// Open opens the rows of a site between two times. The first metric of the rows is the latency.
type Open func(ctx context.Context, from, to int64) (table.Stream, *topology.System, error)

// A Keeper counts in the background and caches its answers. It is safe for concurrent use. Close
// stops the count that runs.
type Keeper struct {
	open  Open
	now   func() time.Time // clock that measures the duration of a count
	ctx   context.Context
	end   context.CancelFunc
	tasks sync.WaitGroup
	turn  sync.Mutex // held by the count that runs

	mu   sync.Mutex
	kept map[int]*answer // answers by number of days
}

// answer is the cached answer for a number of days.
type answer struct {
	fleet   *api.Fleet // nil before the first count
	err     error      // error of the last count
	at      int64      // time of the last row of the count
	took    time.Duration
	running bool
	read    float64 // share of the time that was read so far
}

// New returns a keeper. The clock now measures the duration of a count.
func New(open Open, now func() time.Time) *Keeper {
	ctx, end := context.WithCancel(context.Background())
	return &Keeper{open: open, now: now, ctx: ctx, end: end, kept: map[int]*answer{}}
}

// Close stops the count that runs.
func (k *Keeper) Close() {
	k.end()
	k.tasks.Wait()
}

// Of returns the count over a number of days before the last row. It never waits: if no count is
// complete yet, the answer holds the progress.
func (k *Keeper) Of(days int, last int64) (*api.Fleet, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	a := k.kept[days]
	if a == nil {
		a = &answer{}
		k.kept[days] = a
	}
	if !a.running && a.stale(last) && k.ctx.Err() == nil {
		a.running, a.read = true, 0
		k.tasks.Go(func() { k.count(days, last, a) })
	}
	if a.err != nil && !a.running {
		return nil, a.err
	}
	if a.fleet == nil {
		read := a.read
		return &api.Fleet{Days: days, Reading: &read, Parts: []api.FleetPart{}, Warnings: []string{}}, nil
	}
	return a.fleet, nil
}

// patience bounds the cost of counting: an answer is kept for at least patience times the duration
// of its count. So counting takes at most a hundredth of a core.
const patience = 100

// stale reports whether the answer must be counted again: there is a new full hour, and the answer
// was kept long enough.
func (a *answer) stale(last int64) bool {
	if a.fleet == nil && a.err == nil {
		return true
	}
	return last/hourSeconds > a.at/hourSeconds && last-a.at > int64(a.took.Seconds()*patience)
}

// count computes the prevalence over a number of days. Only one computation runs at a time, so it waits
// for earlier ones.
func (k *Keeper) count(days int, last int64, a *answer) {
	k.turn.Lock()
	defer k.turn.Unlock()
	began := k.now()
	to := last - last%hourSeconds
	from := to - int64(days)*24*hourSeconds
	got, err := k.counted(from, to, func(read float64) {
		k.mu.Lock()
		defer k.mu.Unlock()
		a.read = read
	})
	k.mu.Lock()
	defer k.mu.Unlock()
	a.running, a.err, a.at, a.took = false, err, last, k.now().Sub(began)
	if err == nil {
		got.Days = days
		a.fleet = got
	}
	if errors.Is(err, context.Canceled) {
		a.err = nil // the server stops
	}
}

func (k *Keeper) counted(from, to int64, read func(float64)) (*api.Fleet, error) {
	rows, system, err := k.open(k.ctx, from, to)
	if err != nil {
		return nil, err
	}
	return Count(&watched{Stream: rows, from: from, to: to, read: read}, system)
}

// watched is a stream that reports its progress.
type watched struct {
	table.Stream
	from, to, told int64
	read           func(float64)
}

// Next returns the next row.
func (w *watched) Next() (*table.Row, error) {
	row, err := w.Stream.Next()
	if err == nil && row.End-w.told >= hourSeconds {
		w.told = row.End
		w.read(float64(row.End-w.from) / float64(w.to-w.from))
	}
	return row, err
}
