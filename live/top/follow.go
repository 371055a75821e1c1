package top

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/activity"
)

// Follow pushes the rows of a source into the model until the source or the context ends. After each
// row it sends a value to the channel `news`. If the previous value was not received yet, it sends
// no further value.
func (m *Model) Follow(ctx context.Context, s ingest.Source, news chan<- struct{}) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if p, ok := s.(interface{ Progress() activity.Progress }); ok {
		go m.await(ctx, p.Progress, news)
	}
	for {
		row, err := s.Next(ctx)
		switch {
		case errors.Is(err, ingest.ErrChanged):
			err = m.Change(s.System(), s.Schema())
			if err != nil {
				return err
			}
			m.warn(s)
			continue
		case errors.Is(err, io.EOF):
			m.Finish()
			return nil
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		m.Push(row)
		if m.Rows()%warnEvery == 1 {
			m.warn(s)
		}
		select {
		case news <- struct{}{}:
		default:
		}
	}
}

// await sets the reason why the model has no rows yet. It updates the reason each second, until the
// first row comes.
func (m *Model) await(ctx context.Context, progress func() activity.Progress, news chan<- struct{}) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for m.Rows() == 0 {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if reason := progress().Waiting; reason != "" {
			m.SetWaiting(reason)
		}
		select {
		case news <- struct{}{}:
		default:
		}
	}
}

// warnEvery is the number of rows after which the model reads the warnings of the source again.
const warnEvery = 60

func (m *Model) warn(s ingest.Source) {
	var list []string
	for _, w := range s.Warnings() {
		list = append(list, w.String())
	}
	m.SetWarnings(list)
}
