package record

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// The recorder to be killed is this test binary, told so by its environment:
// directory, wall clock at its start in ns, number of its first sample.
const killMe = "LIMPET_TEST_RECORD"

// A teller says on its output which samples it heard of, hence are written.
type teller struct{}

func (teller) Hear(_ time.Time, _ uint64, s *sysstat.Sample) {
	os.Stdout.WriteString(strconv.FormatUint(s.Disks[0].IOs, 10) + "\n")
}

// boot is when the host of the killed recorders was started.
var boot = at("2026-03-01 00:00:00")

// recordUntilKilled is what the process does that is to be killed.
func recordUntilKilled(t *testing.T, told string) {
	words := strings.SplitN(told, " ", 3)
	wall, _ := strconv.ParseInt(words[0], 10, 64)
	first, _ := strconv.ParseUint(words[1], 10, 64)
	clock := newClock(time.Unix(0, wall).UTC())
	o := DefaultOptions()
	o.Dir, o.File.Hostname, o.Clock = words[2], "fs1", clock
	o.Interval, o.Sync, o.CompressMB = 2*time.Millisecond, 10*time.Millisecond, 40
	o.Listener, o.Log = teller{}, slog.New(slog.NewTextHandler(os.Stderr, nil))
	m := &fakeMachine{
		clock: clock, booted: boot.Sub(time.Unix(0, wall)), taken: first - 1, disks: 72,
		inventory: []string{"dev 8:0=sda"},
	}
	r, err := New(o, m)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// victim starts a recorder and kills it after a while, and returns the
// numbers of the samples that it had written by then.
func victim(t *testing.T, dir string, wall time.Time, first uint64, life time.Duration) []uint64 {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKill$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d %s", killMe, wall.UnixNano(), first, dir))
	cmd.Stderr = io.Discard
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(life, func() { cmd.Process.Kill() })
	defer timer.Stop()
	var told []uint64
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if n, err := strconv.ParseUint(lines.Text(), 10, 64); err == nil {
			told = append(told, n)
		} else {
			t.Error(lines.Text())
		}
	}
	if err := cmd.Wait(); err == nil {
		t.Error("it ended by itself")
	}
	return told
}

// TestKill: a recorder is killed at random moments and started again, often
// around midnight, so that files are begun and compressed; each sample that
// was written stands in some file, and each file can be read.
func TestKill(t *testing.T) {
	if told := os.Getenv(killMe); told != "" {
		recordUntilKilled(t, told)
		return
	}
	rounds := 300
	if testing.Short() {
		rounds = 20
	}
	dir, rnd := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	wall, first := at("2026-03-01 12:00:00"), uint64(1)
	written := map[uint64]bool{}
	for i := range rounds {
		life := time.Duration(5+rnd.IntN(60)) * time.Millisecond
		if i%10 == 5 { // long enough to compress, perhaps
			life *= 5
		}
		told := victim(t, dir, wall, first, life)
		for _, n := range told {
			written[n] = true
			first = max(first, n)
		}
		first += 10 // beyond the one that was being written
		checkNames(t, dir)
		wall = wall.Add(time.Duration(1+rnd.IntN(30)) * time.Second)
		if i%10 == 9 { // end of the day, while it lives
			wall = dayOf(wall).end.Add(-time.Duration(rnd.IntN(30)) * time.Millisecond)
		}
	}
	checkWritten(t, dir, written)
	packed, _ := filepath.Glob(filepath.Join(dir, "*.zst"))
	if len(packed) == 0 && !testing.Short() {
		t.Error("none was compressed")
	}
	t.Logf("%d samples written in %d lives, in %d files, %d of them compressed",
		len(written), rounds, len(killedFiles(t, dir)), len(packed))
}

func killedFiles(t *testing.T, dir string) []file {
	t.Helper()
	files, err := list(dir, "fs1")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// checkNames: each file has a header, at any time.
func checkNames(t *testing.T, dir string) {
	t.Helper()
	for _, f := range killedFiles(t, dir) {
		r, err := sysstat.Open(f.path)
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
}

// checkWritten: after a last start and good end nothing is torn or lost.
func checkWritten(t *testing.T, dir string, written map[uint64]bool) {
	t.Helper()
	files := killedFiles(t, dir)
	o := DefaultOptions().File
	o.Hostname = "fs1"
	for _, f := range files {
		if f.packing != Plain {
			continue
		}
		out, _, err := goOn(f.path, f.begin, o)
		if err != nil {
			t.Fatal(err)
		}
		out.close()
	}
	found := map[uint64]bool{}
	for _, f := range files {
		for _, ios := range readFile(t, f.path).ios {
			found[ios] = true
		}
	}
	var lost []uint64
	for n := range written {
		if !found[n] {
			lost = append(lost, n)
		}
	}
	if len(lost) > 0 || len(written) < 100 {
		slices.Sort(lost)
		t.Errorf("of %d samples %d are lost: %v", len(written), len(lost), lost)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.part")); len(left) > 1 {
		t.Errorf("left are %q", left)
	}
}
