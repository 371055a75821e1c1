package history

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/live/history/segment"
)

// Scores returns the scores and verdicts of one component. It considers the windows whose end time
// t, in Unix seconds, satisfies `from` < t ≤ `to`.
func (s *Store) Scores(ctx context.Context, component string, from, to int64) (*Scores, error) {
	var out *Scores
	err := read(func() error {
		out = &Scores{Component: component}
		s.mu.RLock()
		entries := s.windows.SegmentsWithin(from, to)
		waiting := s.waitingScores(component)
		s.mu.RUnlock()
		err := s.forEachSegment(ctx, entries, &out.Troubles, func(part *segment.Segment) error {
			scores, err := scoresOf(ctx, part, component)
			out.Scores = append(out.Scores, scores...)
			return err
		})
		out.Scores = append(out.Scores, waiting...)
		return err
	})
	if err != nil {
		return nil, err
	}
	out.Scores = slices.DeleteFunc(out.Scores, func(v Score) bool { return v.End <= from || v.End > to })
	slices.SortStableFunc(out.Scores, func(a, b Score) int { return cmp.Compare(a.End, b.End) })
	return out, nil
}

// scoresOf reads the scores of a component from a file.
func scoresOf(ctx context.Context, part *segment.Segment, component string) ([]Score, error) {
	place := part.Layout.Place(component)
	if place < 0 {
		return nil, nil
	}
	var out []Score
	for _, column := range part.Columns {
		metric, ok := strings.CutSuffix(column, windowNames[scoreOf])
		if !ok {
			continue
		}
		var codes [windowParts][]segment.Code
		for i, name := range windowNames {
			var err error
			if codes[i], err = part.Range(ctx, metric+name, place, place+1); err != nil {
				return nil, err
			}
		}
		for at, t := range part.Times {
			if score, ok := scoreFrom(t, metric, codes[scoreOf][at], codes[thresholdOf][at], codes[verdictOf][at]); ok {
				out = append(out, score)
			}
		}
	}
	return out, nil
}

// waitingScores returns the scores of a component in the windows that are not on disk yet.
func (s *Store) waitingScores(component string) []Score {
	if s.verdicts == nil {
		return nil
	}
	place := s.verdicts.Layout.Place(component)
	if place < 0 {
		return nil
	}
	n, waiting := len(s.verdicts.Layout.Components), s.verdicts.RowsAfter(s.windows.End())
	var out []Score
	for at, t := range waiting.Times {
		row := waiting.Rows[at]
		for m, metric := range s.metrics {
			part := row[m*windowParts*n:]
			if score, ok := scoreFrom(t, metric, part[scoreOf*n+place], part[thresholdOf*n+place], part[verdictOf*n+place]); ok {
				out = append(out, score)
			}
		}
	}
	return out
}
