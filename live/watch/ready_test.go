package watch

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestReadyWithoutNewRows: a restarted watch is ready when the state is restored and the files have
// been looked at, even if the files have no new row, or are gone.
func TestReadyWithoutNewRows(t *testing.T) {
	dir, state := recorded(t), t.TempDir()
	o := options(t, dir, state)
	o.Once = true
	before, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := before.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := standingText(t, before)
	if err := before.Close(); err != nil {
		t.Fatal(err)
	}
	o.Once, o.Poll = false, 10*time.Millisecond
	becomesReady(t, o, want)
	files, err := filepath.Glob(filepath.Join(dir, "activity", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if err := os.RemoveAll(file); err != nil {
			t.Fatal(err)
		}
	}
	becomesReady(t, o, "")
}

// becomesReady runs a watch until it is ready, and compares how things stand then. An empty text
// stands for any.
func becomesReady(t *testing.T, o Options, want string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	w, err := Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if w.Result().Waiting == "" {
		t.Error("it is ready before it has looked at its files")
	}
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	for end := time.Now().Add(time.Minute); w.Result().Waiting != "" && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if why := w.Result().Waiting; why != "" {
		t.Errorf("not ready after a minute: %s", why)
	}
	if want != "" {
		same(t, "how things stand", withoutWarnings(standingText(t, w)), withoutWarnings(want))
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
