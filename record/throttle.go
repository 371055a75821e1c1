package record

import (
	"context"
	"io"
	"time"
)

// throttled reads at a rate, in pieces small enough for others to come
// between, and until ctx is done.
type throttled struct {
	ctx  context.Context
	src  io.Reader
	rate int64 // bytes a second; 0: no bound
}

const piece = 64 << 10

func (t *throttled) Read(b []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := t.src.Read(b[:min(len(b), piece)])
	if t.rate > 0 && n > 0 {
		t.pause(time.Duration(n) * time.Second / time.Duration(t.rate))
	}
	return n, err
}

func (t *throttled) pause(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-t.ctx.Done():
	case <-timer.C:
	}
}
