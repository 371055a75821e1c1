package watch

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestAwaited: a directory without files is a trouble, which the standing shows; a directory that
// may be empty is not.
func TestAwaited(t *testing.T) {
	o := DefaultOptions()
	spool := t.TempDir()
	o.Paths, o.MayBeEmpty, o.StateDir, o.Now = []string{t.TempDir(), spool}, []string{spool}, t.TempDir(), time.Now
	said := make(chan string, 100)
	o.Report = func(text string) { said <- text }
	w, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	select {
	case got := <-said:
		if want := "source: " + o.Paths[0] + ": no activity files yet; let recorders write activity files to this directory, or copy activity files to this directory"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	case <-time.After(time.Minute):
		t.Error("nothing is said of a directory without files")
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	now := w.Result()
	if len(now.Progress.Awaited) != 1 || len(now.Troubles) != 1 || now.Troubles[0].Kind != "source" || !strings.Contains(now.Waiting, o.Paths[0]) || strings.Contains(now.Waiting, o.Paths[1]) {
		t.Errorf("%+v, %+v, %q", now.Progress.Awaited, now.Troubles, now.Waiting)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
