package arrays

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// A tap computes the steps of one server from its records.
type tap struct {
	server  *Server
	place   int // index of the server in the rows; -1: not in the rows
	watched []watched
	fold    *table.Fold
	closed  bool        // the tap has given out all its data, because the server is down
	step    *table.Step // step that is complete; nil: none
	row     *table.Row  // row of the complete step
}

// watched is an attachment with its component index in the rows.
type watched struct {
	attachment *Attachment
	component  int
}

// newTaps returns, by cell, a tap for every server that has components of the system.
func newTaps(r *run, system *topology.System, stepSeconds int64) ([][]*tap, error) {
	on := map[*Server]*tap{}
	found := newDirectory(r.system, r.cells)
	for i := range system.Components {
		name := system.Components[i].Name
		if len(found[name]) != 1 {
			return nil, fmt.Errorf("component %s cannot be recorded, because no path has this name: name a component of the storage system", name)
		}
		a := found[name][0]
		t := on[a.Server]
		if t == nil {
			t = &tap{server: a.Server, place: slices.Index(system.Servers, a.Server.Name)}
			on[a.Server] = t
		}
		t.watched = append(t.watched, watched{a, i})
	}
	taps := make([][]*tap, len(r.cells))
	for i, c := range r.cells {
		for _, s := range c.Servers {
			if t := on[s]; t != nil {
				t.fold = table.NewFold(stepSeconds, len(t.watched))
				taps[i] = append(taps[i], t)
			}
		}
	}
	return taps, nil
}

// read takes the record of now, if there is one. The record may complete a step.
func (t *tap) read(now time.Time) {
	if t.server.Off && !t.closed {
		t.closed = true
		t.flush()
		t.fold.Restart()
		return
	}
	if !t.server.Records(now) {
		return
	}
	t.closed = false
	out := t.fold.Reading()
	out.Time, out.Uptime = t.server.Clock.Show(now).Unix(), t.server.Uptime()
	for i, w := range t.watched {
		out.Present[i] = !w.attachment.Gone
		w.attachment.Read(&out.Disks[i])
	}
	t.complete(t.fold.Close())
}

// flush completes the step that is still held.
func (t *tap) flush() { t.complete(t.fold.Flush()) }

func (t *tap) complete(step *table.Step, ok bool) {
	if ok {
		t.step = step
	}
}

// allot finds the rows of the complete steps. Steps of rows that Next has already returned are
// lost.
func (r *Rows) allot() {
	for _, taps := range r.taps {
		for _, t := range taps {
			if t.row = nil; t.step != nil && t.step.End > r.last {
				t.row = r.rowOf(t.step.End)
			}
		}
	}
}

// put writes the steps of a cell's servers into their rows.
func (r *Rows) put(cell int) {
	for _, t := range r.taps[cell] {
		if t.row != nil {
			t.put(r.columns)
		}
		t.step = nil
	}
}

func (t *tap) put(columns []int) {
	if t.place >= 0 {
		t.row.Heard[t.place] = true
	}
	for i, w := range t.watched {
		work := &t.step.Work[i]
		switch {
		case !t.step.Known[i]:
		case *work == metric.DiskWork{}:
			for m := range columns {
				t.row.Values[m][w.component] = 0
			}
		default:
			for m, column := range columns {
				t.row.Values[m][w.component] = work.Value(column, t.step.Seconds)
			}
		}
	}
}

// rowOf returns the pending row of a step, and creates it if needed.
func (r *Rows) rowOf(end int64) *table.Row {
	at, found := slices.BinarySearchFunc(r.pending, end, func(row *table.Row, end int64) int { return cmp.Compare(row.End, end) })
	if found {
		return r.pending[at]
	}
	if len(r.spare) == 0 {
		r.spare = append(r.spare, table.NewRow(r.schema))
	}
	row := r.spare[len(r.spare)-1]
	r.spare = r.spare[:len(r.spare)-1]
	row.Clear()
	row.End = end
	r.pending = slices.Insert(r.pending, at, row)
	return row
}
