package history

import (
	"context"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/live/history/segment"
)

// Limits of a query.
const (
	// maxValues is the largest number of values of single steps that a query reads. If a query
	// would need more values, it reads quarter hours instead. In the large system Intrepid, the
	// largest peer groups have 768 members: one day of one metric has 4.4 million values.
	maxValues = 8 << 20
	// maxPeers is the largest number of components of a group that a query reads. From a larger
	// group it reads a sample: peerRuns blocks of consecutive members, spread evenly over the
	// group.
	maxPeers = 2048
	peerRuns = 4
)

// leastPoints is the smallest number of points that make a line.
const leastPoints = 2

// Series returns the values of a component and of its peers between two Unix times. It divides this
// time range into at most maxPoints buckets. It reads single steps if the whole time range is
// stored as steps, and all these steps together have at most maxValues values. Otherwise it reads
// quarter hours. For an unknown component or metric, the result has no buckets.
func (s *Store) Series(ctx context.Context, component, metric string, from, to int64, maxPoints int) (*Series, error) {
	if from >= to {
		return nil, fmt.Errorf("a plot of the time %s cannot be drawn: give an end that is after the start", Range{From: from, To: to})
	}
	if maxPoints < leastPoints {
		return nil, fmt.Errorf("a plot cannot have fewer than %d points: give at least %[1]d points", leastPoints)
	}
	var out *Series
	err := read(func() error {
		q := &seriesQuery{store: s, out: &Series{Component: component, Metric: metric}, from: from, to: to}
		out = q.out
		return q.run(ctx, maxPoints)
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

type seriesQuery struct {
	store    *Store
	out      *Series
	from, to int64
	buckets  bucketing
}

func (q *seriesQuery) run(ctx context.Context, maxPoints int) error {
	s := q.store
	s.mu.RLock()
	tier, unit, parts := s.choose(q.out.Component, q.from, q.to)
	entries := tier.SegmentsWithin(q.from, q.to)
	waiting := q.copyWaiting(tier.End())
	s.mu.RUnlock()
	q.out.BucketSeconds = bucketLength(q.from, q.to, unit, maxPoints)
	q.buckets = bucketing{Length: q.out.BucketSeconds, Emit: func(b Bucket) { q.out.Buckets = append(q.out.Buckets, b) }}
	err := s.forEachSegment(ctx, entries, &q.out.Troubles, func(part *segment.Segment) error { return q.segment(ctx, part, parts) })
	if err != nil {
		return err
	}
	if waiting != nil {
		q.take(waiting)
	}
	q.buckets.Finish()
	return nil
}

// choose returns the tier to read, the length of the tier's rows in seconds, and the suffixes of
// its column names.
func (s *Store) choose(component string, from, to int64) (t *fileTier, unit int64, parts []string) {
	step, members := int64(1), int64(maxPeers)
	if s.rows != nil {
		step = s.rows.Seconds
		if place := s.rows.Layout.Place(component); place >= 0 {
			_, first, last := s.rows.Layout.GroupAt(place)
			members = min(members, int64(last-first))
		}
	}
	steps, quarters := s.steps.Span(), s.quarters.Span()
	kept := len(s.steps.Entries) == 0 || from >= steps.From-step || quarters.From >= steps.From
	if kept && (min(to, s.steps.End())-from)/step*members <= maxValues {
		return s.steps, step, []string{""}
	}
	return s.quarters, quarterOf(step), quarterNames[:]
}

// bucketLength returns the length of a bucket in seconds, as a multiple of `unit`. At most
// maxPoints buckets of this length cover the given time range. Buckets end at multiples of their
// length. So the first bucket may begin before the time range, and then one more bucket may be
// needed at the end of the range. In this case bucketLength divides the time range by maxPoints-1.
func bucketLength(from, to, unit int64, maxPoints int) int64 {
	points := int64(maxPoints)
	length := unit * max(1, (to-from+points*unit-1)/(points*unit))
	if End(to, length)/length-End(from+1, length)/length < points {
		return length
	}
	points--
	return unit * ((to - from + points*unit - 1) / (points * unit))
}

// stretch holds the values of a component and its peers, for the times of one file or of the rows
// in memory.
type stretch struct {
	times []int64
	own   int // index of the component itself among the chosen members of its group; all other members are its peers
	parts [][]segment.Code
}

// segment adds the values of a file to the buckets.
func (q *seriesQuery) segment(ctx context.Context, part *segment.Segment, names []string) error {
	place := part.Layout.Place(q.out.Component)
	if place < 0 {
		return nil
	}
	group, first, last := part.Layout.GroupAt(place)
	q.out.Group = group
	runs, own := chooseMembers(first, last, place)
	st := &stretch{times: part.Times, own: own}
	for _, name := range names {
		var codes []segment.Code
		for _, run := range runs {
			some, err := part.Range(ctx, q.out.Metric+name, run[0], run[1])
			if err != nil {
				return err
			}
			codes = append(codes, some...)
		}
		st.parts = append(st.parts, codes)
	}
	q.take(st)
	return nil
}

// chooseMembers chooses members of a group, as runs of consecutive indexes. The group has the indexes
// `first` to `last`-1 in the layout, and the component has the index `place`. The second result is
// the position of the component among all chosen members.
func chooseMembers(first, last, place int) (runs [][2]int, own int) {
	if last-first <= maxPeers {
		return [][2]int{{first, last}}, place - first
	}
	length, apart := maxPeers/peerRuns, (last-first)/peerRuns
	phase := (place - first) % apart
	// The group has peerRuns sections of the same length, and each section has one run. Every run
	// begins at the offset `at` in its section. The offset is chosen so that the run of the
	// component's section contains the component.
	at := min(phase, apart-length)
	for i := range peerRuns {
		run := [2]int{first + i*apart + at, first + i*apart + at + length}
		if place >= run[0] && place < run[1] {
			own = i*length + place - run[0]
		}
		runs = append(runs, run)
	}
	if last-first-peerRuns*apart > 0 && place >= first+peerRuns*apart { // the component is after the last run
		runs[peerRuns-1] = [2]int{last - length, last}
		own = (peerRuns-1)*length + place - (last - length)
	}
	return runs, own
}

// copyWaiting copies the values of the component and its peers that are in memory. It copies only
// values after the given Unix time.
func (q *seriesQuery) copyWaiting(after int64) *stretch {
	rows := q.store.rows
	if rows == nil {
		return nil
	}
	place, column := rows.Layout.Place(q.out.Component), rows.Column(q.out.Metric)
	if rows = rows.RowsAfter(max(after, q.from)); place < 0 || column < 0 || len(rows.Times) == 0 {
		return nil
	}
	group, first, last := rows.Layout.GroupAt(place)
	runs, own := chooseMembers(first, last, place)
	var codes []segment.Code
	for _, run := range runs {
		codes = append(codes, rows.Codes(column, run[0], run[1])...)
	}
	q.out.Group = group
	return &stretch{slices.Clone(rows.Times), own, [][]segment.Code{codes}}
}

// take adds the values of a stretch to the buckets, in order of time.
func (q *seriesQuery) take(st *stretch) {
	for at, t := range st.times {
		if t <= q.from || t > q.to {
			continue
		}
		q.buckets.SetTime(t)
		members := len(st.parts[0]) / len(st.times)
		for i := range members {
			place := i*len(st.times) + at
			v := st.parts[0][place]
			least, mean, largest, steps := v, v, v, 1
			if len(st.parts) == quarterParts {
				mean, largest = st.parts[waitingMean][place], st.parts[Largest][place]
				steps = int(max(0, st.parts[Steps][place].Float()))
			}
			if mean == segment.Missing || steps == 0 {
				continue
			}
			if i == st.own {
				q.buckets.AddOwn(least, mean, largest, steps)
			} else {
				q.buckets.AddPeer(least, mean, largest)
			}
		}
	}
}
