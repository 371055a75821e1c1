package serve

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestInterruptedOnceSaysSo: a run that is stopped before it has read all data is an error and prints
// no result. The next run continues, and its result is that of a run that nobody stopped.
func TestInterruptedOnceSaysSo(t *testing.T) {
	dir, hook := recorded(t), newHook(t)
	run := func(ctx context.Context, state string, now func() time.Time) (string, error) {
		var out bytes.Buffer
		o := Options{Version: "1.2.3", Now: now, Report: func(string) {}, Stdout: io.Discard, Stderr: io.Discard}
		err := Once(ctx, settings(dir, state, hook), o, &out)
		return out.String(), err
	}
	want, err := run(t.Context(), filepath.Join(t.TempDir(), "state"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for _, after := range []int64{1, 10, 100} {
		state := filepath.Join(t.TempDir(), "state")
		ctx, stop := context.WithCancel(t.Context())
		var calls atomic.Int64
		text, err := run(ctx, state, func() time.Time {
			if calls.Add(1) == after {
				stop()
			}
			return time.Now()
		})
		stop()
		if calls.Load() < after { // the run ended before
			continue
		}
		if err == nil || text != "" || !strings.Contains(err.Error(), "interrupted") && !strings.Contains(err.Error(), "canceled") {
			t.Errorf("stopped after %d looks at the clock, the error is %v and the result is %.200q", after, err, text)
		}
		if text, err := run(t.Context(), state, time.Now); err != nil || text != want {
			t.Errorf("after a stop, the next run ends with %v and prints\n%s\nwant\n%s", err, text, want)
		}
	}
}
