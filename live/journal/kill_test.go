package journal

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
)

var kills = flag.Int("journal.kills", 200, "how often TestKilled kills a process")

// childDir is the environment variable with the directory of a child process.
const childDir = "LIMPET_JOURNAL_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		if err := child(dir); err != nil {
			fmt.Println(err)
		}
		return
	}
	os.Exit(m.Run())
}

// wide has rows of several pages, so that a kill may fall within one.
var wide = table.Schema{StepSeconds: 15, Metrics: small.Metrics, Components: 1000, Servers: 2}

// child continues a journal until it is killed, and prints the number of each record that must survive.
func child(dir string) error {
	j, r, err := Open(dir, DefaultOptions())
	if err != nil {
		return err
	}
	n, err := verify(r)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(uint64(os.Getpid()), 1))
	out := bufio.NewWriter(os.Stdout)
	for fresh := !r.Found; ; fresh = false {
		fmt.Fprintln(out, n)
		out.Flush()
		if fresh || rng.IntN(10) == 0 {
			if err := j.Snapshot(wide, nil, blob(n)); err != nil {
				return err
			}
		}
		if err := addErr(j, wide, n); err != nil {
			return err
		}
		n++
		if rng.IntN(20) == 0 {
			if err := j.Sync(); err != nil {
				return err
			}
		}
	}
}

// verify checks every record, and counts them.
func verify(r *Recovered) (n int, err error) {
	if r.Missing || len(r.Troubles) > 0 {
		return 0, fmt.Errorf("troubles: %q", r.Troubles)
	}
	n = count(r)
	same := func(got string) error {
		if want := recordOf(wide, n); got != want {
			return fmt.Errorf("record %d is %.60s, want %.60s", n, got, want)
		}
		n++
		return nil
	}
	err = r.Replay(wide,
		func(row *table.Row) error { return same(printed(row)) },
		func(note []byte) error { return same(string(note)) })
	return n, err
}

// TestKilled kills a process that writes a journal again and again, at any instant: every record that it had
// appended is there, bit for bit.
func TestKilled(t *testing.T) {
	dir, kills := t.TempDir(), *kills
	if testing.Short() {
		kills /= 2
	}
	rng := rand.New(rand.NewPCG(1, 2))
	told, began := 0, 0
	for kill := range kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childDir+"="+dir)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		lines := bufio.NewScanner(out)
		after := 1 + 4*(kill%2) // half of the kills come after something was appended, however slow the machine is
		var timer *time.Timer
		for lines.Scan() {
			n, err := strconv.Atoi(lines.Text())
			if err != nil || n < told {
				t.Fatalf("kill %d: %d records were told of, then %q", kill, told, lines.Text())
			}
			if told = n; after == 1 {
				began++
				timer = time.AfterFunc(time.Duration(rng.IntN(8_000))*time.Microsecond, func() { cmd.Process.Kill() })
			}
			after--
		}
		if timer != nil {
			timer.Stop()
		}
		cmd.Process.Kill()
		_ = cmd.Wait()
	}
	if t.Logf("%d kills, %d records", kills, told); began != kills || told < kills {
		t.Errorf("%d of %d processes began, %d records", began, kills, told)
	}
}
