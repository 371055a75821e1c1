package history

import (
	"context"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/history/segment"
)

// Mean is the mean of a metric over a peer group in one step. The weight of a component in this
// mean is its load.
type Mean struct {
	End    int64
	Group  float64 // mean over all components of the group
	Others float64 // mean over all components of the group except the given component; missing if the sum of their loads is 0

	Load, OthersLoad float64 // sums of the loads of the components in Group and in Others; without a metric for the load, the numbers of these components
}

// Means are the means of the peer group of a component.
type Means struct {
	StepSeconds int64
	Means       []Mean   // in order of time; a step is left out if the sum of the loads of the group is 0
	Troubles    []string // sentences about files that cannot be read
}

// Means returns the means of a metric over the peer group of a component, for each step between two
// Unix times. The parameter `load` is the name of the metric whose value is the weight of a
// component. If `load` is empty, all components with a value have the same weight.
func (s *Store) Means(ctx context.Context, component, metric, load string, from, to int64) (*Means, error) {
	var out *Means
	err := read(func() error {
		out = &Means{}
		q := &meansQuery{out: out, component: component, metric: metric, load: load, from: from, to: to}
		return q.run(ctx, s)
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

type meansQuery struct {
	out                     *Means
	component, metric, load string
	from, to                int64
}

func (q *meansQuery) run(ctx context.Context, s *Store) error {
	s.mu.RLock()
	entries := s.steps.SegmentsWithin(q.from, q.to)
	var times []int64
	var values, loads []segment.Code
	own := -1
	if rows := s.rows; rows != nil {
		q.out.StepSeconds = rows.Seconds
		place, column, load := rows.Layout.Place(q.component), rows.Column(q.metric), rows.Column(q.load)
		if rows = rows.RowsAfter(max(s.steps.End(), q.from)); place >= 0 && column >= 0 && (load >= 0 || q.load == "") && len(rows.Times) > 0 {
			_, first, last := rows.Layout.GroupAt(place)
			times, own, values = slices.Clone(rows.Times), place-first, rows.Codes(column, first, last)
			if q.load != "" {
				loads = rows.Codes(load, first, last)
			}
		}
	}
	s.mu.RUnlock()
	err := s.forEachSegment(ctx, entries, &q.out.Troubles, func(part *segment.Segment) error {
		place := part.Layout.Place(q.component)
		if place < 0 {
			return nil
		}
		_, first, last := part.Layout.GroupAt(place)
		values, err := part.Range(ctx, q.metric, first, last)
		if err != nil {
			return err
		}
		var loads []segment.Code
		if q.load != "" {
			if loads, err = part.Range(ctx, q.load, first, last); err != nil {
				return err
			}
		}
		q.take(part.Times, place-first, values, loads)
		return nil
	})
	if err != nil {
		return err
	}
	q.take(times, own, values, loads)
	return nil
}

// take adds the means at the given times to the result. In the slices `values` and `loads`, the
// values of one component follow each other. The parameter `own` is the index of the given
// component in its peer group.
func (q *meansQuery) take(times []int64, own int, values, loads []segment.Code) {
	for at, t := range times {
		if t <= q.from || t > q.to {
			continue
		}
		var sum, weight, otherSum, otherWeight float64
		for i := at; i < len(values); i += len(times) {
			if values[i] == segment.Missing || loads != nil && loads[i] == segment.Missing {
				continue
			}
			w := 1.0
			if loads != nil {
				w = loads[i].Float()
			}
			sum, weight = sum+w*values[i].Float(), weight+w
			if i/len(times) != own {
				otherSum, otherWeight = otherSum+w*values[i].Float(), otherWeight+w
			}
		}
		m := Mean{End: t, Group: table.Missing, Others: table.Missing, Load: weight, OthersLoad: otherWeight}
		if weight > 0 {
			m.Group = sum / weight
		}
		if otherWeight > 0 {
			m.Others = otherSum / otherWeight
		}
		if weight > 0 {
			q.out.Means = append(q.out.Means, m)
		}
	}
}
