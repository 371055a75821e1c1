package activity

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// A theatre replays recorded files: they grow in another directory as a clock
// advances, and are followed there.
type theatre struct {
	t      testing.TB
	from   string // directory of the whole files
	dir    string // directory in which they grow
	clock  int64
	tapes  []*tape
	pieces *rand.Rand // nil: records are written whole
	opts   Options
	follow FollowOptions
	f      *Following
	rows   []string
	ends   []int64
	turns  int
	// changes counts the changes of the system.
	changes int
	clocks  map[string]trueClock
}

// A tape is a file that is replayed.
type tape struct {
	name   string
	bytes  []byte
	times  []int64 // times at which records are written, by the true clock
	ends   []int   // offsets at which records end
	behind int64   // seconds by which its records come late
	at     int
}

// trueClock returns the true times of records, whatever their host's clock
// shows.
type trueClock struct {
	now, offset int64
	uptime      uint64
}

func (c *trueClock) passes(rec *sysstat.Record) int64 {
	if rec.Type == sysstat.Stats {
		if c.uptime > 0 && rec.Uptime >= c.uptime {
			c.offset = c.now + int64(rec.Uptime-c.uptime)/100 - rec.Time
		}
		c.now, c.uptime = rec.Time+c.offset, rec.Uptime
	}
	return max(c.now, rec.Time+c.offset)
}

func newTheatre(t testing.TB, from string, o Options) *theatre {
	t.Helper()
	th := &theatre{t: t, from: from, dir: t.TempDir(), opts: o, clock: math.MaxInt64, clocks: map[string]trueClock{}}
	files, err := listFiles([]string{from})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		th.load(path)
	}
	th.follow.Now = func() time.Time { return time.Unix(th.clock, 0) }
	return th
}

func (th *theatre) load(path string) { th.t.Helper(); th.loadSome(path, math.MaxInt) }

// loadSome loads the first records of a file.
func (th *theatre) loadSome(path string, records int) {
	th.t.Helper()
	r, err := sysstat.Open(path)
	if err != nil {
		th.t.Fatal(err)
	}
	defer r.Close()
	b := readStart(th.t, path, records)
	rel, _ := filepath.Rel(th.from, path)
	p := &tape{name: rel, bytes: b}
	c := th.clocks[r.Header().Hostname] // as at the end of the host's earlier files
	for {
		rec, err := r.Next()
		if err != nil || len(p.times) == records {
			break
		}
		if n := len(p.times); n > 0 {
			p.ends[n-1] = int(rec.Offset)
		}
		p.times, p.ends = append(p.times, c.passes(rec)), append(p.ends, len(b))
	}
	th.clocks[r.Header().Hostname] = c
	th.tapes = append(th.tapes, p)
	th.clock = min(th.clock, p.times[0])
}

// readStart reads a bounded number of records.
func readStart(t testing.TB, path string, records int) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const mostRecord = 16 << 10
	b, err := io.ReadAll(io.LimitReader(f, int64(min(records, 1<<30))*mostRecord))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// begin follows the directory.
func (th *theatre) begin() {
	th.t.Helper()
	var err error
	th.f, err = newFollowing(th.t.Context(), []string{th.dir}, th.opts, th.follow)
	if err != nil {
		th.t.Fatal(err)
	}
	close(th.f.ended) // the test takes turns itself
	f := th.f
	th.t.Cleanup(func() { f.Close() })
}

// restart continues as another process would.
func (th *theatre) restart() {
	th.t.Helper()
	if n := len(th.ends); n > 0 {
		th.follow.After = th.ends[n-1]
	}
	th.follow.Found = th.f.Found()
	th.f.Close()
	th.begin()
}

// due returns how much of a tape is written by now.
func (th *theatre) due(p *tape) int {
	n := 0
	for i, at := range p.times {
		if at+p.behind <= th.clock {
			n = p.ends[i]
		}
	}
	return n
}

// write lets the files grow up to now.
func (th *theatre) write() {
	for _, p := range th.tapes {
		th.append(p, th.due(p))
	}
}

// append writes a tape up to an offset, in pieces if wanted, with a look at the
// files after each piece.
func (th *theatre) append(p *tape, until int) {
	th.t.Helper()
	for p.at < until {
		n := until - p.at
		if th.pieces != nil {
			n = min(n, 1+th.pieces.IntN(2*n))
		}
		path := filepath.Join(th.dir, p.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			th.t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			th.t.Fatal(err)
		}
		if _, err := f.Write(p.bytes[p.at:][:n]); err != nil {
			th.t.Fatal(err)
		}
		f.Close()
		if p.at += n; th.pieces != nil {
			th.look()
		}
	}
}

// look takes turns until nothing is left to do, and takes the rows.
func (th *theatre) look() {
	th.t.Helper()
	if th.f == nil {
		return
	}
	for more := true; more; th.turns++ {
		more = th.f.checkAndRead()
		if th.turns > 100_000 {
			th.t.Fatal("turns without end")
		}
		th.take()
	}
}

func (th *theatre) take() {
	th.t.Helper()
	for {
		has := th.f.HasNext()
		row, err := th.f.take()
		if has != (row != nil || err != nil) {
			th.t.Fatalf("that there is more is said to be %t", has)
		}
		switch {
		case errors.Is(err, ingest.ErrChanged):
			th.changes++
			continue
		case err != nil && err != io.EOF:
			th.t.Fatal(err)
		case row == nil:
			return
		}
		if n := len(th.ends); n > 0 && row.End <= th.ends[n-1] {
			th.t.Errorf("row of %d after that of %d", row.End, th.ends[n-1])
		}
		th.rows, th.ends = append(th.rows, show(row, th.f.System(), th.f.Schema())), append(th.ends, row.End)
	}
}

// play advances the clock past the last record of all tapes and the time that
// rows wait.
func (th *theatre) play(tick int64) {
	th.t.Helper()
	th.until(th.last()+300+th.follow.LateSeconds, tick)
}

// last returns the time of the last record.
func (th *theatre) last() int64 {
	last := int64(0)
	for _, p := range th.tapes {
		last = max(last, p.times[len(p.times)-1]+p.behind)
	}
	return last
}

// until advances the clock.
func (th *theatre) until(end, tick int64) {
	th.t.Helper()
	for ; th.clock <= end; th.clock += tick {
		th.write()
		th.look()
	}
}

// show prints a row by component names, so that rows of different systems
// compare.
func show(row *table.Row, system *topology.System, schema table.Schema) string {
	var lines []string
	for s, heard := range row.Heard {
		if heard {
			lines = append(lines, "heard "+system.Servers[s])
		}
	}
	for m, values := range row.Values {
		for c, v := range values {
			if !table.IsMissing(v) {
				lines = append(lines, fmt.Sprintf("%s %s %x", system.Components[c].Name, schema.Metrics[m].Name, math.Float64bits(v)))
			}
		}
	}
	slices.Sort(lines)
	return fmt.Sprintf("%d\n%s", row.End, strings.Join(lines, "\n"))
}

// opened returns the rows that Open makes of the whole files.
func opened(t testing.TB, dir string, o Options) []string {
	t.Helper()
	a, err := Open(t.Context(), []string{dir}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var rows []string
	for {
		row, err := a.Next(t.Context())
		if err == io.EOF {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, show(row, a.System(), a.Schema()))
	}
}

// same compares the rows with those of Open.
func (th *theatre) same() {
	th.t.Helper()
	sameRows(th.t, th.rows, opened(th.t, th.from, th.opts))
}

func sameRows(t testing.TB, got, want []string) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("row %d of %d: got\n%s\nwant\n%s", i, len(want), difference(got[i], want[i]), difference(want[i], got[i]))
		}
	}
	if len(got) != len(want) || len(want) == 0 {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
}

// difference lists the lines of one that the other lacks.
func difference(a, b string) string {
	has := strings.Split(b, "\n")
	lines := slices.DeleteFunc(strings.Split(a, "\n"), func(l string) bool { return slices.Contains(has, l) })
	return strings.Join(lines[:min(len(lines), 20)], "\n")
}
