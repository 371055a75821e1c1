package history

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/history/segment"
)

var kills = flag.Int("history.kills", 50, "how often TestKilled kills a process")

// childDir is the environment variable with the directory of a child process.
const childDir = "LIMPET_HISTORY_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		if err := child(dir); err != nil {
			fmt.Println(err)
		}
		return
	}
	os.Exit(m.Run())
}

// numbered returns the value of a component in the n-th row.
func numbered(n, c int) float64 { return float64(1 + (n*7+c)%200) }

// child stores rows until it is killed. Like a caller with a journal it flushes before it stores its
// position, and begins there the next time.
func child(dir string) error {
	n := 0
	if b, err := os.ReadFile(filepath.Join(dir, "snapshot")); err == nil {
		_, _ = fmt.Sscan(string(b), &n)
	}
	system := systemOf(rand.New(rand.NewPCG(1, 1)), 2, 12)
	s, err := Open(dir, DefaultOptions())
	if err != nil {
		return err
	}
	schema := schemaOf(system, metric.Await)
	if err := s.Begin(system, schema); err != nil {
		return err
	}
	fmt.Println("began")
	row := table.NewRow(schema)
	for ; ; n++ {
		row.End = start + int64(n+1)*step
		w := persistence.Window{End: row.End}
		for c := range row.Values[0] {
			row.Values[0][c] = numbered(n, c)
			w.Verdicts = append(w.Verdicts, persistence.Verdict{Component: c, Score: numbered(n, c), Threshold: 1})
		}
		if err := s.Row(row); err != nil {
			return err
		}
		if err := s.Window(&w); err != nil {
			return err
		}
		if n%50 == 49 {
			if err := s.Flush(); err != nil {
				return err
			}
			temp := filepath.Join(dir, "snapshot.tmp")
			if err := os.WriteFile(temp, fmt.Append(nil, n+1), 0o600); err != nil {
				return err
			}
			if err := os.Rename(temp, filepath.Join(dir, "snapshot")); err != nil {
				return err
			}
		}
	}
}

// TestKilled kills a process that writes a history again and again, at any instant. With the rows that a
// journal would replay, every row is there, once.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	for kill := range *kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childDir+"="+dir)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		said := make([]byte, 100)
		n, _ := out.Read(said)
		if !bytes.HasPrefix(said, []byte("began\n")) {
			t.Errorf("kill %d: %s", kill, said[:n])
		}
		time.Sleep(time.Duration(rng.IntN(20_000)) * time.Microsecond)
		cmd.Process.Kill()
		_ = cmd.Wait()
	}
	b, err := os.ReadFile(filepath.Join(dir, "snapshot"))
	must(t, err)
	rows := 0
	_, err = fmt.Sscan(string(b), &rows)
	must(t, err)
	s, err := Open(dir, DefaultOptions())
	must(t, err)
	held(t, s, rows)
	t.Logf("%d kills, %d rows", *kills, rows)
}

// held checks that a store has the given numbers of rows and windows, each once.
func held(t *testing.T, s *Store, rows int) {
	t.Helper()
	system := systemOf(rand.New(rand.NewPCG(1, 1)), 2, 12)
	must(t, s.Begin(system, schemaOf(system, metric.Await)))
	for c, component := range system.Components {
		got, err := s.Series(context.Background(), component.Name, "await", start, start+int64(rows)*step, rows)
		must(t, err)
		scores, err := s.Scores(context.Background(), component.Name, start, start+int64(rows)*step)
		must(t, err)
		if len(got.Buckets) != rows || len(scores.Scores) != rows || len(got.Troubles)+len(scores.Troubles) > 0 {
			t.Fatalf("%d steps and %d windows of %d rows, %q", len(got.Buckets), len(scores.Scores), rows, s.Troubles())
		}
		for n, b := range got.Buckets {
			want := segment.Round(numbered(n, c)).Float()
			if b.Own.Steps != 1 || b.Own.Mean != want || scores.Scores[n].Score != want {
				t.Fatalf("row %d: %+v, want %g", n, b.Own, want)
			}
		}
	}
}
