package watch

import (
	"context"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
)

// arrival is what a source has next. The row is valid until taken is closed.
type arrival struct {
	row   *table.Row
	more  bool // the next is there already
	err   error
	taken chan struct{}
}

// source is one that says whether its next row is there already.
type source interface {
	ingest.Source
	HasNext() bool
}

// read asks a source again and again, so that whoever takes rows can do something else
// while there are none. The channel is closed when the source has ended.
func read(ctx context.Context, s source) <-chan arrival {
	next := make(chan arrival)
	go func() {
		defer close(next)
		for {
			row, err := s.Next(ctx)
			a := arrival{row, s.HasNext(), err, make(chan struct{})}
			select {
			case next <- a:
			case <-ctx.Done():
				return
			}
			select {
			case <-a.taken:
			case <-ctx.Done():
				return
			}
			if err != nil && err != ingest.ErrChanged {
				return
			}
		}
	}()
	return next
}
