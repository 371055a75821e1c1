package watch

import (
	"context"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
)

// arrival is the next row or the next error of a source. The receiver must close arrival.taken
// after it has processed the row. The row is valid until this channel is closed.
type arrival struct {
	row   *table.Row
	more  bool // true if a further row is already available
	err   error
	taken chan struct{}
}

// source is a source of rows that can report whether its next row is available.
type source interface {
	ingest.Source
	HasNext() bool
}

// read reads a source in a goroutine, so that the receiver can do other work while no row is
// available. It closes the returned channel when the source has ended.
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
