package top

import (
	"context"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/topology"
)

// rows is a source of rows in memory.
type rows struct {
	world *world
	list  []*table.Row
}

func (r *rows) Next(context.Context) (*table.Row, error) {
	if len(r.list) == 0 {
		return nil, io.EOF
	}
	row := r.list[0]
	r.list = r.list[1:]
	return row, nil
}

func (r *rows) System() *topology.System   { return r.world.system }
func (r *rows) Schema() table.Schema       { return r.world.schema }
func (r *rows) Warnings() []ingest.Warning { return nil }
func (r *rows) Close() error               { return nil }

// shown prints the verdicts of a frame.
func shown(f *Frame) string {
	text := fmt.Sprintf("%d: %d incidents, %d suspects\n", f.End, f.Incidents, f.Suspects)
	for _, s := range f.Problems {
		text += fmt.Sprintf("%s %s since %d: %s\n", s.Level, s.ID, s.Since, s.Text)
	}
	for _, l := range f.Lines {
		text += fmt.Sprintf("%s %s %s %.3f\n", l.Name, l.Level, l.Mark, float64(l.Latency))
	}
	return text
}

// TestReplay: the frame of any earlier time is the frame that was the newest at that time, with the
// suspects and incidents of that time, although memory has fewer rows.
func TestReplay(t *testing.T) {
	w := newWorld(t, 1, 20)
	var all []*table.Row
	for i := range 1500 {
		if i == 400 {
			w.slow[7] = 10
		}
		if i == 900 {
			w.slow[3] = 8
		}
		all = append(all, w.next())
	}
	opened, opens := map[int64]bool{}, 0
	m := newModel(t, w)
	m.options.Replayed = true
	r := &Replay{Model: m, Open: func(_ context.Context, after int64, _ *topology.System) (ingest.Source, error) {
		opened[after] = true
		opens++
		at := slices.IndexFunc(all, func(row *table.Row) bool { return row.End > after })
		return &rows{w, all[at:]}, nil
	}}
	m.history.depth = 100 // fewer than the rows
	for _, row := range all {
		m.Push(row)
	}
	times := []int{1499, 1000, 998, 990, 1000, 700, 420, 300, 60, 50, 1200}
	for _, n := range times {
		then := newModel(t, w)
		for _, row := range all[:n] {
			then.Push(row)
		}
		then.settleVerdicts()
		end := all[n-1].End
		f := r.Frame(end)
		if got, want := shown(f), shown(then.Frame(0)); got != want || !f.Past || !f.Judged {
			t.Errorf("after %d rows\n%s\nwant\n%s", n, got, want)
		}
	}
	if f := r.Frame(all[0].End - 100); f.End != all[1199].End {
		t.Errorf("before the first row, the frame of %d is shown", f.End)
	}
	if opens > len(times)-3 {
		t.Errorf("the source was opened %d times for %d frames: rows are not kept", opens, len(times))
	}
	if len(opened) < 3 || !opened[0] {
		t.Errorf("the source was opened after %v: kept states are not used", opened)
	}
	if f := r.Frame(0); f.Past || f.Incidents == 0 {
		t.Errorf("%+v", f)
	}
}
