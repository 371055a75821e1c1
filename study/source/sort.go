package source

import (
	"context"
	"errors"
	"io"

	"github.com/limpet-storage/limpet/study/source/internal/hours"
	"github.com/limpet-storage/limpet/study/source/internal/units"
)

// leastCell keeps small inputs in one piece.
const leastCell = 1 << 16

// sort puts the records of all units into the order of time.
func (s *Source) sort(ctx context.Context, v *survey) (*hours.Spill, error) {
	const garbage = 2 // the heap is twice what is alive before it is swept
	most := max(leastCell, s.options.MemoryBytes/int64(s.options.Workers)/(garbage*hours.BytesOf(len(s.directions))))
	spans := units.Share(v.units, s.options.Workers)
	p, err := hours.NewSpill(s.options.TempDir, hours.Cut(v.hours, most), len(s.directions), s.finer, len(spans))
	if err != nil {
		return nil, err
	}
	s.progress.begin(Sorting, v.units)
	err = units.Parallel(ctx, len(spans), func(ctx context.Context, i int) error {
		return s.sortSpan(ctx, v.units, spans[i], p.Writer(i))
	})
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// sortSpan is one worker's part.
func (s *Source) sortSpan(ctx context.Context, list []units.Unit, span units.Span, w *hours.Writer) error {
	r := s.newReader()
	defer r.close()
	in := hours.NewRecords(len(s.directions))
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
