package raid

import (
	"context"
	"time"
)

// A pace limits the rate at which a long operation reads or writes the drives.
type pace struct {
	bytesPerSecond int64 // rate of each member; 0: no limit
	began          time.Time
	bytes          int64
}

func newPace(bytesPerSecond int64) *pace {
	return &pace{bytesPerSecond: bytesPerSecond, began: time.Now()} //nolint:forbidigo // drives are real
}

// rest waits until the rate allows bytes more bytes. It returns an error if ctx ends or the array
// is closed.
func (p *pace) rest(ctx context.Context, a *Array, bytes int64) error {
	p.bytes += bytes
	if p.bytesPerSecond > 0 {
		due := time.Duration(float64(p.bytes) / float64(p.bytesPerSecond) * float64(time.Second))
		timer := time.NewTimer(due - time.Since(p.began))
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		case <-a.gate.closing.Done():
		}
	}
	return a.interrupted(ctx)
}

// interrupted returns an error if a long operation must stop.
func (a *Array) interrupted(ctx context.Context) error {
	if a.gate.closing.Err() != nil {
		return ErrClosed
	}
	return ctx.Err()
}
