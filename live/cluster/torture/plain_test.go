package torture

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
)

// tickSeconds is how often partitions count.
var tickSeconds = criteria.DefaultOptions().TickSteps * stepSeconds

// patience is how long a test waits for what ought to happen soon.
const patience = 2 * time.Minute

// oneProcess is what is said in one process without NATS that nobody kills, and the bus that it is
// on.
func oneProcess(tb testing.TB, w *world) (*heard, *bus.Bus) {
	tb.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	b := bus.NewLocal(time.Now, time.Minute)
	var all sync.WaitGroup
	n := node{Dir: w.dir, Name: "alone"}
	if err := n.send(ctx, b); err != nil {
		tb.Fatal(err)
	}
	working, end := context.WithCancel(ctx)
	all.Go(func() {
		if err := work(working, b, "alone", func(s string) { tb.Log(s) }); err != nil {
			tb.Error(err)
		}
	})
	h, err := listen(ctx, b)
	if err != nil {
		tb.Fatal(err)
	}
	d := plan.Divide(w.system, partitions)
	ended := func() bool {
		for i := range d.Partitions {
			if lastRow(ctx, b, d.Partitions[i].Name) < w.lastRow(tb) {
				return false
			}
		}
		return lastRow(ctx, b, cluster.CommonTask) >= w.lastRow(tb)/tickSeconds*tickSeconds
	}
	for !ended() {
		time.Sleep(20 * time.Millisecond)
		if ctx.Err() != nil {
			tb.Fatal("the rows are not judged in time")
		}
	}
	end()
	all.Wait()
	if err := h.until(ctx, func() bool { return h.seq >= lastSaid(ctx, tb, b, d) }); err != nil {
		tb.Fatal(err)
	}
	return h, b
}

// lastSaid is the place in the log of the last that any machine has said.
func lastSaid(ctx context.Context, tb testing.TB, b *bus.Bus, d *plan.Division) (seq uint64) {
	tb.Helper()
	log, err := b.Logs.Open(ctx, cluster.OutputLog, cluster.DefaultLogRetention().Output)
	if err != nil {
		tb.Fatal(err)
	}
	for _, it := range append(d.Items(), plan.Item{Name: cluster.CommonTask}) {
		last, err := log.Last(ctx, it.Name)
		if err != nil {
			tb.Fatal(err)
		}
		seq = max(seq, last.Seq)
	}
	return seq
}

// lastRow is the end of the last row of all.
func (w *world) lastRow(tb testing.TB) int64 {
	tb.Helper()
	s := scenario(float64(w.rows) * stepSeconds / 3600)
	return s.End.Unix() / stepSeconds * stepSeconds
}

// undivided hears one engine that judges the whole system.
type undivided struct{ events []event }

func (*undivided) Window(*persistence.Window) {}
func (*undivided) List(*engine.List)          {}
func (u *undivided) Event(e *incident.Event) {
	u.events = append(u.events, event{Time: e.Time, Change: e.Change, Incident: e.Incident.Clone()})
}

// wholeEngine is what one engine says of the whole system.
func wholeEngine(tb testing.TB, w *world) []event {
	tb.Helper()
	ctx := context.Background()
	src, err := follow(ctx, w.dir, 0)
	if err != nil {
		tb.Fatal(err)
	}
	defer src.Close()
	var u undivided
	var e *engine.Engine
	for {
		row, err := src.Next(ctx)
		switch {
		case errors.Is(err, ingest.ErrChanged):
			if e, err = engine.New(engine.DefaultOptions(), src.System(), src.Schema(), nil, &u); err != nil {
				tb.Fatal(err)
			}
		case errors.Is(err, io.EOF):
			return u.events
		case err != nil:
			tb.Fatal(err)
		default:
			e.Push(row)
		}
	}
}

// TestOneProcess: without NATS, the engines of the parts and the counts that they have in
// common say all that one engine says of the whole, at the same times and with the same
// IDs.
func TestOneProcess(t *testing.T) {
	w := newWorld(t, 4)
	h, _ := oneProcess(t, w)
	h.checkNumbers(t)
	got := map[string]bool{}
	for _, said := range h.said {
		for i := range said {
			if said[i].Kind == cluster.EventKind {
				got[strings.Replace(text(&said[i]), "all-", "", 1)] = true
			}
		}
	}
	want := wholeEngine(t, w)
	for i := range want {
		if line := want[i].text(); !got[line] {
			t.Errorf("nobody says %s", line)
		}
	}
	if len(want) < 10 {
		t.Errorf("the whole engine says only %d things", len(want))
	}
}
