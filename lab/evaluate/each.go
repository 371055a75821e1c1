package evaluate

import (
	"context"
	"errors"
	"io"

	"github.com/limpet-storage/limpet/engine/table"
)

var errInterrupted = errors.New("interrupted")

// each calls push with every row of a stream, until the stream or the context ends.
func each(ctx context.Context, s table.Stream, push func(*table.Row)) error {
	for ctx.Err() == nil {
		row, err := s.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		push(row)
	}
	return errInterrupted
}
