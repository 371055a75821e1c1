package watch

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/playback"
)

var kills = flag.Int("kills", 8, "times that a watch is killed")

// childEnv is the environment variable with the directory that a child process watches.
const childEnv = "LIMPET_WATCH_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		child(dir)
	}
	code := m.Run()
	if recordings.dir != "" {
		os.RemoveAll(recordings.dir)
	}
	os.Exit(code)
}

// child watches files that another process writes, by a clock in a file, until it is killed.
func child(dir string) {
	tb := &testing.B{}
	o := options(tb, dir, filepath.Join(dir, "state"))
	o.Paths = []string{filepath.Join(dir, "grows", "activity")}
	o.Now, o.Poll = clockIn(dir), 5*time.Millisecond
	o.SnapshotEvery, o.LateSeconds = 20*time.Minute, 3600 // of that clock
	o.Report = func(s string) { fmt.Fprintln(os.Stderr, s) }
	w, err := Open(context.Background(), o)
	if err == nil {
		err = w.Run(context.Background())
	}
	fmt.Fprintln(os.Stderr, "the child ends:", err)
	os.Exit(1)
}

const clockFile = "clock"

// clockIn returns a clock that is stored in a file.
func clockIn(dir string) func() time.Time {
	return func() time.Time {
		data, err := os.ReadFile(filepath.Join(dir, clockFile))
		if err != nil || len(data) != 8 {
			return time.Unix(0, 0)
		}
		return time.Unix(int64(binary.LittleEndian.Uint64(data)), 0)
	}
}

func setClock(tb testing.TB, dir string, at int64) {
	tb.Helper()
	next := filepath.Join(dir, clockFile+".next")
	if err := os.WriteFile(next, binary.LittleEndian.AppendUint64(nil, uint64(at)), 0o600); err != nil {
		tb.Fatal(err)
	}
	if err := os.Rename(next, filepath.Join(dir, clockFile)); err != nil {
		tb.Fatal(err)
	}
}

// However often a watch is killed while files grow, no incident is lost, doubled or renamed, and each
// notification is sent once.
func TestKilledAtAnyTime(t *testing.T) {
	from := recorded(t)
	once := options(t, from, t.TempDir())
	once.Once = true
	want := run(t.Context(), t, once)

	dir := t.TempDir()
	copyFile(t, filepath.Join(from, simulate.TopologyFile), filepath.Join(dir, simulate.TopologyFile))
	grows, err := playback.Open(from, filepath.Join(dir, "grows"))
	if err != nil {
		t.Fatal(err)
	}
	first, last := grows.Span()
	rng := rand.New(rand.NewPCG(uint64(*kills), 1))
	now := first
	for killed := range *kills {
		setClock(t, dir, now)
		c := startChild(t, dir)
		end := time.Now().Add(time.Duration(100+rng.IntN(400)) * time.Millisecond)
		until := first + (last-first)*int64(killed+1)/int64(*kills)
		for time.Now().Before(end) {
			now = min(now+30, until)
			if _, err := grows.Write(now); err != nil {
				t.Fatal(err)
			}
			setClock(t, dir, now)
			time.Sleep(time.Millisecond)
		}
		c.kill(t)
	}
	if _, err := grows.Write(last); err != nil {
		t.Fatal(err)
	}
	o := options(t, dir, filepath.Join(dir, "state"))
	o.Paths, o.Once = []string{filepath.Join(dir, "grows", "activity")}, true
	got := run(t.Context(), t, o)
	same(t, "what was told", told(t, got.Ledger()), told(t, want.Ledger()))
	// A process that lives for an instant does not save which components its files have.
	same(t, "how things stand", withoutWarnings(standingText(t, got)), withoutWarnings(standingText(t, want)))
}

type process struct{ *exec.Cmd }

func startChild(tb testing.TB, dir string) process {
	tb.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childEnv+"="+dir)
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		tb.Fatal(err)
	}
	return process{c}
}

func (c process) kill(tb testing.TB) {
	tb.Helper()
	if err := c.Process.Kill(); err != nil {
		tb.Fatalf("the child has ended by itself: %v", err)
	}
	_ = c.Wait() // it was killed
}

func copyFile(tb testing.TB, from, to string) {
	tb.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		tb.Fatal(err)
	}
}
