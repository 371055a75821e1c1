package history

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/history/segment"
	"github.com/limpet-storage/limpet/topology"
)

// Quarters is a stream of rows for statistics over months. Each row covers one quarter hour, and
// has the mean of each metric and component. The stream holds one file in memory at a time. It
// leaves out rows that are not on disk yet: at most the last hour.
type Quarters struct {
	store     *Store
	ctx       context.Context
	schema    table.Schema
	system    *topology.System
	last, end int64 // last is the end of the last row that was returned, and end is the end of the stream

	part    *segment.Segment
	codes   [][]segment.Code // codes (rounded values) of the file, by metric; the codes of a component are next to each other, in order of time
	places  []int            // by component of the system: position of the component in the file; -1 if the file does not have the component
	nextRow int              // index of the next row in the file
	ends    int64            // end of the file's last row
	row     table.Row
	trouble []string
}

// Quarters streams the quarter hours of the components of a system. The stream has the rows whose
// end time t, in Unix seconds, satisfies `from` < t ≤ `to`. If a file cannot be read, the stream
// lacks the rows of the file.
func (s *Store) Quarters(ctx context.Context, system *topology.System, metrics []metric.Metric, from, to int64) *Quarters {
	q := &Quarters{
		store: s, ctx: ctx, system: system, last: from, end: to,
		schema: table.Schema{StepSeconds: quarterOf(1), Metrics: metrics, Components: len(system.Components), Load: -1},
	}
	for range metrics {
		q.row.Values = append(q.row.Values, make([]float64, len(system.Components)))
	}
	return q
}

// Schema returns the schema of the rows.
func (q *Quarters) Schema() table.Schema { return q.schema }

// Troubles returns sentences about files that could not be read.
func (q *Quarters) Troubles() []string { return q.trouble }

// Next returns the next row. It returns io.EOF at the end of the stream. The row is valid until the
// next call of Next.
func (q *Quarters) Next() (*table.Row, error) {
	for {
		if err := q.ctx.Err(); err != nil {
			return nil, err
		}
		for q.part != nil && q.nextRow < len(q.part.Times) {
			at := q.nextRow
			q.nextRow++
			if end := q.part.Times[at]; end > q.last && end <= q.end {
				q.last = end
				return q.fill(at), nil
			}
		}
		q.last = max(q.last, q.ends)
		if err := q.open(); err != nil {
			return nil, err
		}
	}
}

// open reads the file with the next row. If the store has just joined this file with other files and
// removed it, open searches for the row again.
func (q *Quarters) open() error {
	for {
		e := q.next()
		if e == nil {
			return io.EOF
		}
		err := q.read(e)
		if d := (*damage)(nil); errors.As(err, &d) {
			q.trouble = append(q.trouble, d.sentence)
			q.last = e.To
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
}

// next returns the file with the next row. It returns nil if there is no further row.
func (q *Quarters) next() *entry {
	q.store.mu.RLock()
	defer q.store.mu.RUnlock()
	for _, e := range q.store.quarters.SegmentsWithin(q.last, q.end) {
		return e
	}
	return nil
}

func (q *Quarters) read(e *entry) error {
	part, err := q.store.segment(e)
	if err != nil {
		return err
	}
	var codes [][]segment.Code
	for _, m := range q.schema.Metrics {
		column, err := part.Range(q.ctx, m.Name+quarterNames[waitingMean], 0, len(part.Layout.Components))
		if err != nil {
			return q.store.addTrouble(e, err)
		}
		codes = append(codes, column)
	}
	if q.part == nil || q.part.Layout != part.Layout {
		q.places = q.places[:0]
		for i := range q.system.Components {
			q.places = append(q.places, part.Layout.Place(q.system.Components[i].Name))
		}
	}
	q.part, q.codes, q.nextRow, q.ends = part, codes, 0, e.To
	return nil
}

// fill returns the row that has the given index in the file.
func (q *Quarters) fill(at int) *table.Row {
	times := len(q.part.Times)
	for m, values := range q.row.Values {
		for i, place := range q.places {
			values[i] = table.Missing
			if place >= 0 {
				values[i] = q.codes[m][place*times+at].Float()
			}
		}
	}
	q.row.End = q.part.Times[at]
	return &q.row
}
