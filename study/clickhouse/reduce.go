package clickhouse

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	driver "github.com/ClickHouse/clickhouse-go/v2"

	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/source"
)

// Reduce reduces all records inside ClickHouse. A study.Reducer makes the same result from the
// same records and Fleet.
func (s *Store) Reduce(ctx context.Context, o study.Options) (*study.Reduction, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	whole := &study.Reduction{Options: o}
	const queries = 2 // cells and tallies
	passes := queries * int64(len(s.layout.Directions()))
	s.options.Progress.begin(source.Reading, passes, passes*s.recorded())
	// The ranges are in the order of time, so that a few at a time can be merged.
	for some := range slices.Chunk(s.ranges(), s.options.Queries) {
		parts, err := s.reduce(ctx, s.tasks(some, o))
		if err != nil {
			return nil, err
		}
		if whole, err = study.Merge(s.fleet, append(parts, whole)...); err != nil {
			return nil, err
		}
	}
	if got := whole.Accounts[study.All].Rows; got != s.rows {
		return nil, s.changed(got)
	}
	return whole, nil
}

func (s *Store) changed(rows int64) error {
	return fmt.Errorf("table %s had %d records at first and %d later: the table was changed while limpet was reading; run the command again", s.options.Table, s.rows, rows)
}

// recorded counts the records of all hours.
func (s *Store) recorded() (n int64) {
	for _, records := range s.hours {
		n += records
	}
	return n
}

// A timeRange is a range of hours, from ≤ hour < to, and the number of their records.
type timeRange struct {
	from, to int32
	rows     int64
}

// worthwhile is the number of records that a query should have. An old server needs 0.1 s to
// parse a query and 1 s to reduce this many records.
const worthwhile = 1 << 20

// ranges divides the hours into ranges. A range has at most about RangeRows records on each
// shard, and there are enough ranges for parallel queries.
func (s *Store) ranges() []timeRange {
	shards := int64(len(s.shards))
	even := s.rows/int64(s.options.Queries) + s.rows/int64(len(s.hours))
	most := min(s.options.RangeRows*shards, max(worthwhile*shards, even))
	var out []timeRange
	for _, hour := range slices.Sorted(maps.Keys(s.hours)) {
		n := s.hours[hour]
		if last := len(out) - 1; last >= 0 && out[last].rows+n <= most {
			out[last].to, out[last].rows = hour+1, out[last].rows+n
			continue
		}
		out = append(out, timeRange{hour, hour + 1, n})
	}
	return out
}

// A task is a question for a shard.
type task struct {
	question
	shard *shard
}

// tasks returns the tasks for some ranges: one for each range, direction and shard.
func (s *Store) tasks(some []timeRange, o study.Options) []task {
	var out []task
	for _, r := range some {
		for _, d := range s.layout.Directions() {
			for _, one := range s.shards {
				out = append(out, task{question{layout: s.layout, Options: o, Direction: d, From: r.from, To: r.to}, one})
			}
		}
	}
	return out
}

// reduce runs tasks in parallel, at most Options.Queries at a time on each shard.
func (s *Store) reduce(ctx context.Context, tasks []task) ([]*study.Reduction, error) {
	parts := make([]*study.Reduction, len(tasks))
	free := make(map[*shard]chan struct{})
	for _, one := range s.shards {
		free[one] = make(chan struct{}, s.options.Queries)
	}
	err := parallel(ctx, len(tasks), func(ctx context.Context, i int) (err error) {
		free[tasks[i].shard] <- struct{}{}
		defer func() { <-free[tasks[i].shard] }()
		if parts[i], err = tasks[i].reduce(ctx, s.fleet, s.options.Progress); err != nil {
			err = fmt.Errorf("the records of the hours from %s to %s cannot be read: %w", clockTime(tasks[i].From), clockTime(tasks[i].To), err)
		}
		return err
	})
	return parts, err
}

func (t task) reduce(ctx context.Context, f *study.Fleet, progress *Progress) (*study.Reduction, error) {
	p := newPart(t.question, f)
	if err := t.ask(ctx, t.Cells(t.shard.table), progress, p.cell); err != nil {
		return nil, err
	}
	if err := t.ask(ctx, t.Tallies(t.shard.table), progress, p.tally); err != nil {
		return nil, err
	}
	// Merge counts the steps from hour to hour.
	return study.Merge(f, p.out)
}

// ask sends a query over the records of the task, with the external tables of names.
func (t task) ask(ctx context.Context, sql string, progress *Progress, row func(scan func(...any) error) error) error {
	m := &meter{Progress: progress}
	for hour := t.From; hour < t.To; hour++ {
		m.records += t.shard.names.hours[hour]
	}
	ctx = driver.Context(ctx, driver.WithExternalTable(t.shard.names.tables...), driver.WithProgress(m.hear))
	if err := t.shard.query(ctx, sql, row); err != nil {
		return err
	}
	m.end()
	return nil
}

// parallel calls do for 0 to n-1 in parallel, and returns the first error. The first error
// cancels the context of all calls.
func parallel(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if err := do(ctx, i); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// clockTime writes an hour as date and time in UTC.
func clockTime(hour int32) string {
	return time.Unix(int64(hour)*hourSeconds, 0).UTC().Format("2006-01-02 15:04")
}
