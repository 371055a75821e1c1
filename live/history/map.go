package history

import (
	"context"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/history/segment"
)

// Map returns one value of every component at the given Unix time. A measured value comes from the
// step that contains the time. If this step is not stored any more, the value is the mean of the
// quarter hour that contains the time. A score comes from the last window that ended within the
// hour before the time. If no row is stored for the time, the map has no components.
func (s *Store) Map(ctx context.Context, what MapKind, at int64) (*Map, error) {
	var out *Map
	err := read(func() error {
		q := &mapQuery{store: s, kind: what, time: at}
		out = &q.out
		return q.run(ctx)
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// scoreSeconds is the time for which a map shows a score after the end of its window, in seconds.
// The next window normally ends within this time.
const scoreSeconds = 3600

type mapQuery struct {
	store *Store
	kind  MapKind
	time  int64
	out   Map
}

func (q *mapQuery) run(ctx context.Context) error {
	s := q.store
	s.mu.RLock()
	var entries, coarse []*entry
	if q.kind.Score {
		q.readMemory(s.verdicts)
		entries = s.windows.SegmentsWithin(q.time-scoreSeconds, q.time)
		slices.Reverse(entries)
	} else {
		q.readMemory(s.rows)
		entries, coarse = s.steps.SegmentsAround(q.time), s.quarters.SegmentsAround(q.time)
	}
	steps, quarters := s.steps.Span(), s.quarters.Span()
	s.mu.RUnlock()
	if err := q.read(ctx, entries, ""); err != nil {
		return err
	}
	if (q.time >= steps.From || quarters.From >= steps.From) && len(q.out.Troubles) == 0 {
		return nil // quarter hours cannot help: the steps cover this time, or the quarter hours begin at the same time or later
	}
	return q.read(ctx, coarse, quarterNames[waitingMean])
}

// pick returns the index of the row that the map shows. It returns -1 if there is no such row.
func (q *mapQuery) pick(times []int64, seconds int64) int {
	if q.kind.Score {
		i, _ := slices.BinarySearch(times, q.time+1)
		if i == 0 || times[i-1] <= q.time-scoreSeconds {
			return -1
		}
		return i - 1
	}
	i, _ := slices.BinarySearch(times, q.time)
	if i == len(times) || End(times[i], seconds)-seconds >= q.time {
		return -1
	}
	return i
}

// read searches the files for the row that the map shows. It copies the row from the first file
// that has the row. The parameter `part` is the suffix of the column: the name of the column is the
// name of the metric, followed by this suffix.
func (q *mapQuery) read(ctx context.Context, entries []*entry, part string) error {
	if q.out.End != 0 {
		return nil
	}
	what := q.kind
	what.Metric += part
	return q.store.forEachSegment(ctx, entries, &q.out.Troubles, func(part *segment.Segment) error {
		i := q.pick(part.Times, part.Seconds)
		if q.out.End != 0 || i < 0 {
			return nil
		}
		values, err := valuesAt(part.Columns, what, len(part.Layout.Components), func(column string) ([]segment.Code, error) { return part.ReadStep(ctx, column, i) })
		if err == nil {
			q.show(part.Layout, part.Times[i], part.Seconds, values)
		}
		return err
	})
}

// readMemory copies the row that the map shows, if this row is still in memory.
func (q *mapQuery) readMemory(t *rows) {
	if t == nil {
		return
	}
	i := q.pick(t.Times, t.Seconds)
	if i < 0 {
		return
	}
	n := len(t.Layout.Components)
	values, _ := valuesAt(t.Columns, q.kind, n, func(column string) ([]segment.Code, error) {
		if at := t.Column(column); at >= 0 {
			return slices.Clone(t.Rows[i][at*n:][:n]), nil
		}
		return slices.Repeat([]segment.Code{segment.Missing}, n), nil
	})
	q.show(t.Layout, t.Times[i], t.Seconds, values)
}

func (q *mapQuery) show(l *segment.Layout, time, seconds int64, values []float64) {
	q.out.End, q.out.Seconds, q.out.Components, q.out.Groups, q.out.Values = time, seconds, l.Components, l.GroupNames(), values
}

// valuesAt returns the values of a map. It calls at(column) to read the codes (rounded numbers) of
// a column.
func valuesAt(columns []string, what MapKind, components int, at func(column string) ([]segment.Code, error)) ([]float64, error) {
	if !what.Score {
		codes, err := at(what.Metric)
		return floats(codes), err
	}
	worst := slices.Repeat([]float64{table.Missing}, components)
	for _, column := range columns {
		metric, ok := strings.CutSuffix(column, windowNames[scoreOf])
		if !ok || what.Metric != "" && what.Metric != metric {
			continue
		}
		scores, err := at(column)
		if err != nil {
			return nil, err
		}
		thresholds, err := at(metric + windowNames[thresholdOf])
		if err != nil {
			return nil, err
		}
		updateWorst(worst, scores, thresholds)
	}
	return worst, nil
}

// updateWorst updates worst[i], the largest ratio of score to threshold of component i so far. A
// component that was not judged has the threshold 0, and its ratio is ignored.
func updateWorst(worst []float64, scores, thresholds []segment.Code) {
	for i := range scores {
		threshold := thresholds[i].Float()
		if ratio := scores[i].Float() / threshold; threshold > 0 && (table.IsMissing(worst[i]) || ratio > worst[i]) {
			worst[i] = ratio
		}
	}
}

func floats(codes []segment.Code) []float64 {
	out := make([]float64, len(codes))
	for i, c := range codes {
		out[i] = c.Float()
	}
	return out
}
