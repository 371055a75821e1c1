package arrays

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/simulate/arrays/internal/parts"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// A tap folds what one server records onto steps.
type tap struct {
	server  *parts.Server
	place   int // among the servers that rows say were heard, -1 where it is none
	watched []watched
	fold    *table.Fold
	closed  bool // it gave out all that it had, since the server is down
}

// watched is an attachment and which component of the rows it is.
type watched struct {
	attachment *parts.Attachment
	component  int
}

// newTaps puts a tap on every server that has anything of a system.
func newTaps(r *run, system *topology.System, stepSeconds int64) ([]*tap, error) {
	var taps []*tap
	on := map[*parts.Server]*tap{}
	found := newDirectory(r.system, r.cells)
	for i := range system.Components {
		name := system.Components[i].Name
		if len(found[name]) != 1 {
			return nil, fmt.Errorf("%s is to be watched, and no attachment is called so: watch a part of the system", name)
		}
		a := found[name][0]
		t := on[a.Server]
		if t == nil {
			t = &tap{server: a.Server, place: slices.Index(system.Servers, a.Server.Name)}
			on[a.Server], taps = t, append(taps, t)
		}
		t.watched = append(t.watched, watched{a, i})
	}
	for _, t := range taps {
		t.fold = table.NewFold(stepSeconds, len(t.watched))
	}
	return taps, nil
}

// read takes the record of now, where there is one, and returns the step that
// is complete by it.
func (t *tap) read(now time.Time) (*table.Step, bool) {
	if t.server.Off && !t.closed {
		t.closed = true
		step, ok := t.fold.Flush()
		t.fold.Restart()
		return step, ok
	}
	if !t.server.Records(now) {
		return nil, false
	}
	t.closed = false
	out := t.fold.Reading()
	out.Time, out.Uptime = t.server.Clock.Show(now).Unix(), t.server.Uptime()
	for i, w := range t.watched {
		out.Present[i] = !w.attachment.Gone
		w.attachment.Read(&out.Disks[i])
	}
	return t.fold.Close()
}

// put enters a server's step into its row.
func (r *Rows) put(t *tap, step *table.Step) {
	if step.End <= r.last {
		return
	}
	row := r.rowOf(step.End)
	if t.place >= 0 {
		row.Heard[t.place] = true
	}
	for i, w := range t.watched {
		if !step.Known[i] {
			continue
		}
		for m, column := range r.columns {
			row.Values[m][w.component] = step.Work[i].Value(column, step.Seconds)
		}
	}
}

// rowOf finds the pending row of a step, or begins it.
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
