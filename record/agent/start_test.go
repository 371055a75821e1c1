package agent

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// start begins to record. What it returns ends that; the log has told of no
// trouble then.
func start(t testing.TB, o Options) (stop func()) {
	t.Helper()
	if o.Record.Clock == nil {
		awaitDay()
	}
	var log journal
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, o, io.Discard, &log) }()
	return func() {
		t.Helper()
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if said := log.String(); levelAbove.MatchString(said) {
			t.Errorf("the log says\n%s", said)
		}
	}
}

// awaitDay waits for the next day's file where it is near: a short recording is
// to be in one.
func awaitDay() {
	const long, begins = 30 * time.Second, 6 * time.Second
	midnight := time.Now().Add(long).Truncate(24 * time.Hour)
	if left := time.Until(midnight.Add(begins)); left > 0 && left <= long+begins {
		time.Sleep(left)
	}
}

func onlyFile(t testing.TB, o Options) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(o.Record.Dir, o.Record.File.Hostname+"-*Z.sa"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %q, error %v", files, err)
	}
	return files[0]
}

// eachStats hands over the samples of a file, and what comments said by then.
func eachStats(t testing.TB, file string, take func(*sysstat.Record, *sysstat.Inventory)) {
	t.Helper()
	r, err := sysstat.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for rec, err := r.Next(); !errors.Is(err, io.EOF); rec, err = r.Next() {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type == sysstat.Stats {
			take(rec, r.Inventory())
		}
	}
	for _, w := range r.Warnings() {
		t.Error(w)
	}
}
