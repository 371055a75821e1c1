package source

import (
	"context"
	"errors"
	"io"

	"github.com/limpet-storage/limpet/internal/extsort"
)

// leastRows is the smallest result of maxRows, so that small inputs stay in one range.
const leastRows = 1 << 16

// maxRows returns the number of records that one worker may keep in memory: its share of
// Options.MemoryBytes.
func (s *Source) maxRows() int {
	const garbage = 2 // before a garbage collection, the heap is twice the live memory
	share := s.options.MemoryBytes / int64(s.options.Workers)
	return int(max(leastRows, share/(garbage*bytesOf(len(s.directions)))))
}

// sort sorts the records of all units by time.
func (s *Source) sort(ctx context.Context, v *sourceSurvey) (*hourSorter, error) {
	spans := share(v.units, s.options.Workers)
	o := sortOptions{Dir: s.options.TempDir, Directions: len(s.directions), Finer: s.finer, MaxRows: s.maxRows()}
	p, err := newHourSorter(o, v.hours, len(spans))
	if err != nil {
		return nil, err
	}
	s.progress.begin(Sorting, v.units)
	err = parallel(ctx, len(spans), func(ctx context.Context, i int) error {
		return s.sortSpan(ctx, v.units, spans[i], p.Writer(i))
	})
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// sortSpan reads the units of one worker and passes their records to its writer.
func (s *Source) sortSpan(ctx context.Context, list []unit, span unitSpan, w *extsort.Writer[*records]) error {
	r := s.newReader()
	defer r.close()
	in := newRecords(len(s.directions))
	for i := span.From; i < span.To; i++ {
		if err := r.begin(&list[i], i, true); err != nil {
			return err
		}
		for {
			in.Reset()
			err := r.read(ctx, in)
			if err == io.EOF {
				break
			}
			if err == nil {
				err = w.Add(in)
			}
			if err != nil {
				return err
			}
		}
		s.progress.finish(&list[i])
	}
	s.report(r)
	return w.Flush()
}
